/** Formats of what the server writes for every reader alike: times, numbers, and lines for the shell. */

import { isSignedIn } from './session.js';
import { numberInWords, say, sentence, timeFormat } from './sentences.js';

/** In milliseconds. */
export const DAY = 86_400_000;

/** Completes content that is new on the page. */
export function format(content) {
  content.querySelectorAll('time[datetime]').forEach(localizeTime);
  localizeFilters(content);
  content.querySelectorAll('data[value], .chart .tick').forEach(localizeNumber);
  if (isSignedIn()) {
    content.querySelectorAll('.commands code').forEach(addToken);
  }
  content.querySelectorAll('button[data-copy]').forEach(offerCopy);
  if (navigator.clipboard) {
    content.querySelectorAll('.commands dd code').forEach(addCopyButton);
  }
}

/** The day in UTC, which filters mean too, and the time unless it is midnight. The title has the time of the reader's clock. */
function localizeTime(element) {
  const time = new Date(element.dateTime);
  if (!Number.isNaN(time.getTime())) {
    const isDay = 'day' in element.dataset || time.getTime() % DAY === 0;
    const shared = dayInWords(time, { timeStyle: isDay ? undefined : 'short' });
    const own = dayInWords(time, { timeStyle: 'long', timeZone: undefined });
    element.textContent = isDay ? shared : `${shared} UTC`;
    element.title = sentence('own_time', { time: own });
  }
}

/** The days of the summary and of the filters have the form of all other days, and so do they in the title. */
function localizeFilters(content) {
  const days = new Map();
  const localize = text => text.replace(/\b\d{4}-\d{2}-\d{2}(?![T\d])/g, day => {
    days.set(day, dayInWords(new Date(day)));
    return days.get(day);
  });
  content.querySelectorAll('.chips [data-days]').forEach(chip => {
    const name = chip.querySelector('bdi');
    name.textContent = localize(name.textContent);
    chip.setAttribute('aria-label', localize(chip.getAttribute('aria-label')));
  });
  const title = content.querySelector('h1');
  days.forEach((words, day) => {
    title.textContent = title.textContent.replaceAll(day, words);
  });
  const summary = content.querySelector('#summary');
  if (summary) {
    summary.textContent = localize(summary.textContent);
  }
}

function dayInWords(time, style = {}) {
  return timeFormat({ dateStyle: 'medium', timeZone: 'UTC', ...style }).format(time);
}

/** A number with an exponent stays, because the form of a country would have hundreds of zeros. */
function localizeNumber(element) {
  const text = element.value ?? element.textContent;
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    element.textContent = numberInWords(Number(text), { maximumFractionDigits: 20 });
  }
}

/** A line for the shell shows the same datasets as the page, with the token of the reader's own environment. */
function addToken(code) {
  code.textContent = code.textContent.replace(/^curl (?=')/, 'curl -H "Authorization: Token $TOKEN" ');
}

function addCopyButton(code) {
  const line = code.closest('dd');
  if (line.querySelector('.copy')) {
    return;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = sentence('copy');
  button.setAttribute('aria-label', sentence('copy_line', { line: line.previousElementSibling.textContent }));
  button.addEventListener('click', () => copy(code.textContent));
  line.append(button);
}

/** Shows a button that copies an address, in place of the link to the address, or else the address of the page and its map. */
function offerCopy(button) {
  button.hidden = false;
  button.addEventListener('click', () => copy(button.dataset.copy || location.href));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(sentence('copied'));
  } catch {
    say(sentence('cannot_copy'));
  }
}
