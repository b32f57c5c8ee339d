/** Two versions of a dataset side by side: the reader chooses for each field which one is saved. */

import { display, text } from './values.js';

/**
 * Asks the reader.
 *
 * @param names of the fields that the reader and another writer have changed
 * @param taken a sentence about the fields that only the other writer has changed
 * @param yours the values of the form
 * @param theirs the values that the other writer has saved
 *
 * @return the chosen values of these fields, or null if the reader chooses none
 */
export function chooseVersions(form, names, taken, yours, theirs) {
  const dialog = document.getElementById('conflict');
  const choices = dialog.querySelector('form');
  choices.querySelector('.differences').replaceChildren(...names.map(name => difference(labelOf(form, name), name, {
    yours: display(form, name, yours[name]), theirs: display(form, name, theirs[name]),
  })));
  choices.querySelector('.taken').textContent = taken;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => {
    dialog.querySelector('.cancel').onclick = () => dialog.close();
    dialog.addEventListener('close', () => {
      const chosen = new FormData(choices);
      resolve(dialog.returnValue !== 'chosen' ? null : Object.fromEntries(
          names.map(name => [name, (chosen.get(name) === 'theirs' ? theirs : yours)[name]])));
    }, { once: true });
  });
}

/** The name of a field for readers. */
export function labelOf(form, name) {
  const label = form.querySelector(`[data-field=${name}] :is(legend, label)`) ?? form.elements[name].parentElement;
  return label.textContent.split(':')[0].trim();
}

function difference(label, name, versions) {
  const part = document.createElement('fieldset');
  const legend = part.appendChild(document.createElement('legend'));
  legend.textContent = label;
  for (const [value, shown] of Object.entries(versions)) {
    const choice = part.appendChild(document.createElement('label'));
    const radio = choice.appendChild(document.createElement('input'));
    Object.assign(radio, { type: 'radio', name, value, checked: value === 'yours' });
    const title = choice.appendChild(document.createElement('strong'));
    title.textContent = text(value);
    const content = choice.appendChild(document.createElement('span'));
    content.dir = 'auto';
    content.textContent = shown;
  }
  return part;
}
