/** The buttons in the form of a dataset that let the service read what a raster says of itself. */

import { say, sentenceOfJson } from './sentences.js';
import { COLLECTION } from './sides.js';
import { TokenRefused, request } from './session.js';
import { text } from './values.js';

/** Reads the location that is stored, without the tag of the form: the next save takes over what has changed. */
async function read(id, raster, input) {
  say(text('reading'));
  try {
    const response = await request(new URL(`${id}/raster/${raster}`, COLLECTION), 'application/json', null, { method: 'POST' });
    const json = await response.json();
    if (response.status === 404) {
      say(text('no_raster'));
    } else if (!response.ok) {
      say(text('refused', { reason: sentenceOfJson(json) }));
    } else if ((json.rasters?.[raster] ?? '') !== input.value.trim()) {
      say(text('save_first'));
    } else {
      const header = json.raster_headers[raster];
      const [rows, columns] = header['proj:shape'];
      say(text(header.is_cog ? 'raster_read' : 'raster_is_no_cog', { columns, rows }));
    }
  } catch (error) {
    if (!(error instanceof TokenRefused || error instanceof TypeError)) {
      throw error;
    }
    say(text(error instanceof TypeError ? 'offline' : 'sign_in_again'));
  }
}

export function show(part) {
  const { id } = part.closest('form').dataset;
  part.querySelectorAll('[data-raster]').forEach(button => button.addEventListener(
      'click', () => read(id, button.dataset.raster, part.querySelector(`[name=raster_${button.dataset.raster}]`))));
}
