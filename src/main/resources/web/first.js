// Sets the theme that the reader has chosen, and puts filters away that the reader has put away before. Each page contains it in
// its head, so that no page is shown in another form before.
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
  classList.toggle('filters-folded', stored('filters-folded') !== null);
}
