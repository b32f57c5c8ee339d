/** Links: visit a page, and save data that depend on the token, which the browser does not send when it follows a link. */

import { ROOT, TokenRefused, isSignedIn, save } from './session.js';
import { say, sentence } from './sentences.js';

export const PAGES = new URL('datasets/', ROOT);

/** Whether an address is the list or the page of a dataset. */
export function isPage(url) {
  return url.origin === PAGES.origin && url.pathname.startsWith(PAGES.pathname);
}

/** Whether an address answers data that depend on the token. */
function isData(url) {
  const path = url.href.startsWith(ROOT.href) ? url.pathname.slice(ROOT.pathname.length) : '';
  const isOfApi = path.startsWith('api/dataset/') && !path.endsWith('/thumbnail/');
  return isOfApi || (path.startsWith('stac') && url.searchParams.get('f') === 'json');
}

export function followLinks(visits) {
  async function saveData(url) {
    say(sentence('file_coming'));
    try {
      say(await save(url));
    } catch (error) {
      if (error instanceof TokenRefused) {
        visits.showPublicView();
      } else {
        say(sentence('unreachable'), () => saveData(url));
      }
    }
  }

  document.addEventListener('click', event => {
    const link = event.target.closest('a[href]');
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || link.hasAttribute('target') || link.hasAttribute('download')) {
      return;
    }
    // A link of a drawing has an object as its href.
    const url = new URL(link.getAttribute('href'), document.baseURI);
    const isFragment = url.hash && visits.isShown(url);
    if (isPage(url) && !isFragment) {
      event.preventDefault();
      link.closest('#menu')?.hidePopover?.();
      const isOfList = link.closest('nav.orders, nav.shapes, #time, .facet, .chips');
      visits.visit(url, { stays: Boolean(isOfList) && url.pathname === location.pathname });
    } else if (isSignedIn() && isData(url)) {
      event.preventDefault();
      saveData(url);
    }
  });
}
