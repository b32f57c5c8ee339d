/** The form in which an owner creates, changes and deletes a dataset. */

import { chooseVersions } from './conflict.js';
import { LocationMap } from './draw.js';
import { Picture } from './picture.js';
import { say, sentence, sentenceOfJson } from './sentences.js';
import { ROOT, TokenRefused, request } from './session.js';
import { restore } from './unlisted.js';
import { bodyOf, check, differing, fill, fillLocation, read, refusalOf, text, valuesOf } from './values.js';

const JSON_TYPE = 'application/json';
const COLLECTION = new URL('api/dataset/', ROOT);
const PAGES = new URL('datasets/', ROOT);

export function show(form, visits) {
  const editor = new Editor(form, visits);
  visits.keep(editor);
  editor.load();
}

/** The response to a request of the API. Without a body and a method it only reads. */
function call(url, method = 'GET', body = null, headers = {}) {
  return request(url, JSON_TYPE, null, { method, body, headers: body ? { ...headers, 'Content-Type': JSON_TYPE } : headers });
}

/** Also browsers that show the page from an address without TLS have these numbers. */
function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

class Editor {

  #form;
  #visits;
  #map = null;
  #picture;
  /** Null for a dataset that is not created yet. */
  #id;
  /** The tag of the version that is stored, and its values. */
  #tag = null;
  #stored = null;
  /** A create whose outcome is not known: {key, values}. It is sent again as it was, because the key stands for one dataset. */
  #creating = null;
  #isSaving = false;

  constructor(form, visits) {
    this.#form = form;
    this.#visits = visits;
    this.#id = form.dataset.id ?? null;
    this.#picture = new Picture(form.querySelector('[data-field=picture]'), () => this.#show('picture', this.#picture.refusal));
    const map = form.querySelector('#map');
    if (window.L) {
      this.#map = new LocationMap(map, location => {
        fillLocation(form, location);
        this.#followLocation();
        this.#show('location', refusalOf(location));
      });
    }
    const place = form.querySelector('.place');
    place.addEventListener('input', () => this.#followLocation());
    form.addEventListener('submit', event => {
      event.preventDefault();
      this.#save();
    });
    this.#offerDeletion();
    const warn = event => {
      if (!form.isConnected) {
        removeEventListener('beforeunload', warn);
      } else if (this.isUnsaved()) {
        event.preventDefault();
      }
    };
    addEventListener('beforeunload', warn);
  }

  // ---- what the visits ask ------------------------------------------------------------------------

  isUnsaved() {
    return this.#stored !== null && (this.#picture.file !== null || differing(read(this.#form), this.#stored).length > 0);
  }

  mayBeLost() {
    return window.confirm(text('leave'));
  }

  resume(summary) {
    say(summary ?? '', () => this.#save(), this.#submit.textContent);
  }

  get #submit() {
    return this.#form.querySelector('[type=submit]');
  }

  get #address() {
    return new URL(`${this.#id}/`, COLLECTION);
  }

  // ---- reading ------------------------------------------------------------------------------------

  /** Shows the stored values. The controls wait for them. */
  async load() {
    this.#form.inert = true;
    try {
      if (this.#id !== null) {
        const response = await call(this.#address);
        if (!response.ok) {
          throw new Error(response.status);
        }
        fill(this.#form, valuesOf(await response.json()));
        this.#tag = response.headers.get('ETag');
      }
      this.#stored = read(this.#form);
      this.#followLocation();
      this.#form.inert = false;
      this.#form.removeAttribute('aria-busy');
    } catch (error) {
      if (error instanceof TokenRefused) {
        this.#visits.showPublicView();
      } else {
        say(text('loading_failed'), () => this.load());
      }
    }
  }

  /** Shows the fields of the kind of location, and the location on the map. */
  #followLocation() {
    const { kind } = this.#form.elements;
    this.#form.querySelectorAll('.numbers').forEach(part => {
      part.hidden = part.dataset.kind !== kind.value;
    });
    const hint = this.#form.querySelector('#hint-of-map');
    hint.hidden = kind.value === 'none' || !this.#map;
    hint.textContent = hint.hidden ? '' : text(`hint_of_${kind.value}`);
    const { location } = read(this.#form);
    this.#map?.show(kind.value, refusalOf(location) ? null : location);
  }

  // ---- errors at the fields -----------------------------------------------------------------------

  /** Shows a sentence at a field; null for none. A part of it may be English, as the service writes it. */
  #show(name, sentenceOfField, english = '') {
    const part = this.#form.querySelector(`[data-field=${name}]`);
    const place = part.querySelector('.error');
    place.textContent = sentenceOfField ?? '';
    if (english) {
      const original = document.createElement('span');
      [original.lang, original.dir, original.textContent] = ['en', 'ltr', english];
      place.append(' ', original);
    }
    part.querySelectorAll('input, textarea').forEach(field => {
      if (sentenceOfField) {
        field.setAttribute('aria-invalid', 'true');
      } else {
        field.removeAttribute('aria-invalid');
      }
    });
  }

  /** Shows all errors, and moves the focus to the first one. Returns whether there are any. */
  #showAll(wrong) {
    this.#form.querySelectorAll('[data-field]:has(.error)').forEach(({ dataset: { field } }) => {
      const [sentenceOfField, english] = [wrong.get(field) ?? null].flat();
      this.#show(field, sentenceOfField, english);
    });
    const first = [...this.#form.querySelectorAll('[aria-invalid]')].find(field => field.offsetParent);
    if (wrong.size > 0) {
      say(text('wrong'));
      first?.focus();
    }
    return wrong.size > 0;
  }

  /** Shows what the service has refused. Errors of no field are a sentence of the page. */
  #showRefused(json) {
    const wrong = new Map();
    const others = {};
    for (const [name, reasons] of Object.entries(json)) {
      const field = ['bbox', 'coordinates'].includes(name) ? 'location' : name;
      // The errors of a list have the index of its item as their name.
      const english = typeof reasons === 'string' ? reasons : Object.values(reasons).flat().join(' ');
      if (this.#form.querySelector(`[data-field="${CSS.escape(field)}"] .error`)) {
        wrong.set(field, [text('refused_value'), english]);
      } else {
        others[name] = english;
      }
    }
    if (!this.#showAll(wrong)) {
      say(text('refused', { reason: sentenceOfJson(others) }));
    }
  }

  /** Says why something was not possible. Nothing that the reader has written is lost. */
  async #explain(response, again) {
    const json = await response.json().catch(() => ({}));
    const { status } = response;
    if (status === 400) {
      this.#showRefused(json);
    } else if (status === 401) {
      this.#askToSignIn();
    } else if (status === 403) {
      say(text('not_allowed'));
    } else if (status === 404) {
      say(text('gone'));
    } else if (status === 429) {
      say(text('too_often', { seconds: response.headers.get('Retry-After') ?? 1 }), again);
    } else if (status >= 500) {
      say(text('busy'), again);
    } else {
      say(text('refused', { reason: sentenceOfJson(json) }));
    }
  }

  #askToSignIn() {
    say(text('sign_in_again'), () => document.getElementById('sign-in').click(), sentence('sign_in'));
  }

  /** Runs one piece of work that needs the service. */
  async #attempt(work, again) {
    if (this.#isSaving) {
      return;
    }
    this.#isSaving = true;
    this.#form.setAttribute('aria-busy', 'true');
    try {
      await work();
    } catch (error) {
      if (error instanceof TokenRefused) {
        this.#askToSignIn();
      } else if (error instanceof TypeError) {
        say(text('offline'), again);
      } else {
        throw error;
      }
    } finally {
      this.#isSaving = false;
      this.#form.removeAttribute('aria-busy');
    }
  }

  // ---- saving -------------------------------------------------------------------------------------

  async #save() {
    const again = () => this.#save();
    const values = read(this.#form);
    const wrong = check(this.#form, values, this.#id === null ? null : this.#stored);
    if (this.#picture.refusal) {
      wrong.set('picture', this.#picture.refusal);
    }
    if (this.#isSaving || this.#showAll(wrong)) {
      return;
    }
    if (this.#id !== null && !this.isUnsaved()) {
      say(text('unchanged'));
      return;
    }
    await this.#attempt(async () => {
      const isNew = this.#id === null;
      say(text('saving'));
      const stored = await this.#store(values, again);
      if (stored) {
        this.#stored = stored;
        await this.#finish(stored, text(isNew ? 'created' : 'saved'));
      }
    }, again);
  }

  /** Sends the picture, and leads to the page of the dataset, unless the reader has gone on writing. */
  async #finish(stored, summary) {
    const refusal = await this.#picture.send(new URL('thumbnail/', this.#address), tag => {
      this.#tag = tag;
    });
    if (refusal) {
      say(refusal);
      this.#show('picture', refusal);
      this.#form.querySelector('#field-picture').focus();
    } else if (differing(read(this.#form), stored).length > 0) {
      say(summary);
    } else {
      await this.#visits.visit(new URL(`${this.#id}/`, PAGES), { entry: 'replace', summary });
    }
  }

  /**
   * Stores values: creates the dataset, or changes the fields that differ from the stored ones.
   *
   * @return the stored values; null if the service has refused them, which the reader then knows
   */
  async #store(values, again) {
    if (this.#id === null && !await this.#create(values, again)) {
      return null;
    }
    const changed = differing(values, this.#stored);
    if (changed.length === 0) {
      return values;
    }
    const response = await call(this.#address, 'PATCH', JSON.stringify(bodyOf(values, changed)), { 'If-Match': this.#tag });
    if (response.status === 412) {
      return this.#resolve(values, again);
    }
    if (!response.ok) {
      await this.#explain(response, again);
      return null;
    }
    this.#tag = response.headers.get('ETag');
    return values;
  }

  async #create(values, again) {
    this.#creating ??= { key: randomKey(), values };
    const { key, values: sent } = this.#creating;
    const response = await call(COLLECTION, 'POST', JSON.stringify(bodyOf(sent)), { 'Idempotency-Key': key });
    if (response.status !== 201) {
      if (response.status < 500) {
        this.#creating = null;
      }
      await this.#explain(response, again);
      return false;
    }
    this.#id = (await response.json()).id;
    this.#tag = response.headers.get('ETag');
    this.#stored = sent;
    this.#creating = null;
    return true;
  }

  /** Another writer was faster: shows both versions, and stores what the reader chooses. */
  async #resolve(values, again) {
    const response = await call(this.#address);
    if (!response.ok) {
      await this.#explain(response, again);
      return null;
    }
    const theirs = valuesOf(await response.json());
    const names = differing(values, theirs);
    const chosen = names.length === 0 ? values : await chooseVersions(this.#form, names, values, theirs, this.#stored);
    if (!chosen) {
      say('');
      return null;
    }
    fill(this.#form, chosen);
    this.#followLocation();
    this.#tag = response.headers.get('ETag');
    this.#stored = theirs;
    return this.#store(chosen, again);
  }

  // ---- deleting -----------------------------------------------------------------------------------

  #offerDeletion() {
    const dialog = document.getElementById('deletion');
    this.#form.querySelector('.delete')?.addEventListener('click', () => {
      dialog.returnValue = '';
      dialog.showModal();
    });
    dialog?.querySelector('.cancel').addEventListener('click', () => dialog.close());
    dialog?.addEventListener('close', () => {
      if (dialog.returnValue === 'delete') {
        this.#delete();
      }
    });
  }

  async #delete() {
    const again = () => this.#delete();
    await this.#attempt(async () => {
      const response = await call(this.#address, 'DELETE');
      if (!response.ok) {
        await this.#explain(response, again);
        return;
      }
      await this.#visits.visit(new URL('?mine=true', PAGES), { entry: 'replace', isSettled: true });
      say(text('deleted'), () => restore(this.#id, this.#visits), text('undo'));
    }, again);
  }
}
