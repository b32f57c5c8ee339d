/** Sentences for the reader: the notice of the page, and what an error response says. */

export const UNREACHABLE = 'The service cannot be reached. Check the network.';

export const SUGGESTIONS = 'Suggestions';

const KINDS_OF_SUGGESTIONS = {
  dataset: 'Dataset', name: 'Names', owner: 'Owners', category: 'Categories', place: 'Places', coordinates: 'Map',
};

const notice = document.getElementById('notice');

/** Shows a sentence, with a button if the reader can try again. */
export function say(sentence, again = null) {
  notice.classList.remove('quiet');
  notice.replaceChildren(sentence);
  if (again) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Try again';
    button.addEventListener('click', again);
    notice.append(' ', button);
  }
}

/** Tells a sentence to screen readers only. */
export function announce(sentence) {
  notice.classList.add('quiet');
  notice.replaceChildren(sentence.replace(/\s+/g, ' ').trim());
}

/** The title of the suggestions of a kind. */
export function nameOfSuggestions(kind) {
  return KINDS_OF_SUGGESTIONS[kind];
}

/** The sentence of an error page. */
export function sentenceOfPage(content) {
  return (content.querySelector('[role=alert] p') ?? content.querySelector('p') ?? content).textContent.trim();
}

/** The sentence of an error response that is no page. */
export function sentenceOfText(text, type) {
  return type.includes('json') ? sentenceOfJson(JSON.parse(text)) : 'The service answers with an error. Try again later.';
}

/** The sentence of an error response of the API. */
export function sentenceOfJson(json) {
  return json.detail ?? Object.entries(json).map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`).join(' ');
}
