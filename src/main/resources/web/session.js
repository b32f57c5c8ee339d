/**
 * Signing in, and requests to the service. The token stays in the session storage of this tab: no cookie, no address and no element of
 * the page contains it.
 */

const TOKEN = 'dataset-token';
const ACCOUNT = 'dataset-account';

/** The address of the service, which may stand behind a path prefix. */
export const ROOT = new URL(document.body.dataset.root, document.baseURI);

/** The service does not accept the token any more. The token is already forgotten. */
export class TokenRefused extends Error {
}

/** The session storage, or null where the browser forbids it. */
const storage = (() => {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
})();

const button = document.getElementById('sign-in');
const account = document.getElementById('account');
const dialog = document.getElementById('sign-in-dialog');

export function isSignedIn() {
  return Boolean(storage?.getItem(TOKEN));
}

/** The response to GET, with the token if there is one. */
export async function request(url, accept, signal) {
  const token = storage?.getItem(TOKEN);
  const response = await send(url, accept, token, signal);
  if (response.status === 401 && token) {
    forget();
    throw new TokenRefused();
  }
  return response;
}

function send(url, accept, token, signal) {
  const headers = token ? { Accept: accept, Authorization: `Token ${token}` } : { Accept: accept };
  return fetch(url, { headers, signal, credentials: 'omit' });
}

/** The sentence of an error response of the API. */
export function sentenceOf(json) {
  return json.detail ?? Object.entries(json).map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`).join(' ');
}

/**
 * Makes the button of the page work.
 *
 * @param onChange called after signing in and out
 */
export function offerSignIn(onChange) {
  if (!storage || !button) {
    return;
  }
  const [field] = dialog.getElementsByTagName('input');
  const cancel = dialog.querySelector('button[type=button]');
  button.hidden = false;
  showAccount();
  button.addEventListener('click', () => {
    if (isSignedIn()) {
      forget();
      onChange('You are signed out.');
    } else {
      showError('');
      dialog.showModal();
    }
  });
  cancel.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    field.value = '';
  });
  dialog.addEventListener('submit', async event => {
    event.preventDefault();
    showError('');
    const error = await signIn(field.value.trim());
    if (error) {
      showError(error);
      field.select();
    } else {
      dialog.close();
      onChange(`You are signed in as ${storage.getItem(ACCOUNT)}.`);
    }
  });
}

/** Checks a token and keeps it. Returns a sentence if that is not possible. */
async function signIn(token) {
  // A header cannot carry other characters, and no token has them.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return 'The service does not know this token.';
  }
  try {
    const response = await send(new URL('api/account/me/', ROOT), 'application/json', token);
    const json = await response.json();
    if (response.ok) {
      storage.setItem(TOKEN, token);
      storage.setItem(ACCOUNT, json.username);
      showAccount();
      return null;
    }
    return response.status === 401 ? 'The service does not know this token.' : sentenceOf(json);
  } catch {
    return 'The service cannot be reached. Check the network and try again.';
  }
}

function forget() {
  storage.removeItem(TOKEN);
  storage.removeItem(ACCOUNT);
  showAccount();
}

function showAccount() {
  if (!button) {
    // The page of an error.
    return;
  }
  account.textContent = storage.getItem(ACCOUNT) ?? '';
  button.textContent = isSignedIn() ? 'Sign out' : 'Sign in';
}

function showError(sentence) {
  document.getElementById('sign-in-error').textContent = sentence;
}
