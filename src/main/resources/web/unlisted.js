/** The drafts and the deleted datasets of an owner, which no listing contains. */

import { format } from './formats.js';
import { say, sentence } from './sentences.js';
import { ROOT, TokenRefused, request } from './session.js';
import { text } from './values.js';

const JSON_TYPE = 'application/json';

/** Does what needs the service. An error is a sentence with a button that does it again. */
async function attempt(visits, work) {
  const again = () => attempt(visits, work);
  try {
    const refusal = await work();
    if (refusal) {
      say(refusal, again);
    }
  } catch (error) {
    if (error instanceof TokenRefused) {
      visits.showPublicView();
    } else {
      say(sentence('unreachable'), again);
    }
  }
}

/** Asks the reader of the form before a dataset is deleted. */
export function offerDeletion(form, onDelete) {
  const dialog = document.getElementById('deletion');
  form.querySelector('.delete').addEventListener('click', () => {
    dialog.returnValue = '';
    dialog.showModal();
    dialog.querySelector('.cancel').focus();
  });
  dialog.querySelector('.cancel').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'delete') {
      onDelete();
    }
  });
}

/**
 * Makes the deletion of a dataset undone, and shows the dataset.
 *
 * @param tag of the deletion; null for the newest one
 */
export function restore(id, visits, tag = null) {
  return attempt(visits, async () => {
    const response = await request(new URL(`api/dataset/${id}/restore/`, ROOT), JSON_TYPE, null,
        { method: 'POST', headers: tag ? { 'If-Match': tag } : {} });
    if (response.ok) {
      await visits.visit(new URL(`datasets/${id}/`, ROOT), { summary: text('restored') });
      return null;
    }
    return text({ 403: 'not_allowed', 404: 'too_late', 410: 'too_late', 412: 'restored_meanwhile' }[response.status] ?? 'busy');
  });
}

/** Shows a page of them in an element, which says of which kind they are. */
export function show(part, visits) {
  return attempt(visits, async () => {
    const url = new URL(`api/dataset/${part.dataset.kind}`, ROOT);
    url.search = location.search;
    const response = await request(url, JSON_TYPE);
    if (!response.ok) {
      return text('busy');
    }
    const { results, next, previous } = await response.json();
    part.querySelector('ol').replaceChildren(...results.map(each => each.dataset
        ? deletedItem(each, visits)
        : item(each, `datasets/${each.id}/edit/`)));
    part.querySelector('.nothing').hidden = results.length > 0;
    part.querySelector('nav').hidden = !next && !previous;
    for (const [rel, link] of Object.entries({ next, prev: previous })) {
      const place = part.querySelector(`[rel=${rel}]`);
      place.hidden = !link;
      place.href = link ? new URL(link).search : '';
    }
    part.removeAttribute('aria-busy');
    format(part);
    return null;
  });
}

function item({ id, dataset_name: name, captured_date: captured }, address = null) {
  const line = document.createElement('li');
  const day = line.appendChild(document.createElement('time'));
  [day.dateTime, day.dataset.day] = [captured, ''];
  const title = document.createElement(address ? 'a' : 'span');
  title.dir = 'auto';
  title.textContent = name || text('unnamed', { id });
  if (address) {
    title.href = new URL(address, ROOT).href;
  }
  line.append(' ', title);
  return line;
}

function deletedItem({ dataset, restorable_until: until }, visits) {
  const line = item(dataset);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text('restore');
  button.setAttribute('aria-label', text('restore_one', { name: line.querySelector('span').textContent }));
  button.addEventListener('click', () => restore(dataset.id, visits));
  const end = document.createElement('time');
  [end.dateTime, end.dataset.day] = [until, ''];
  line.append(` ·\u00A0${text('restorable_until')} `, end, ' ', button);
  return line;
}
