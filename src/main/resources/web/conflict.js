/** Two versions of a dataset side by side: the reader chooses for each field which one is saved. */

import { display, text } from './values.js';

/**
 * Asks the reader.
 *
 * @param names of the fields that differ
 * @param yours the values of the form
 * @param theirs the values that another writer has saved
 * @param before the values from which the reader has begun
 *
 * @return the chosen values, or null if the reader chooses none
 */
export function chooseVersions(form, names, yours, theirs, before) {
  const dialog = document.getElementById('conflict');
  const choices = dialog.querySelector('form');
  choices.querySelector('.differences').replaceChildren(...names.map(name => {
    // What the reader has not changed is as the other writer has left it.
    const isYours = JSON.stringify(yours[name]) !== JSON.stringify(before[name]);
    return difference(labelOf(form, name), name, isYours ? 'yours' : 'theirs', {
      yours: display(form, name, yours[name]), theirs: display(form, name, theirs[name]),
    });
  }));
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => {
    dialog.querySelector('.cancel').onclick = () => dialog.close();
    dialog.addEventListener('close', () => {
      const chosen = new FormData(choices);
      resolve(dialog.returnValue !== 'chosen' ? null : {
        ...theirs, ...Object.fromEntries(names.filter(name => chosen.get(name) === 'yours').map(name => [name, yours[name]])),
      });
    }, { once: true });
  });
}

function labelOf(form, name) {
  const label = form.querySelector(`[data-field=${name}] :is(legend, label)`) ?? form.elements[name].parentElement;
  return label.textContent.split(':')[0].trim();
}

function difference(label, name, checked, versions) {
  const part = document.createElement('fieldset');
  const legend = part.appendChild(document.createElement('legend'));
  legend.textContent = label;
  for (const [value, shown] of Object.entries(versions)) {
    const choice = part.appendChild(document.createElement('label'));
    const radio = choice.appendChild(document.createElement('input'));
    Object.assign(radio, { type: 'radio', name, value, checked: value === checked });
    const title = choice.appendChild(document.createElement('strong'));
    title.textContent = text(value);
    const content = choice.appendChild(document.createElement('span'));
    content.dir = 'auto';
    content.textContent = shown;
  }
  return part;
}
