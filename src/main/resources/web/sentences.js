/** Sentences for the reader in the language of the page: the notice of the page, and what an error response says. */

/** The sentences in the language of the page, which the frame of the page contains. */
const SENTENCES = JSON.parse(document.getElementById('sentences').textContent);

/** A sentence in the language of the page, with values in place of its parameters. */
export function sentence(name, values = {}) {
  return fillIn(SENTENCES[name], values);
}

/** A text with values in place of its parameters. */
export function fillIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, parameter) => values[parameter]);
}

/** The reader's own forms of the language of the page, or the usual form of that language, with the digits of the server. */
const LOCALES = (({ lang }) => [...navigator.languages.filter(each => each.split('-')[0] === lang), lang]
    .map(each => new Intl.Locale(each, { numberingSystem: 'latn' })))(document.documentElement);

const formats = new Map();

/** A format of the reader. It is made once: that takes as long as the formatting of some hundred values. */
function formatOf(Type, style) {
  const key = Type.name + JSON.stringify(style);
  if (!formats.has(key)) {
    formats.set(key, new Type(LOCALES, style));
  }
  return formats.get(key);
}

/** A number in the form of the reader's country. */
export function numberInWords(number, style = {}) {
  return formatOf(Intl.NumberFormat, style).format(number);
}

/** @param style of the times that the format writes in the form of the reader's country */
export function timeFormat(style) {
  return formatOf(Intl.DateTimeFormat, style);
}

/** A letter of the page, which is higher where the reader makes the text larger, also where the browser enlarges text alone. */
const letter = document.createElement('span');
letter.className = 'letter';
letter.setAttribute('aria-hidden', 'true');
letter.textContent = '0';
document.body.append(letter);

/** What follows the size of the text, each with its element. */
const followers = new Map();
let scale = 0;

/** How much larger than usual the text is. Each measurement makes the browser lay out the page. */
function measure() {
  return letter.offsetHeight / 16 || 1;
}

/** How much larger than usual the text is, as it was measured last. */
export function textScale() {
  scale ||= measure();
  return scale;
}

/** Calls a function when the size of the text changes, as long as an element is on the page. */
export function followTextSize(element, change) {
  followers.set(change, element);
}

new ResizeObserver(() => {
  const now = measure();
  if (now !== textScale()) {
    scale = now;
    followers.forEach((element, change) => element.isConnected ? change() : followers.delete(change));
  }
}).observe(letter);

/** Lets the browser paint, and answer the reader, between two parts of a longer work. */
export function pause() {
  return new Promise(done => setTimeout(done));
}

const notice = document.getElementById('notice');

/** Shows a text, with a button if the reader can try again, or do what the label says, and with a link if there is one. */
export function say(text, again = null, label = sentence('try_again'), link = null) {
  notice.classList.remove('quiet');
  notice.replaceChildren(text);
  if (again) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', again);
    notice.append(' ', button);
  }
  if (link) {
    notice.append(' ', link);
  }
}

/** Tells a text to screen readers only. */
export function announce(text) {
  notice.classList.add('quiet');
  notice.replaceChildren(text.replace(/\s+/g, ' ').trim());
}

/** The title of the suggestions of a kind. */
export function nameOfSuggestions(kind) {
  return sentence(`suggest_${kind}`);
}

/** The sentence of an error page. */
export function sentenceOfPage(content) {
  return (content.querySelector('[role=alert] p') ?? content.querySelector('p') ?? content).textContent.trim();
}

/** The sentence of an error response that is no page. */
export function sentenceOfText(text, type) {
  return type.includes('json') ? sentenceOfJson(JSON.parse(text)) : sentence('answers_error');
}

/** The sentence of an error response of the API. */
export function sentenceOfJson(json) {
  return json.detail ?? Object.entries(json).map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`).join(' ');
}
