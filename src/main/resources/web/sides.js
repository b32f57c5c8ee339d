/** Two datasets for a box that crosses the antimeridian, which the API does not accept: one on each side. */

import { ROOT } from './session.js';
import { bodyOf, refusalOf, text } from './values.js';

export const COLLECTION = new URL('api/dataset/', ROOT);

/** Also browsers that show the page from an address without TLS have these numbers. */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The parts west and east of the antimeridian of a box that crosses it, or null. */
export function sidesOf(location) {
  const [south, west, north, east] = location;
  const crosses = location.length === 4 && west > east && !refusalOf([south, -180, north, 180])
      && !refusalOf([south, west, north, 180]) && !refusalOf([south, -180, north, east]);
  return crosses ? [[south, west, north, 180], [south, -180, north, east]] : null;
}

/** The dataset of the eastern part. The form itself writes that of the western part. */
export class OtherSide {

  #call;
  /** A request whose outcome is not known. It is sent again as it was, because the key stands for one dataset. */
  #sent = null;
  isCreated = false;

  /** @param call sends a request to the API */
  constructor(call) {
    this.#call = call;
  }

  /** A sentence about the dataset, if there is one. */
  get summary() {
    return this.isCreated ? text('other_side') : '';
  }

  /** Creates the dataset. Returns the response. */
  async create(values) {
    this.#sent ??= { key: randomKey(), body: JSON.stringify(bodyOf(values)) };
    const { key, body } = this.#sent;
    const response = await this.#call(COLLECTION, 'POST', body, { 'Idempotency-Key': key });
    if (response.status < 500) {
      this.#sent = null;
    }
    this.isCreated = response.status === 201;
    return response;
  }
}
