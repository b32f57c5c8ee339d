/**
 * Makes the pages quicker and nicer to use: links and forms replace only the content, the list follows the filters as one types, and dates
 * and numbers have the form of the reader's country. Each page also works without this script, the map apart.
 */

import { PageMap } from './map.js';
import { ROOT, TokenRefused, isSignedIn, offerSignIn, request, save, sentenceOf } from './session.js';

const PAGES = new URL('datasets/', ROOT);
const SLOW_AFTER = 1000;
const TYPING_PAUSE = 300;
/** In milliseconds. */
const DAY = 86_400_000;
const DEFAULT_ORDER = 'id';
const TOKEN_REFUSED = 'Your token is no longer valid. You see the public datasets.';

const main = document.getElementById('content');
const notice = document.getElementById('notice');
const map = new PageMap({ visit, request, showPublicView });

/** Path and query of the page that is shown, to tell its own fragments from other pages. */
let shown = location.pathname + location.search;
let runningVisit = null;
let typing = null;
/** A sentence that the next page shows, also if that is another page than the one that was asked for. */
let unsaid = null;

// ---- visits ---------------------------------------------------------------------------------------

/**
 * Replaces the content with another page. A newer visit ends an older one.
 *
 * @param entry of the history: push, replace, or none
 * @param stays whether the reader stays at the same control and position
 * @param replaces whether an error replaces the content, also if the reader stays
 * @param state of the entry
 * @param summary a sentence for screen readers in place of the number of datasets
 */
async function visit(url, { entry = 'push', stays = false, replaces = !stays, state = {}, summary = null } = {}) {
  const again = () => visit(url, { entry, stays, replaces, state, summary });
  clearTimeout(typing);
  runningVisit?.abort();
  const own = new AbortController();
  runningVisit = own;
  main.setAttribute('aria-busy', 'true');
  const slow = setTimeout(() => say('Still loading. The network or the service is slow.'), SLOW_AFTER);
  try {
    const response = await request(url, 'text/html', own.signal);
    const text = await response.text();
    clearTimeout(slow);
    answer(response, text, { entry, stays, replaces, state, summary });
  } catch (error) {
    clearTimeout(slow);
    if (error instanceof TokenRefused) {
      unsaid = TOKEN_REFUSED;
      again();
    } else if (!own.signal.aborted) {
      say('The service cannot be reached. Check the network.', again);
    }
  }
  if (runningVisit === own) {
    runningVisit = null;
    main.removeAttribute('aria-busy');
  }
}

/** Shows the current page without the token, which the service has refused. A running visit shows its page without the token, too. */
function showPublicView() {
  unsaid = TOKEN_REFUSED;
  if (!runningVisit) {
    showAgain();
  }
}

/** Shows a response: a page, an error of a form beside the form, or a file that is left to the browser. */
function answer(response, text, options) {
  const type = response.headers.get('Content-Type') ?? '';
  const isPage = type.startsWith('text/html');
  const page = isPage ? new DOMParser().parseFromString(text, 'text/html') : null;
  const content = page?.getElementById('content');
  if (!response.ok && !(options.replaces && content)) {
    say(content ? sentenceOfPage(content) : sentenceOfText(text, type));
  } else if (content) {
    show(page, content, response.url, options);
  } else {
    location.assign(response.url);
  }
}

function sentenceOfPage(content) {
  return (content.querySelector('p') ?? content).textContent.trim();
}

function sentenceOfText(text, type) {
  return type.includes('json') ? sentenceOf(JSON.parse(text)) : 'The service answers with an error. Try again later.';
}

function show(page, content, url, { entry, stays, state, summary }) {
  const place = stays ? placeOfFocus() : null;
  remember(url, entry, state);
  document.title = page.title;
  const isSameList = replaceContent(content, stays);
  enhance();
  const sentence = summary ?? unsaid;
  unsaid = null;
  if (sentence) {
    say(sentence);
  } else {
    announce((main.querySelector('#count') ?? main.querySelector('h1') ?? main).textContent);
  }
  if (stays) {
    place?.()?.focus({ preventScroll: true });
  } else {
    goTo(isSameList ? main.querySelector('#count') : main.querySelector('h1') ?? main, isSameList, history.state?.scroll);
  }
}

/** Makes the addresses of the frame absolute. The frame stays while the address of the page changes, to which relative ones would refer. */
function fixAddresses() {
  document.querySelectorAll('header a, link[rel=icon]').forEach(link => {
    link.href = link.href;
  });
}

/** Shows the current page to another reader. What only the one before may see does not stay. */
function showAgain(summary = null) {
  visit(location.href, { entry: 'none', stays: true, replaces: true, summary });
}

/** Adds to the history. The entry that is left keeps its position for the way back. */
function remember(url, entry, state) {
  if (entry === 'push') {
    history.replaceState({ ...history.state, scroll: scrollY }, '');
    history.pushState(state, '', url);
  } else if (entry === 'replace') {
    history.replaceState(state, '', url);
  }
  shown = location.pathname + location.search;
}

/**
 * Replaces the content. Between two pages of the list, the map stays, and so does a form that the reader is filling in.
 *
 * @return whether the list stays on the page
 */
function replaceContent(content, stays) {
  const [listing, form, mapElement] = ['.listing', '#filters', '#map'].map(selector => main.querySelector(selector));
  const [nextListing, nextForm, nextMap] = ['.listing', '#filters', '#map'].map(selector => content.querySelector(selector));
  if (!listing || !mapElement || !nextListing || !nextMap) {
    main.replaceChildren(...content.childNodes);
    return false;
  }
  listing.replaceWith(nextListing);
  Object.assign(mapElement.dataset, nextMap.dataset);
  if (!stays || !form.contains(document.activeElement)) {
    const [details, nextDetails] = [form, nextForm].map(each => each.querySelector('details'));
    nextDetails.open ||= details.open;
    form.replaceWith(nextForm);
  }
  return true;
}

/** A function that finds the control with the focus again among links that are replaced. */
function placeOfFocus() {
  const group = document.activeElement?.closest('nav.orders');
  const index = group ? [...group.querySelectorAll('a')].indexOf(document.activeElement) : -1;
  return () => index < 0 ? null : main.querySelectorAll('nav.orders a')[index];
}

/** Moves the focus to the start of what is new, and the page to it or to an earlier position. */
function goTo(element, isSameList, position) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (position !== undefined) {
    scrollTo(0, position);
  } else if (!isSameList) {
    scrollTo(0, 0);
  } else if (element.getBoundingClientRect().top < 0) {
    element.scrollIntoView();
  }
}

// ---- sentences ------------------------------------------------------------------------------------

/** Shows a sentence, with a button if it can be tried again. */
function say(sentence, again = null) {
  notice.classList.remove('quiet');
  notice.replaceChildren(sentence);
  if (again) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Try again';
    button.addEventListener('click', again);
    notice.append(' ', button);
  }
}

/** Tells a sentence to screen readers only. */
function announce(sentence) {
  notice.classList.add('quiet');
  notice.replaceChildren(sentence.replace(/\s+/g, ' ').trim());
}

// ---- links and forms ------------------------------------------------------------------------------

function isPage(url) {
  return url.origin === PAGES.origin && url.pathname.startsWith(PAGES.pathname);
}

function followLink(event) {
  const link = event.target.closest('a[href]');
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) {
    return;
  }
  const url = new URL(link.href);
  const isFragment = url.hash && url.pathname + url.search === shown;
  if (isPage(url) && !isFragment) {
    event.preventDefault();
    visit(url, { stays: Boolean(link.closest('nav.orders')) });
  } else if (isSignedIn() && isData(url)) {
    event.preventDefault();
    saveData(url);
  }
}

/** Whether an address answers data that depend on the token. */
function isData(url) {
  const path = url.href.startsWith(ROOT.href) ? url.pathname.slice(ROOT.pathname.length) : '';
  return path.startsWith('api/dataset/') && !path.endsWith('/thumbnail/') || path.startsWith('stac') && url.searchParams.get('f') === 'json';
}

async function saveData(url) {
  say('The file is on its way.');
  try {
    say(await save(url));
  } catch (error) {
    if (error instanceof TokenRefused) {
      showPublicView();
    } else {
      say('The service cannot be reached. Check the network.', () => saveData(url));
    }
  }
}

/** The address that a form leads to, without the fields that are left blank or say what is the case anyway. */
function addressOf(form) {
  // Parameters of the address are fields of the form. One that is called action stands in front of the property.
  const url = new URL(form.getAttribute('action'), document.baseURI);
  const fields = [...new FormData(form)].filter(([name, value]) => value !== '' && !(name === 'ordering' && value === DEFAULT_ORDER));
  url.search = new URLSearchParams(fields);
  return url;
}

function submitForm(event) {
  const form = event.target;
  const url = form.closest('dialog') ? null : addressOf(form);
  if (url && isPage(url)) {
    event.preventDefault();
    visit(url, { stays: form.matches('#filters') });
  }
}

/** Shows the datasets of the filters after a short pause. One entry of the history stands for a word that is typed. */
function followFilters(event) {
  const form = event.target.form;
  const isSearch = event.target.type === 'search';
  if (!form?.matches('#filters') || event.isComposing || (isSearch && event.type === 'change')) {
    return;
  }
  if (!isSearch && event.type !== 'change') {
    return;
  }
  clearTimeout(typing);
  typing = setTimeout(() => {
    const url = addressOf(form);
    if (form.checkValidity() && url.pathname + url.search !== shown) {
      const isTyped = isSearch && history.state?.isTyped;
      visit(url, { stays: true, entry: isTyped ? 'replace' : 'push', state: { isTyped: isSearch } });
    }
  }, TYPING_PAUSE);
}

function goThroughHistory() {
  if (location.pathname + location.search !== shown) {
    visit(location.href, { entry: 'none' });
  }
}

// ---- the content ----------------------------------------------------------------------------------

/** Completes content that is new on the page. */
function enhance() {
  main.querySelectorAll('time[datetime]').forEach(localizeTime);
  main.querySelectorAll('data[value], .chart .tick').forEach(localizeNumber);
  if (isSignedIn()) {
    main.querySelectorAll('.commands code').forEach(addToken);
  }
  if (navigator.clipboard) {
    main.querySelectorAll('.commands dd code').forEach(addCopyButton);
  }
  main.querySelectorAll('img').forEach(hideBroken);
  map.show(main);
}

/** Leaves the place of a picture that cannot be loaded to the quiet background. */
function hideBroken(image) {
  if (image.complete && image.naturalWidth === 0 && image.currentSrc) {
    image.classList.add('missing');
  }
}

/** The day in UTC, which filters mean too, and the time unless it is midnight. The title has the time of the reader's clock. */
function localizeTime(element) {
  const time = new Date(element.dateTime);
  if (!Number.isNaN(time.getTime())) {
    const isDay = time.getTime() % DAY === 0;
    const [shared, own] = [{ timeStyle: isDay ? undefined : 'short', timeZone: 'UTC' }, { timeStyle: 'long' }]
        .map(style => new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', ...style }).format(time));
    element.textContent = isDay ? shared : `${shared} UTC`;
    element.title = `In your time zone: ${own}`;
  }
}

/** A number with an exponent stays, because the form of a country would have hundreds of zeros. */
function localizeNumber(element) {
  const text = element.value ?? element.textContent;
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    element.textContent = Number(text).toLocaleString(navigator.languages, { maximumFractionDigits: 20 });
  }
}

/** A line for the shell shows the same datasets as the page, with the token of the reader's own environment. */
function addToken(code) {
  code.textContent = code.textContent.replace(/^curl (?=')/, 'curl -H "Authorization: Token $TOKEN" ');
}

function addCopyButton(code) {
  const line = code.closest('dd');
  if (line.querySelector('.copy')) {
    return;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${line.previousElementSibling.textContent}`);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      say('Copied.');
    } catch {
      say('The browser does not allow copying. Select the text and copy it.');
    }
  });
  line.append(button);
}

// ---- start ----------------------------------------------------------------------------------------

history.scrollRestoration = 'manual';
document.addEventListener('click', followLink);
document.addEventListener('submit', submitForm);
for (const change of ['input', 'compositionend', 'change']) {
  document.addEventListener(change, followFilters);
}
// The event does not bubble.
document.addEventListener('error', event => event.target.matches?.('img') && hideBroken(event.target), true);
addEventListener('popstate', goThroughHistory);
offerSignIn(showAgain);
fixAddresses();
enhance();
if (isSignedIn()) {
  // The server has sent the public view.
  showAgain();
}
