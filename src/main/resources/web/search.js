/** The search field: suggestions while the reader types, as an ARIA combobox, and a key that leads to the field. */

import { addressOf } from './forms.js';
import { PAGES } from './links.js';
import { TokenRefused, request } from './session.js';
import { nameOfSuggestions, numberInWords, sentence } from './sentences.js';

const SUGGEST_PAUSE = 150;
const MIN_LENGTH = 2;
/** The field of the list, and the one of the map of the form, which suggests places only. */
const FIELD = '#filters input[type=search], #dataset input[type=search]';
const PLACES = ['place', 'coordinates'];
const COORDINATES = /^[-+−]?\d[\d.°'"′″’” NSEW]*[,; ]\s*[-+−]?\d[\d.°'"′″’” NSEW]*$/i;

class Search {

  #visits;
  #field = null;
  #list = null;
  #options = [];
  #active = -1;
  #planned = null;
  #running = null;

  constructor(visits) {
    this.#visits = visits;
    document.addEventListener('input', event => event.target.matches(FIELD) && this.#typed(event));
    document.addEventListener('focusin', event => event.target.matches(FIELD) && this.#adopt(event.target));
    document.addEventListener('focusout', event => event.target === this.#field && this.#close());
    document.addEventListener('keydown', event => event.target === this.#field && this.#pressed(event));
    document.addEventListener('keydown', focusByKey);
    document.addEventListener('submit', event => event.target.matches('#filters') && this.#close());
  }

  /** The form is replaced by visits, and the list of suggestions with it. */
  #adopt(field) {
    if (this.#field === field) {
      return;
    }
    this.#close();
    this.#field = field;
    this.#list = document.createElement('div');
    this.#list.id = 'suggestions';
    this.#list.hidden = true;
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', sentence('suggestions'));
    // The focus stays in the field.
    this.#list.addEventListener('pointerdown', event => event.preventDefault());
    this.#list.addEventListener('click', event => {
      const index = this.#options.findIndex(({ element }) => element.contains(event.target));
      if (index >= 0) {
        this.#choose(this.#options[index].suggestion);
      }
    });
    field.closest('label').after(this.#list);
    const attributes = { role: 'combobox', autocomplete: 'off', 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': this.#list.id };
    Object.entries(attributes).forEach(([name, value]) => field.setAttribute(name, value));
  }

  #typed(event) {
    this.#adopt(event.target);
    clearTimeout(this.#planned);
    this.#running?.abort();
    if (this.#field.value.trim().length < MIN_LENGTH) {
      this.#close();
    } else if (!event.isComposing) {
      this.#planned = setTimeout(async () => this.#show(await this.#ask()), SUGGEST_PAUSE);
    }
  }

  /** The suggestions for the text of the field; null if another request replaces this one. */
  async #ask() {
    this.#running?.abort();
    const own = this.#running = new AbortController();
    const url = new URL('suggest/', PAGES);
    url.search = this.#listWithout('search', 'p').search;
    url.searchParams.set('q', this.#field.value.trim());
    try {
      const response = await request(url, 'application/json', own.signal);
      const { suggestions } = response.ok ? await response.json() : { suggestions: [] };
      return own.signal.aborted ? null : suggestions.filter(({ kind }) => this.#isOfList || PLACES.includes(kind));
    } catch (error) {
      // Without the network there are no suggestions.
      if (error instanceof TokenRefused) {
        this.#visits.showPublicView();
      }
      return null;
    }
  }

  #show(suggestions) {
    if (!suggestions || document.activeElement !== this.#field) {
      return;
    }
    this.#close();
    const groups = new Map();
    suggestions.forEach((suggestion, i) => {
      const name = nameOfSuggestions(suggestion.kind);
      if (!groups.has(name)) {
        groups.set(name, groupNamed(name));
      }
      const element = optionOf(suggestion, i);
      groups.get(name).append(element);
      this.#options.push({ element, suggestion });
    });
    this.#list.replaceChildren(...groups.values());
    this.#list.hidden = suggestions.length === 0;
    this.#field.setAttribute('aria-expanded', String(suggestions.length > 0));
  }

  #close() {
    clearTimeout(this.#planned);
    this.#options = [];
    this.#active = -1;
    if (this.#list) {
      this.#list.hidden = true;
      this.#list.replaceChildren();
      this.#field.setAttribute('aria-expanded', 'false');
      this.#field.removeAttribute('aria-activedescendant');
    }
  }

  #pressed(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const isOpen = this.#options.length > 0;
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      this.#move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      this.#close();
    } else if (event.key === 'Enter' && this.#active >= 0) {
      event.preventDefault();
      this.#choose(this.#options[this.#active].suggestion);
    } else if (event.key === 'Enter' && (!this.#isOfList || COORDINATES.test(this.#field.value.trim()))) {
      event.preventDefault();
      this.#goToPlace(this.#field.form);
    }
  }

  /** Moves the active option. Before the first and behind the last one, the field itself is active. */
  #move(step) {
    this.#options[this.#active]?.element.removeAttribute('aria-selected');
    const places = this.#options.length + 1;
    this.#active = (this.#active + 1 + step + places) % places - 1;
    const active = this.#options[this.#active]?.element;
    if (active) {
      active.setAttribute('aria-selected', 'true');
      active.scrollIntoView({ block: 'nearest' });
      this.#field.setAttribute('aria-activedescendant', active.id);
    } else {
      this.#field.removeAttribute('aria-activedescendant');
    }
  }

  /** Goes to coordinates, on the map of the form also to the first place. */
  async #goToPlace(form) {
    clearTimeout(this.#planned);
    const place = (await this.#ask())?.find(({ kind }) => !this.#isOfList || kind === 'coordinates');
    if (place) {
      this.#choose(place);
    } else if (this.#isOfList) {
      form.requestSubmit();
    }
  }

  get #isOfList() {
    return this.#field.form.matches('#filters');
  }

  /**
   * The address of the list without some parameters. The form does not have the box of a place that the reader has only typed,
   * to which the address of the page has led.
   */
  #listWithout(...names) {
    const url = this.#isOfList ? addressOf(this.#field.form) : new URL(PAGES);
    names.forEach(name => url.searchParams.delete(name));
    return url;
  }

  /** Visits the list with the suggested filter, or the dataset. The map of the form goes to the place. */
  #choose({ kind, text, parameter, value }) {
    this.#close();
    if (!this.#isOfList) {
      this.#field.value = text;
      this.#field.dispatchEvent(new CustomEvent('place', { bubbles: true, detail: value }));
      return;
    }
    if (parameter === 'id') {
      this.#visits.visit(new URL(`${value}/`, PAGES));
      return;
    }
    const url = this.#listWithout('search', 'p', parameter, ...parameter === 'in_bbox' ? ['place', 'intersects'] : []);
    if (parameter === 'in_bbox') {
      // The search parameters write a comma as %2C, which people cannot read.
      url.search += `${url.search ? '&' : '?'}in_bbox=${value}`;
      url.search += kind === 'place' ? `&place=${encodeURIComponent(text)}` : '';
    } else {
      url.searchParams.set(parameter, value);
    }
    this.#visits.visit(url);
  }
}

function groupNamed(name) {
  const group = document.createElement('div');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', name);
  const title = document.createElement('span');
  title.className = 'title';
  title.setAttribute('aria-hidden', 'true');
  title.textContent = name;
  group.append(title);
  return group;
}

function optionOf({ text, detail, count }, index) {
  const option = document.createElement('div');
  option.id = `suggestion-${index}`;
  option.setAttribute('role', 'option');
  const name = document.createElement('span');
  name.dir = 'auto';
  name.textContent = text;
  const more = document.createElement('span');
  more.className = 'detail';
  more.textContent = detail ?? (Number.isFinite(count) ? numberInWords(count) : '');
  option.append(name, ' ', more);
  return option;
}

/** A slash leads to the field, unless the reader types text. */
function focusByKey(event) {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable], dialog');
  const field = document.querySelector(FIELD);
  if (event.key === '/' && !event.ctrlKey && !event.altKey && !event.metaKey && !isTyping && field) {
    event.preventDefault();
    field.focus();
    field.select();
  }
}

export function suggestWhileTyping(visits) {
  return new Search(visits);
}
