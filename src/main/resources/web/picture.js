/** The picture of a dataset: chosen or dropped in the form, and sent to the service with progress. */

import { numberInWords } from './sentences.js';
import { TokenRefused, credentials, forget } from './session.js';
import { text } from './values.js';

/** In place of a status. */
const CANCELLED = -1;

function megabytes(bytes) {
  return numberInWords(bytes / 2 ** 20, { maximumFractionDigits: 1 });
}

export class Picture {

  /** The file that is chosen and not sent, or null. */
  file = null;
  /** Why the file cannot be sent, or null. */
  refusal = null;

  #part;
  #input;
  #onChange;

  /**
   * @param part the element with the field
   * @param onChange called after a choice
   */
  constructor(part, onChange) {
    this.#part = part;
    this.#input = part.querySelector('input');
    this.#onChange = onChange;
    this.#input.addEventListener('change', () => this.#choose(this.#input.files[0]));
    part.querySelector('.chosen button').addEventListener('click', () => {
      this.#choose(null);
      this.#input.focus();
    });
    for (const type of ['dragover', 'dragleave', 'drop']) {
      part.addEventListener(type, event => {
        event.preventDefault();
        part.classList.toggle('over', type === 'dragover');
      });
    }
    part.addEventListener('drop', ({ dataTransfer }) => this.#choose(dataTransfer.files[0]));
  }

  #choose(file) {
    const { accept, dataset } = this.#input;
    this.file = file ?? null;
    this.refusal = null;
    if (file && !accept.split(',').includes(file.type)) {
      this.refusal = text('picture_wrong_type');
    } else if (file?.size > dataset.maxSize) {
      this.refusal = text('picture_too_large', { size: megabytes(file.size), limit: megabytes(dataset.maxSize) });
    }
    const chosen = this.#part.querySelector('.chosen');
    chosen.hidden = !file;
    if (file) {
      chosen.querySelector('span').textContent = text('picture_chosen', { name: file.name, size: megabytes(file.size) });
    } else {
      this.#input.value = '';
    }
    this.#onChange();
  }

  /**
   * Sends the file, if there is one.
   *
   * @param onStored called with the tag of the dataset that has the picture
   * @return why the service does not have the picture; null if it has
   */
  async send(url, onStored) {
    if (!this.file) {
      return null;
    }
    const progress = this.#part.querySelector('.progress');
    const [bar, cancel] = [progress.querySelector('progress'), progress.querySelector('button')];
    progress.hidden = false;
    bar.value = 0;
    try {
      const { status, tag } = await upload(url, this.file, await credentials(), part => {
        bar.value = part;
      }, cancel);
      if (status === 401) {
        forget();
        throw new TokenRefused();
      }
      if (status !== 200) {
        return text({ [CANCELLED]: 'picture_cancelled', 415: 'picture_wrong_type' }[status] ?? 'picture_failed');
      }
      onStored(tag);
      this.#choose(null);
      return null;
    } finally {
      progress.hidden = true;
    }
  }
}

/** Only this older interface tells how much of a body is sent. */
function upload(url, file, authorization, onProgress, cancel) {
  return new Promise(resolve => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', url);
    sending.setRequestHeader('Accept', 'application/json');
    if (authorization) {
      sending.setRequestHeader('Authorization', authorization);
    }
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    sending.addEventListener('load', () => resolve({ status: sending.status, tag: sending.getResponseHeader('ETag') }));
    sending.addEventListener('error', () => resolve({ status: 0 }));
    sending.addEventListener('abort', () => resolve({ status: CANCELLED }));
    cancel.addEventListener('click', () => sending.abort(), { once: true });
    sending.send(file);
  });
}
