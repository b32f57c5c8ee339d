/** The dialog in which an admin renames, disables or erases an account, and hands its datasets over. */

import { say, sentenceOfJson } from './sentences.js';
import { ROOT } from './session.js';

const ACCOUNTS = new URL('api/account/', ROOT);

/** What each button asks the service for. */
const ACTIONS = {
  rename: form => ({ method: 'PATCH', path: '', values: { username: form.elements.username.value.trim() } }),
  disable: () => ({ method: 'PATCH', path: '', values: { disabled: true } }),
  enable: () => ({ method: 'PATCH', path: '', values: { disabled: false } }),
  handover: form => ({ method: 'POST', path: 'handover/', values: { to: Number(form.elements.to.value) } }),
  erase: () => ({ method: 'POST', path: 'erase/', values: {} }),
};

export class AccountDialog {

  #dialog;
  #form;
  #access;
  #account;
  /** The action that the admin may confirm after its question. */
  #asked = null;

  /**
   * @param dialog the element
   * @param access `call` and `jsonOf` ask the service, `attempt` runs work that needs it, `changed` follows a change
   */
  constructor(dialog, access) {
    this.#dialog = dialog;
    this.#form = dialog.querySelector('form');
    this.#access = access;
    this.#form.addEventListener('submit', event => event.preventDefault());
    dialog.querySelector('.cancel').addEventListener('click', () => dialog.close());
    dialog.querySelectorAll('[data-action]').forEach(button => {
      button.addEventListener('click', () => this.#choose(button));
    });
    dialog.querySelector('.confirm').addEventListener('click', () => this.#send(this.#asked));
  }

  open(account) {
    return this.#access.attempt(async () => {
      const response = await this.#access.call(new URL(`${account.id}/`, ACCOUNTS));
      const json = await this.#access.jsonOf(response);
      if (!response.ok) {
        say(sentenceOfJson(json));
        return;
      }
      this.#account = json;
      this.#form.reset();
      this.#explain('');
      this.#ask(null);
      this.#dialog.querySelector('.name').textContent = json.username;
      this.#dialog.querySelector('.is-disabled').hidden = !json.disabled;
      this.#dialog.querySelectorAll('[data-shown]').forEach(part => {
        part.hidden = part.dataset.shown !== (json.disabled ? 'disabled' : 'enabled');
      });
      this.#form.elements.username.value = json.username;
      this.#dialog.showModal();
      this.#form.elements.username.focus();
    });
  }

  /** A button with a question does its work after the admin has confirmed it. */
  #choose(button) {
    this.#explain('');
    if (button.dataset.question) {
      this.#ask(button);
    } else {
      this.#send(button.dataset.action);
    }
  }

  #ask(button) {
    const part = this.#dialog.querySelector('.question');
    this.#asked = button?.dataset.action ?? null;
    part.hidden = !button;
    if (button) {
      part.querySelector('p').textContent = button.dataset.question;
      part.querySelector('.confirm').textContent = button.textContent;
      part.querySelector('.confirm').focus();
    }
  }

  #send(name) {
    const { method, path, values } = ACTIONS[name](this.#form);
    return this.#access.attempt(async () => {
      const response = await this.#access.call(new URL(`${this.#account.id}/${path}`, ACCOUNTS), method, values);
      if (response.ok) {
        this.#dialog.close();
        await this.#access.changed(name);
      } else {
        this.#ask(null);
        this.#explain(sentenceOfJson(await this.#access.jsonOf(response)));
      }
    });
  }

  /** The notice of the page lies behind the dialog. */
  #explain(reason) {
    this.#dialog.querySelector('.error').textContent = reason;
  }
}
