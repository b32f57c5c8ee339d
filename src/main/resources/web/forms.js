/** Forms: visit the page to which a form leads, when it is submitted or, for the filters, when the reader changes them. */

import { isPage } from './links.js';

const TYPING_PAUSE = 300;
const DEFAULT_ORDER = '-captured_date';

/** The address that a form leads to, without the fields that are left blank or say what is the case anyway. */
export function addressOf(form) {
  // Parameters of the address are fields of the form. One that is called action stands in front of the property.
  const url = new URL(form.getAttribute('action'), document.baseURI);
  const fields = [...new FormData(form)]
      .filter(([name, value]) => value !== '' && !(name === 'ordering' && value === DEFAULT_ORDER));
  url.search = new URLSearchParams(fields);
  return url;
}

/** Whether a field contains a day with the first digits of its year: Chromium takes each digit for a year. */
function isBegun({ type, value }) {
  return /^date/.test(type) && value.startsWith('0');
}

export function followForms(visits) {
  document.addEventListener('submit', event => {
    const form = event.target;
    const url = event.defaultPrevented || form.closest('dialog') ? null : addressOf(form);
    if (url && isPage(url)) {
      event.preventDefault();
      visits.visit(url, { stays: form.matches('#filters') });
    }
  });

  /** Shows the datasets of the filters after a short pause. One entry of the history stands for a word that is typed. */
  function followFilters(event) {
    const { form, type } = event.target;
    const isSearch = type === 'search';
    // A search follows the typing, every other field its change, and an early year also the end of the typing.
    const follows = event.type === 'focusout' ? isBegun(event.target) : isSearch !== (event.type === 'change');
    if (!form?.matches('#filters') || event.isComposing || !follows) {
      return;
    }
    visits.plan(() => {
      const url = addressOf(form);
      if (form.checkValidity() && !visits.isShown(url) && !isBegun(document.activeElement)) {
        const isTyped = isSearch && history.state?.isTyped;
        visits.visit(url, { stays: true, entry: isTyped ? 'replace' : 'push', state: { isTyped: isSearch } });
      }
    }, TYPING_PAUSE);
  }

  for (const change of ['input', 'compositionend', 'change', 'focusout']) {
    document.addEventListener(change, followFilters);
  }
  // On a slow network the reader writes before this script is there.
  const written = [...document.getElementById('filters')?.elements ?? []].find(isWritten);
  written?.dispatchEvent(new Event(written.type === 'search' ? 'input' : 'change', { bubbles: true }));
}

/** Whether a field has another value than the page has given it. */
function isWritten({ type, value, defaultValue, options }) {
  const given = options ? ([...options].find(option => option.defaultSelected) ?? options[0]).value : defaultValue;
  return type !== 'hidden' && given !== undefined && value !== given;
}
