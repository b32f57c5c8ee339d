// Sets the theme that the reader has chosen, and puts filters away that the reader has put away before. A classic script in the
// head, so that no page is shown in another form before.
{
  const KEY = 'theme';
  /** Set while the reader of a wide screen has put the filters away. */
  const FOLDED = 'filters-folded';

  /** The browser may forbid its storage. */
  const attempt = (action, otherwise) => {
    try {
      return action();
    } catch {
      return otherwise;
    }
  };

  const show = theme => {
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
    } else {
      delete document.documentElement.dataset.theme;
    }
  };

  show(attempt(() => localStorage.getItem(KEY), null));
  document.documentElement.classList.toggle(FOLDED, attempt(() => localStorage.getItem(FOLDED), null) !== null);
  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.getElementById('theme');
    choice.value = document.documentElement.dataset.theme ?? 'system';
    choice.hidden = false;
    choice.addEventListener('change', () => {
      show(choice.value);
      attempt(() => localStorage.setItem(KEY, choice.value));
    });
  });
}
