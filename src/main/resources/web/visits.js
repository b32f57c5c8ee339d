/** Visits of pages: replace the content by that of another page, and keep the history, the focus and the position. */

import { TokenRefused, accountOfReader, isSignedIn, request } from './session.js';
import { announce, say, sentence, sentenceOfPage, sentenceOfText } from './sentences.js';

const SLOW_AFTER = 1000;
/** What a reader presses, and what a visit replaces. */
const CONTROLS = 'a, button, summary';

export class Visits {

  #main;
  #complete;
  /** Path and query of the page that is shown, to tell its own fragments from other pages. */
  #shown = pathOf(location);
  #running = null;
  #planned = null;
  /** A sentence that the next page shows, also if another page is asked for in the meantime. */
  #unsaid = null;
  /** What the reader has written on the page and not saved, or null. */
  #input = null;
  /** The account of the reader who writes there. */
  #author = null;

  /**
   * @param main the element with the content
   * @param complete called with the element after the content is replaced
   */
  constructor(main, complete) {
    this.#main = main;
    this.#complete = complete;
    history.scrollRestoration = 'manual';
    addEventListener('popstate', () => {
      if (!this.isShown(location)) {
        this.visit(location.href, { entry: 'none' });
      }
    });
  }

  /** Gives the content another address, in place of the one before. */
  rename(url) {
    this.#remember(url, 'replace', {});
  }

  isShown(url) {
    return pathOf(url) === this.#shown;
  }

  /**
   * Keeps the content while the reader wants it.
   *
   * @param input has isUnsaved(), mayBeLost(), which asks the reader, and resume(summary), called after another sign-in
   */
  keep(input) {
    this.#input = input;
    this.#author = accountOfReader();
  }

  /** Asks the reader about input that is not saved. Returns whether the content may go. */
  mayLeave() {
    return !this.#input?.isUnsaved() || this.#input.mayBeLost();
  }

  /**
   * Replaces the content by another page. A newer visit ends an older one.
   *
   * @param options.entry of the history: push (replaces if the address stays the same), replace, or none
   * @param options.stays whether the reader stays at the same control and position
   * @param options.replaces whether an error replaces the content, also if the reader stays
   * @param options.state of the entry
   * @param options.summary a sentence for screen readers in place of the number of datasets
   * @param options.isSettled whether the reader has given up what is not saved
   */
  async visit(url, options = {}) {
    if (!options.isSettled && !this.mayLeave()) {
      if (!this.isShown(location)) {
        history.pushState(null, '', this.#shown);
      }
      return;
    }
    const again = () => this.visit(url, { ...options, isSettled: true });
    clearTimeout(this.#planned);
    this.#running?.abort();
    const own = new AbortController();
    this.#running = own;
    this.#main.setAttribute('aria-busy', 'true');
    const slow = setTimeout(() => say(sentence('slow')), SLOW_AFTER);
    try {
      const response = await request(url, 'text/html', own.signal);
      const text = await response.text();
      clearTimeout(slow);
      this.#answer(response, text, options);
    } catch (error) {
      clearTimeout(slow);
      if (error instanceof TokenRefused) {
        this.#unsaid = sentence('token_refused');
        // Content that only the holder of the token may see does not stay, also if the public view has an error.
        this.visit(url, { ...options, replaces: true, isSettled: true });
      } else if (!own.signal.aborted) {
        say(sentence('unreachable'), again);
      }
    }
    if (this.#running === own) {
      this.#running = null;
      this.#main.removeAttribute('aria-busy');
    }
  }

  /** Calls a function after a pause, unless it is replaced by a visit or by another plan before. */
  plan(start, pause) {
    clearTimeout(this.#planned);
    this.#planned = setTimeout(start, pause);
  }

  /**
   * Shows the current page to another reader. Content that only the reader before may see does not stay, and neither does its
   * input. The same reader, who has signed in again, keeps the input.
   */
  showAgain(summary = null) {
    if (isSignedIn() && accountOfReader() === this.#author && this.#input?.isUnsaved()) {
      this.#input.resume(summary);
      return;
    }
    if (this.#input) {
      // The next page may not come.
      this.#input = null;
      this.#main.replaceChildren();
    }
    this.visit(location.href, { entry: 'none', stays: true, replaces: true, isSettled: true, summary });
  }

  /** Shows the current page without the token, which the service has refused. A running visit does so itself. */
  showPublicView() {
    this.#unsaid = sentence('token_refused');
    if (!this.#running) {
      this.showAgain();
    }
  }

  /** Shows a response: a page, an error of a form beside the form, or a file that is left to the browser. */
  #answer(response, text, options) {
    const type = response.headers.get('Content-Type') ?? '';
    const page = type.startsWith('text/html') ? new DOMParser().parseFromString(text, 'text/html') : null;
    const content = page?.getElementById('content');
    if (!response.ok && !((options.replaces ?? !options.stays) && content)) {
      say(content ? sentenceOfPage(content) : sentenceOfText(text, type));
      markWrongFields(this.#main, content);
    } else if (content) {
      this.#show(page, content, response.url, options);
    } else {
      location.assign(response.url);
    }
  }

  #show(page, content, url, { entry = 'push', stays = false, state = {}, summary = null }) {
    const place = stays ? this.#placeOfFocus() : null;
    this.#input = null;
    this.#remember(url, entry, state);
    document.title = page.title;
    document.querySelector('.skip').replaceWith(page.querySelector('.skip'));
    const isSameList = this.#replaceContent(content, stays);
    this.#complete(this.#main);
    const text = summary ?? this.#unsaid;
    this.#unsaid = null;
    if (text) {
      say(text);
    } else {
      announce((this.#main.querySelector('#count') ?? this.#title()).textContent);
    }
    if (stays) {
      place()?.focus({ preventScroll: true });
    } else {
      goTo(isSameList ? this.#main.querySelector('#count') : this.#title(), isSameList, history.state?.scroll);
    }
  }

  #title() {
    return this.#main.querySelector('h1') ?? this.#main;
  }

  /**
   * Adds to the history, unless its entry has the address already, as the browser does itself. The entry that is left keeps its
   * position for the way back.
   */
  #remember(url, entry, state) {
    const isSame = pathOf(new URL(url)) === pathOf(location);
    if (entry === 'push' && !isSame) {
      history.replaceState({ ...history.state, scroll: scrollY }, '');
      history.pushState(state, '', url);
    } else if (entry !== 'none') {
      history.replaceState(state, '', url);
    }
    this.#shown = pathOf(location);
  }

  /**
   * Replaces the content. Between two pages of the list, the map stays, and so does a form that the reader is filling in.
   *
   * @return whether the list stays on the page
   */
  #replaceContent(content, stays) {
    const [list, nextList] = [this.#main, content].map(each => each.querySelector('.columns:has(#map)'));
    if (!list || !nextList) {
      this.#main.replaceChildren(...content.childNodes);
      return false;
    }
    this.#title().replaceWith(content.querySelector('h1'));
    list.querySelector('.listing').replaceWith(nextList.querySelector('.listing'));
    replaceBesideMap(list.querySelector('#where'), nextList.querySelector('#where'));
    const fieldsStay = stays && document.activeElement.form?.id === 'filters';
    markWrongFields(this.#main, null);
    if (fieldsStay) {
      // It says how many filters there are.
      const [button, nextButton] = [list, nextList].map(each => each.querySelector('.to-panel'));
      button.replaceChildren(...nextButton.childNodes);
    } else {
      list.querySelector('#filters').replaceWith(nextList.querySelector('#filters'));
    }
    replacePanel(list.querySelector('#panel'), nextList.querySelector('#panel'), fieldsStay);
    return true;
  }

  /** A function that finds the control with the focus, or what stands in its place, among controls that are replaced. */
  #placeOfFocus() {
    const focused = document.activeElement;
    // A field stays where it is.
    const group = focused?.matches(CONTROLS) && focused.closest('nav.orders, nav.shapes, #time, .facet, .chips, #panel');
    if (!group) {
      const isInside = this.#main.contains(focused);
      return () => isInside && !focused.isConnected ? asTarget(this.#title()) : null;
    }
    const selector = group.id ? `#${group.id}` : `${group.localName}.${group.className}${group.hasAttribute('aria-labelledby')
      ? `[aria-labelledby=${group.getAttribute('aria-labelledby')}]` : ''}`;
    const index = [...group.querySelectorAll(CONTROLS)].indexOf(focused);
    const name = nameOf(focused);
    return () => {
      const controls = [...this.#main.querySelectorAll(`${selector} :is(${CONTROLS})`)];
      const place = controls.find(control => nameOf(control) === name) ?? controls[Math.min(index, controls.length - 1)];
      return place ?? asTarget(this.#main.querySelector('#count') ?? this.#title());
    };
  }
}

/** The name of a control, of a choice without the number of its datasets. */
function nameOf(control) {
  return control.querySelector('bdi')?.textContent ?? control.getAttribute('aria-label') ?? control.textContent;
}

/** Replaces what stands beside the map, which stays. */
function replaceBesideMap(place, nextPlace) {
  const [map, nextMap] = [place, nextPlace].map(each => each.querySelector('#map'));
  Object.assign(map.dataset, nextMap.dataset);
  [...place.children].filter(child => child !== map).forEach(child => child.remove());
  map.after(...[...nextPlace.children].filter(child => child !== nextMap));
}

/** Replaces the filters. An open sheet stays open, and its lists too. */
function replacePanel(panel, next, fieldsStay) {
  const scroll = panel.scrollTop;
  const details = [...panel.querySelectorAll('details')].filter(({ open }) => open).map(keyOf);
  next.querySelectorAll('details').forEach(each => {
    each.open ||= details.includes(keyOf(each));
  });
  if (!fieldsStay) {
    panel.replaceChildren(...next.childNodes);
  } else {
    const [lists, nextLists] = [panel, next].map(each => [...each.querySelectorAll('.facet:has(ul)')]);
    lists.slice(1).forEach(list => list.remove());
    lists[0]?.replaceWith(...nextLists);
    panel.querySelector('.panel-end').replaceWith(next.querySelector('.panel-end'));
  }
  panel.scrollTop = scroll;
}

function keyOf(details) {
  return details.closest('.facet')?.getAttribute('aria-labelledby') ?? details.className;
}

/** Puts the sentences of a page beside the wrong fields of the form. Without a page, no field is wrong. */
function markWrongFields(main, page) {
  main.querySelectorAll('.wrong').forEach(text => text.remove());
  main.querySelectorAll('[aria-invalid]').forEach(field => {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  });
  page?.querySelectorAll('[aria-invalid]').forEach(wrong => {
    const field = main.querySelector(`[name="${wrong.name}"]:not([type=hidden])`);
    const text = page.querySelector(`#${wrong.getAttribute('aria-describedby')}`);
    if (field && text) {
      field.setAttribute('aria-invalid', 'true');
      field.setAttribute('aria-describedby', text.id);
      field.closest('label').after(text);
    }
  });
}

function pathOf(url) {
  return url.pathname + url.search;
}

/** Makes an element take the focus that is no control. */
function asTarget(element) {
  element.tabIndex = -1;
  return element;
}

/** Moves the focus to the start of what is new, and the page to it or to an earlier position. */
function goTo(element, isSameList, position) {
  asTarget(element).focus({ preventScroll: true });
  if (position !== undefined) {
    scrollTo(0, position);
  } else if (!isSameList) {
    scrollTo(0, 0);
  } else if (element.getBoundingClientRect().top < 0) {
    element.scrollIntoView();
  }
}
