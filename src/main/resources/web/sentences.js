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
export function localesOfPage() {
  const { lang } = document.documentElement;
  return [...navigator.languages.filter(each => each.split('-')[0] === lang), lang]
      .map(each => new Intl.Locale(each, { numberingSystem: 'latn' }));
}

/** A letter of the page, which is higher where the reader makes the text larger, also where the browser enlarges text alone. */
const letter = document.createElement('span');
letter.className = 'letter';
letter.setAttribute('aria-hidden', 'true');
letter.textContent = '0';
document.body.append(letter);

/** How much larger than usual the text is. */
export function textScale() {
  return letter.offsetHeight / 16 || 1;
}

/** Calls a function when the size of the text changes, as long as an element is on the page. */
export function followTextSize(element, change) {
  let scale = textScale();
  const observer = new ResizeObserver(() => {
    if (!element.isConnected) {
      observer.disconnect();
    } else if (textScale() !== scale) {
      scale = textScale();
      change();
    }
  });
  observer.observe(letter);
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
