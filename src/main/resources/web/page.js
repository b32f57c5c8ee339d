/**
 * Makes the pages quicker and nicer to use: links and forms replace only the content, the list follows the filters as one types,
 * and dates and numbers have the form of the reader's country. Each page also works without this script, the map apart.
 *
 * The map comes first. On a slow network it would wait for all other scripts, which the reader needs later.
 */

import { isSignedIn, offerSignIn } from './session.js';
import { PageMap } from './map.js';
import { pause, say, sentence } from './sentences.js';

/** The class of the page whose filters are put away; an earlier script sets it. */
const FOLDED = 'filters-folded';
/** The class of a page whose scripts are here; an earlier script sets it. */
const SCRIPTED = 'with-scripts';
const { classList } = document.documentElement;
const main = document.getElementById('content');
/** The visits of pages, and what adapts content to the reader; null until their scripts are here. */
let visits = null;
let adapt = null;
const map = new PageMap({
  visit: url => visits ? visits.visit(url) : location.assign(url),
  showPublicView: () => visits?.showPublicView(),
});

/** Where the map stands beside the list. */
const isWide = matchMedia('(min-width: 60rem)');

/** On a wide screen the map comes behind the list, as one reads and as the keyboard goes, and otherwise before. */
function placeMap() {
  const [where, listing] = ['.where', '.listing'].map(each => main.querySelector(each));
  const follows = where?.previousElementSibling === listing;
  if (where && follows !== isWide.matches) {
    listing[isWide.matches ? 'after' : 'before'](where);
  }
}

/** Keeps a choice of the reader for the next documents, or forgets it. The browser may forbid its storage. */
function keep(name, choice) {
  try {
    localStorage[choice === null ? 'removeItem' : 'setItem'](name, choice);
  } catch {
    // The next document has the usual form.
  }
}

/** The switch of the theme, which an earlier script has set. */
function offerThemes() {
  const choice = document.getElementById('theme');
  const { dataset } = document.documentElement;
  choice.value = dataset.theme ?? 'system';
  choice.hidden = false;
  choice.addEventListener('change', () => {
    if (choice.value === 'system') {
      delete dataset.theme;
    } else {
      dataset.theme = choice.value;
    }
    keep('theme', choice.value);
  });
}

/** On a wide screen, the title of the filters puts them away, also on the pages that are visited later. */
function offerFolding(content) {
  const title = content.querySelector('#panel-title');
  if (!title || title.querySelector('button')) {
    return;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = title.textContent;
  const show = () => button.setAttribute('aria-expanded', String(!classList.contains(FOLDED)));
  button.addEventListener('click', () => {
    keep(FOLDED, classList.toggle(FOLDED) ? '' : null);
    show();
  });
  show();
  title.append(button);
}

/** Completes content that is new on the page. */
function complete(content) {
  content.querySelectorAll('img').forEach(hideBroken);
  placeMap();
  offerFolding(content);
  map.show(content);
  adapt?.(content);
}

/** Loads the scripts of all pages that the map does not need. */
async function loadOthers() {
  const { TimeBar, Visits, followForms, followLinks, format, suggestWhileTyping } = await import('./later.js');
  visits = new Visits(main, complete);
  const timeBar = new TimeBar(visits);
  followLinks(visits);
  suggestWhileTyping(visits);
  followForms(visits);
  offerSignIn(summary => visits.showAgain(summary), () => visits.mayLeave());
  await pause();
  adapt = content => {
    format(content);
    timeBar.show(content);
    content.querySelectorAll('[data-module]').forEach(loadModule);
  };
  adapt(main);
  if (isSignedIn()) {
    // The server has sent the public view.
    visits.showAgain();
  }
}

/** Loads the script of a part that only some pages have. */
async function loadModule(element) {
  const { show } = await import(element.dataset.module).catch(() => ({
    show: () => say(sentence('unreachable'), () => loadModule(element)),
  }));
  if (element.isConnected) {
    show(element, visits);
  }
}

/** Leaves the place of a picture that cannot be loaded to the quiet background. */
function hideBroken(image) {
  if (image.complete && image.naturalWidth === 0 && image.currentSrc) {
    image.classList.add('missing');
  }
}

/** Makes the addresses of the frame absolute: the frame stays while the address of the page changes, to which others refer. */
function fixAddresses() {
  document.querySelectorAll('header a, link[rel=icon]').forEach(link => {
    link.setAttribute('href', link.href);
  });
}

// The buttons of Leaflet have English titles.
window.L?.Control.Zoom.mergeOptions({ zoomInTitle: sentence('zoom_in'), zoomOutTitle: sentence('zoom_out') });
// The event does not bubble.
document.addEventListener('error', event => event.target.matches?.('img') && hideBroken(event.target), true);
isWide.addEventListener('change', placeMap);
fixAddresses();
offerThemes();
/** Without the other scripts, the page has what it has without any, see first.js. */
const begin = () => loadOthers().then(() => classList.toggle(SCRIPTED, Boolean(window.L)), () => {
  classList.remove(SCRIPTED);
  say(sentence('unreachable'), begin);
});
pause().then(() => {
  complete(main);
  begin();
});
