// Sets the theme that the reader has chosen, and puts filters away that the reader has put away before. Each page contains it in
// its head, so that no page is shown in another form before. A page whose scripts cannot be loaded has the form that it has in a
// browser without scripts.
{
  /** The browser may forbid its storage. */
  const stored = key => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const { classList, dataset } = document.documentElement;
  const theme = stored('theme');
  if (theme === 'light' || theme === 'dark') {
    dataset.theme = theme;
  }
  classList.add('with-scripts');
  classList.toggle('filters-folded', stored('filters-folded') !== null);
  // The event does not bubble.
  addEventListener('error', ({ target }) => {
    if (target.matches?.('script')) {
      classList.remove('with-scripts', 'filters-folded');
    }
  }, true);
}
