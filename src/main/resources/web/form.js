/** The form in which an owner creates, changes and deletes a dataset. */

import { chooseVersions, labelOf } from './conflict.js';
import { COLLECTION, OtherSide, randomKey, sidesOf } from './sides.js';
import { LocationMap } from './place.js';
import { Picture } from './picture.js';
import { say } from './sentences.js';
import { ROOT, TokenRefused, request } from './session.js';
import { offerDeletion, restore } from './unlisted.js';
import {
  askToSignIn, bodyOf, check, differing, explain, fill, fillLocation, pick, read, refusalOf, showError, showErrors, text,
  valuesInForm, valuesOf,
} from './values.js';

const JSON_TYPE = 'application/json';
const PAGES = new URL('datasets/', ROOT);
/** So often a save takes over what others have changed in the meantime, without asking the reader. */
const MOST_CONFLICTS = 5;
/** A write with the newest tag that is refused as outdated would be refused again. */
const hasTag = (newest, tag) => newest.headers.get('ETag') === tag;

/** The response to a request of the API. Without a body and a method it only reads. */
function call(url, method = 'GET', body = null, headers = {}) {
  return request(url, JSON_TYPE, null, { method, body, headers: body ? { ...headers, 'Content-Type': JSON_TYPE } : headers });
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
  #otherSide = new OtherSide(call);
  /** A sentence about changes of others that a save has taken over. */
  #taken = '';
  #isSaving = false;

  constructor(form, visits) {
    this.#form = form;
    this.#visits = visits;
    this.#id = form.dataset.id ?? null;
    this.#picture = new Picture(form.querySelector('[data-field=picture]'),
        () => showError(form, 'picture', this.#picture.refusal));
    const map = form.querySelector('#map');
    if (window.L) {
      this.#map = new LocationMap(map, location => {
        fillLocation(form, location);
        this.#followLocation();
        showError(form, 'location', refusalOf(location));
      });
    }
    const place = form.querySelector('.place');
    place.addEventListener('input', ({ target }) => target.type !== 'search' && this.#followLocation());
    place.addEventListener('place', ({ detail }) => this.#map?.goTo(detail));
    place.querySelector('.sides button').addEventListener('click', () => this.#saveBothSides());
    form.addEventListener('submit', event => {
      event.preventDefault();
      this.#save();
    });
    offerDeletion(form, () => this.#delete());
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
    const sides = sidesOf(location);
    this.#form.querySelector('.sides').hidden = !sides;
    const [south, west, north, east] = location;
    const shown = sides ? [south, west, north, east + 360] : location;
    this.#map?.show(kind.value, !sides && refusalOf(location) ? null : shown);
  }

  // ---- saving -------------------------------------------------------------------------------------

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
        askToSignIn();
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

  async #save() {
    const again = () => this.#save();
    const values = read(this.#form);
    const wrong = check(this.#form, values, this.#id === null ? null : this.#stored);
    if (this.#picture.refusal) {
      wrong.set('picture', this.#picture.refusal);
    }
    if (this.#isSaving || showErrors(this.#form, wrong)) {
      return;
    }
    if (this.#id !== null && !this.isUnsaved()) {
      say(text('unchanged'));
      return;
    }
    await this.#attempt(async () => {
      const isNew = this.#id === null;
      say(text('saving'));
      this.#taken = '';
      const stored = await this.#store(values, again);
      if (stored) {
        this.#stored = stored;
        const done = [text(isNew ? 'created' : 'saved'), this.#otherSide.summary, this.#taken];
        await this.#finish(stored, done.filter(Boolean).join(' '));
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
      showError(this.#form, 'picture', refusal);
      this.#form.querySelector('#field-picture').focus();
    } else if (differing(read(this.#form), stored).length > 0) {
      say(`${summary} ${text('not_yet_saved')}`, () => this.#save(), this.#submit.textContent);
    } else {
      await this.#visits.visit(new URL(`${this.#id}/`, PAGES), { entry: 'replace', summary });
    }
  }

  /**
   * Stores values: creates the dataset, or changes the fields that differ from the stored ones.
   *
   * @param conflicts how often the save has met another writer
   * @return the stored values; null if the service has refused them, which the reader then knows
   */
  async #store(values, again, conflicts = 0) {
    if (this.#id === null && !await this.#create(values, again)) {
      return null;
    }
    const changed = differing(values, this.#stored);
    if (changed.length === 0) {
      return values;
    }
    const response = await call(this.#address, 'PATCH', JSON.stringify(bodyOf(values, changed)), { 'If-Match': this.#tag });
    if (response.status === 412) {
      return this.#resolve(values, again, conflicts + 1);
    }
    if (!response.ok) {
      await explain(this.#form, response, again);
      return null;
    }
    this.#tag = response.headers.get('ETag');
    return values;
  }

  async #saveBothSides() {
    const again = () => this.#saveBothSides();
    const values = read(this.#form);
    const [west, east] = sidesOf(values.location);
    if (showErrors(this.#form, check(this.#form, { ...values, location: west }, this.#stored))) {
      return;
    }
    await this.#attempt(async () => {
      const response = await this.#otherSide.create({ ...values, location: east });
      if (response.status !== 201) {
        await explain(this.#form, response, again);
        return;
      }
      fillLocation(this.#form, west);
      this.#followLocation();
    }, again);
    if (this.#otherSide.isCreated) {
      await this.#save();
    }
  }

  async #create(values, again) {
    this.#creating ??= { key: randomKey(), values };
    const { key, values: sent } = this.#creating;
    const response = await call(COLLECTION, 'POST', JSON.stringify(bodyOf(sent)), { 'Idempotency-Key': key });
    if (response.status !== 201) {
      if (response.status < 500) {
        this.#creating = null;
      }
      await explain(this.#form, response, again);
      return false;
    }
    this.#id = (await response.json()).id;
    this.#tag = response.headers.get('ETag');
    this.#stored = sent;
    this.#creating = null;
    if (this.#form.isConnected) {
      this.#becomeEdit();
    }
    return true;
  }

  /** The form changes the new dataset from now on, also after the page is loaded again. */
  #becomeEdit() {
    const heading = document.querySelector('h1');
    const { headingOfEdit } = this.#form.dataset;
    document.title = document.title.replace(heading.textContent, headingOfEdit);
    heading.textContent = headingOfEdit;
    this.#form.querySelector('.delete').hidden = false;
    this.#visits.rename(new URL(`${this.#id}/edit/`, PAGES));
  }

  /**
   * Another writer was faster: takes over what only the other one has changed, and shows both versions of the fields that both
   * have changed. Stores what the reader chooses.
   */
  async #resolve(values, again, conflicts) {
    const response = await call(this.#address);
    if (!response.ok) {
      await explain(this.#form, response, again);
      return null;
    }
    if (hasTag(response, this.#tag) || conflicts > MOST_CONFLICTS) {
      say(text('unresolved'), again);
      return null;
    }
    const theirs = valuesInForm(this.#form, await response.json());
    const [own, foreign] = [values, theirs].map(each => differing(each, this.#stored));
    const both = differing(values, theirs).filter(name => own.includes(name) && foreign.includes(name));
    const taken = foreign.filter(name => !own.includes(name)).map(name => labelOf(this.#form, name));
    this.#taken = taken.length > 0 ? text('changed_by_others', { names: taken.join('; ') }) : '';
    say('');
    const chosen = both.length === 0 ? {} : await chooseVersions(this.#form, both, this.#taken, values, theirs);
    if (!chosen) {
      return null;
    }
    say(text('saving'));
    const merged = { ...theirs, ...pick(values, own), ...chosen };
    const now = read(this.#form);
    fill(this.#form, { ...merged, ...pick(now, differing(now, values)) });
    this.#followLocation();
    this.#tag = response.headers.get('ETag');
    this.#stored = theirs;
    return this.#store(merged, again, both.length === 0 ? conflicts : 0);
  }

  // ---- deleting -----------------------------------------------------------------------------------

  /** @param tag of the version that the reader has seen */
  async #delete(tag = this.#tag) {
    await this.#attempt(async () => {
      const response = await call(this.#address, 'DELETE', null, { 'If-Match': tag });
      if (response.status === 412) {
        await this.#offerDeletionOfNewest(tag);
      } else if (!response.ok) {
        await explain(this.#form, response, () => this.#delete(tag));
      } else {
        await this.#visits.visit(new URL('?mine=true', PAGES), { entry: 'replace', isSettled: true });
        const link = document.createElement('a');
        [link.href, link.textContent] = [new URL('deleted/', PAGES).href, text('deleted_datasets')];
        say(text('deleted'), () => restore(this.#id, this.#visits, response.headers.get('ETag')), text('undo'), link);
      }
    }, () => this.#delete(tag));
  }

  /** Another writer was faster: the reader decides whether the newest version is deleted. */
  async #offerDeletionOfNewest(refused) {
    const again = () => this.#delete();
    const response = await call(this.#address);
    if (!response.ok) {
      await explain(this.#form, response, again);
      return;
    }
    if (hasTag(response, refused)) {
      say(text('unresolved'), again);
      return;
    }
    const tag = response.headers.get('ETag');
    say(text('changed_before_delete'), () => this.#delete(tag), this.#form.querySelector('.delete').textContent);
  }
}

export function show(form, visits) {
  const editor = new Editor(form, visits);
  visits.keep(editor);
  editor.load();
}
