/** The tables of tokens and accounts, and the forms that make new ones. */

import { AccountDialog } from './accounts.js';
import { format } from './formats.js';
import { say, sentence, sentenceOfJson } from './sentences.js';
import { ROOT, TokenRefused, request } from './session.js';

const JSON_TYPE = 'application/json';
const TOKENS = new URL('api/token/', ROOT);
const PAGE_SIZE = 100;

/** The response to a request of the API. */
function call(url, method = 'GET', values = null) {
  return request(url, JSON_TYPE, null, values
    ? { method, body: JSON.stringify(values), headers: { 'Content-Type': JSON_TYPE } }
    : { method });
}

/** The body of a response. An error of a proxy before the service is no JSON. */
function jsonOf(response) {
  return response.json().catch(() => ({ detail: sentence('answers_error') }));
}

/** The value of a cell of an item of a list. */
function valueOf(item, name) {
  switch (name) {
    case 'name':
      return item.name || `#${item.id}`;
    case 'state':
      return item.revoked ? 'revoked' : item.expires && Date.parse(item.expires) <= Date.now() ? 'expired' : 'valid';
    case 'workspaces':
      return item.workspaces?.join(', ') ?? null;
    default:
      return item[name];
  }
}

/** Shows the part of a cell that stands for a value, or else the value in the part that stands for all others. */
function fill(cell, value) {
  const parts = [...cell.children];
  const part = parts.find(each => each.dataset.value === String(value)) ?? parts.find(each => !('value' in each.dataset));
  if (part.localName === 'time') {
    part.dateTime = value;
  } else if (!('value' in part.dataset)) {
    part.textContent = value;
  }
  cell.replaceChildren(part);
}

/** The values of a form, without those that are left blank. */
function valuesOf(form) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, value.trim()]);
  const values = Object.fromEntries(fields.filter(([, value]) => value));
  if (values.user) {
    values.user = Number(values.user);
  }
  if (values.workspaces) {
    values.workspaces = values.workspaces.split(/[\s,]+/).filter(Boolean).map(Number);
  }
  if (values.expires) {
    values.expires = new Date(values.expires).toISOString();
  }
  return values;
}

class Access {

  #part;
  #visits;
  #form;
  #table;
  #list;
  #page = 1;
  #isBusy = false;
  /** The token that the reader may revoke after the question. */
  #asked = null;
  /** Null on the page of tokens. */
  #accounts = null;

  constructor(part, visits) {
    this.#part = part;
    this.#visits = visits;
    this.#form = part.querySelector('form');
    this.#table = part.querySelector('table');
    this.#list = new URL(part.dataset.list, ROOT);
    this.#form.addEventListener('submit', event => {
      event.preventDefault();
      this.#attempt(() => this.#create());
    });
    for (const [name, step] of [['previous', -1], ['next', 1]]) {
      part.querySelector(`.${name}`).addEventListener('click', () => {
        this.#attempt(() => this.#read(this.#page + step)).then(() => this.#table.focus());
      });
    }
    const dialog = part.querySelector('dialog');
    if (dialog?.classList.contains('of-account')) {
      this.#accounts = new AccountDialog(dialog, {
        call, jsonOf, attempt: work => this.#attempt(work), changed: name => this.#showChange(name),
      });
    } else {
      this.#offerRevocation(dialog);
    }
  }

  load() {
    return this.#attempt(() => this.#read(this.#page), () => this.load());
  }

  #word(name) {
    return this.#part.querySelector('.words').content.querySelector(`[data-word=${name}]`).textContent;
  }

  /**
   * Runs one piece of work that needs the service.
   *
   * @param again what the reader may do if the service cannot be reached; null if that would do something twice
   */
  async #attempt(work, again = null) {
    if (this.#isBusy) {
      return;
    }
    this.#isBusy = true;
    this.#part.setAttribute('aria-busy', 'true');
    try {
      await work();
    } catch (error) {
      if (error instanceof TokenRefused) {
        this.#visits.showPublicView();
      } else if (error instanceof TypeError) {
        say(sentence('unreachable'), again);
      } else {
        throw error;
      }
    } finally {
      this.#isBusy = false;
      this.#part.removeAttribute('aria-busy');
    }
  }

  /** Shows a page of the list. */
  async #read(page) {
    const url = new URL(this.#list);
    url.search = new URLSearchParams({ p: page, page_size: PAGE_SIZE });
    const response = await call(url);
    const json = await jsonOf(response);
    if (!response.ok) {
      say(sentenceOfJson(json));
      return;
    }
    const body = this.#table.tBodies[0];
    body.replaceChildren(...json.results.map(item => this.#row(item)));
    format(body);
    this.#page = page === 'last' ? Math.max(1, Math.ceil(json.count / PAGE_SIZE)) : page;
    const pages = this.#part.querySelector('.pages-of-table');
    pages.hidden = !json.next && !json.previous;
    pages.querySelector('.previous').disabled = !json.previous;
    pages.querySelector('.next').disabled = !json.next;
  }

  #row(item) {
    const row = this.#part.querySelector('.row').content.firstElementChild.cloneNode(true);
    const name = row.querySelector('th').dataset.cell;
    row.querySelectorAll('[data-cell]').forEach(cell => fill(cell, valueOf(item, cell.dataset.cell)));
    const manage = row.querySelector('.manage');
    manage?.setAttribute('aria-label', `${manage.textContent}: ${valueOf(item, name)}`);
    manage?.addEventListener('click', () => this.#accounts.open(item));
    const action = row.querySelector('a, button');
    action.setAttribute('aria-label', `${action.textContent}: ${valueOf(item, name)}`);
    if (action.href) {
      action.href += item.id;
    } else if (valueOf(item, 'state') !== 'valid') {
      row.classList.add('over');
      action.remove();
    } else {
      action.addEventListener('click', () => this.#ask(item));
    }
    return row;
  }

  // ---- new ones -----------------------------------------------------------------------------------

  async #create() {
    say('');
    this.#showErrors({});
    this.#part.querySelector('.new-key').replaceChildren();
    const { username, ...values } = valuesOf(this.#form);
    if (username) {
      const account = await this.#post(this.#list, { username });
      if (!account) {
        return;
      }
      say(this.#word('created'));
      values.user = account.id;
    }
    const token = values.right ? await this.#post(TOKENS, values) : null;
    if (token || !values.right) {
      this.#form.reset();
    }
    await this.#read('last');
    if (token) {
      this.#showKey(token.key);
    }
  }

  /** Creates something. Shows why, and returns null, if the service refuses it. */
  async #post(url, values) {
    const response = await call(url, 'POST', values);
    const json = await jsonOf(response);
    if (response.ok) {
      return json;
    }
    if (!(response.status === 400 && this.#showErrors(json))) {
      say(sentenceOfJson(json));
    }
    return null;
  }

  /** Shows what the service says about fields, in English. Returns whether it names a field of the form. */
  #showErrors(json) {
    this.#form.querySelectorAll('[data-field]').forEach(part => {
      const reasons = json[part.dataset.field];
      const [field, place] = [part.querySelector('input, select'), part.querySelector('.error')];
      place.textContent = reasons ? [reasons].flat().join(' ') : '';
      place.lang = 'en';
      field.ariaInvalid = reasons ? 'true' : null;
    });
    const first = this.#form.querySelector('[aria-invalid]');
    first?.focus();
    return Boolean(first);
  }

  /** Only this response has the key. It leaves the page with the content. */
  #showKey(key) {
    const place = this.#part.querySelector('.new-key');
    place.replaceChildren(this.#part.querySelector('template.key').content.cloneNode(true));
    place.querySelector('code').textContent = key;
    place.querySelector('button').dataset.copy = key;
    format(place);
    place.querySelector('section').focus();
  }

  // ---- revoking -----------------------------------------------------------------------------------

  #offerRevocation(dialog) {
    dialog.querySelector('.cancel').addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      if (dialog.returnValue === 'revoke') {
        const { id } = this.#asked;
        this.#attempt(() => this.#revoke(id), () => this.#attempt(() => this.#revoke(id)));
      }
    });
  }

  #ask(token) {
    const dialog = this.#part.querySelector('dialog');
    this.#asked = token;
    dialog.querySelector('.name').textContent = valueOf(token, 'name');
    dialog.querySelector('.of-reader').hidden = this.#part.dataset.token !== String(token.id);
    dialog.returnValue = '';
    dialog.showModal();
    dialog.querySelector('.cancel').focus();
  }

  async #revoke(id) {
    const response = await call(new URL(`${id}/`, TOKENS), 'DELETE');
    if (!response.ok) {
      say(sentenceOfJson(await jsonOf(response)));
      return;
    }
    await this.#showChange('revoked');
  }

  async #showChange(word) {
    say(this.#word(word));
    await this.#read(this.#page);
    this.#table.focus();
  }
}

export function show(part, visits) {
  new Access(part, visits).load();
}
