/**
 * Signing in, and requests to the service. A token that the reader writes stays in the session storage of this tab, and a token
 * of the provider in memory: no cookie, no address and no element of the page contains it.
 */

import { sentence, sentenceOfJson } from './sentences.js';

/** The module of the provider of identities, or null: most services have no provider. */
const provider = document.getElementById('provider') ? await import('./provider.js') : null;

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

/** In bytes. A file that the browser cannot write while it arrives is kept in memory first. */
const LARGEST_IN_MEMORY = 100 * 2 ** 20;

const EXTENSIONS = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson', 'application/geo+json': 'geojson' };

/** The parts of the frame. */
let button = null;
let account = null;
let dialog = null;

/** The name of the account of the provider's token. */
let holder = null;

export function isSignedIn() {
  return Boolean(provider?.hasTokens() || storage?.getItem(TOKEN));
}

/** The name of the account of the reader, or null. */
export function accountOfReader() {
  return holder ?? storage?.getItem(ACCOUNT) ?? null;
}

/** The header that identifies the reader, or null. */
export async function credentials() {
  const token = await provider?.accessToken();
  if (token) {
    return `Bearer ${token}`;
  }
  const key = storage?.getItem(TOKEN);
  return key ? `Token ${key}` : null;
}

/**
 * The response to a request, with the token if there is one.
 *
 * @param options of fetch; without them the method is GET
 */
export async function request(url, accept, signal, options = {}) {
  const authorization = await credentials();
  const response = await send(url, accept, authorization, signal, options);
  if (response.status === 401 && authorization) {
    forget();
    throw new TokenRefused();
  }
  return response;
}

function send(url, accept, authorization, signal, options = {}) {
  const headers = { ...options.headers, Accept: accept, 'Accept-Language': document.documentElement.lang };
  if (authorization) {
    headers.Authorization = authorization;
  }
  return fetch(url, { ...options, headers, signal, credentials: 'omit' });
}

/**
 * Saves the data at an address as a file, with the token, which the browser does not send when it follows a link.
 *
 * @return a sentence for the reader
 */
export async function save(url) {
  const response = await request(url, '*/*');
  if (!response.ok) {
    return sentenceOfJson(await response.json());
  }
  const type = response.headers.get('Content-Type') ?? '';
  const disposition = response.headers.get('Content-Disposition');
  const name = nameOf(url, type, disposition);
  try {
    // An export has a name. It may be larger than the memory.
    const file = disposition ? await askForFile(name) : null;
    if (file) {
      await response.body.pipeTo(await file.createWritable());
    } else {
      download(name, await inMemory(response, type));
    }
    return sentence('saved', { name: file?.name ?? name });
  } catch (error) {
    response.body.cancel().catch(() => {});
    return sentenceOfFailure(error, name);
  }
}

function nameOf(url, type, disposition) {
  const [, given] = /filename="([^"]+)"/.exec(disposition) ?? [];
  return given ?? `${url.pathname.split('/').filter(Boolean).at(-1)}.${EXTENSIONS[type.split(';')[0]] ?? 'json'}`;
}

/** A file that the reader chooses; null where the browser has no such dialog, or does not show it so long after the click. */
async function askForFile(suggestedName) {
  try {
    return await window.showSaveFilePicker?.({ suggestedName });
  } catch (error) {
    if (error.name === 'SecurityError') {
      return null;
    }
    throw error;
  }
}

/** The body of a response. Fails with RangeError if the body is too large. */
async function inMemory(response, type) {
  const parts = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > LARGEST_IN_MEMORY) {
      reader.cancel();
      throw new RangeError();
    }
    parts.push(part.value);
  }
  return new Blob(parts, { type });
}

function download(name, blob) {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(blob);
  link.click();
  // The browser has begun to read the blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function sentenceOfFailure(error, name) {
  if (error.name === 'AbortError') {
    return sentence('nothing_saved');
  }
  return error instanceof RangeError
      ? sentence('too_large', { name, size: LARGEST_IN_MEMORY / 2 ** 20 })
      : sentence('incomplete', { name });
}

/**
 * Makes the button of the page work.
 *
 * @param onChange called after signing in and out
 * @param mayLeave called before signing out; false if the reader stays
 */
export function offerSignIn(onChange, mayLeave) {
  document.addEventListener('click', event => event.target.closest('[data-sign-in]') && button.click());
  [button, account, dialog] = ['sign-in', 'account', 'sign-in-dialog'].map(id => document.getElementById(id));
  if (!storage) {
    return;
  }
  const [field] = dialog.getElementsByTagName('input');
  const cancel = dialog.querySelector('.cancel');
  button.hidden = false;
  showAccount();
  button.addEventListener('click', () => {
    if (isSignedIn()) {
      if (mayLeave()) {
        onChange(signOut());
      }
    } else {
      showError('');
      dialog.showModal();
    }
  });
  cancel.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    field.value = '';
  });
  offerProvider(onChange);
  dialog.addEventListener('submit', async event => {
    event.preventDefault();
    showError('');
    const error = await signIn(field.value.trim());
    if (error) {
      showError(error);
      field.select();
    } else {
      dialog.close();
      onChange(sentence('signed_in', { account: storage.getItem(ACCOUNT) }));
    }
  });
}

/** Makes the button of the provider work, if the page has one. */
function offerProvider(onChange) {
  const start = document.getElementById('provider');
  if (!provider?.useProvider(start, ROOT)) {
    return;
  }
  start.parentElement.hidden = false;
  let attempt = new AbortController();
  dialog.addEventListener('close', () => attempt.abort());
  start.addEventListener('click', async () => {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    showError('');
    try {
      await provider.signInAtProvider(signal);
      const error = await identify(`Bearer ${await provider.accessToken()}`, username => {
        holder = username;
      });
      if (error) {
        provider.forgetTokens();
        showError(error);
      } else {
        dialog.close();
        onChange(sentence('signed_in', { account: holder }));
      }
    } catch (error) {
      if (!signal.aborted) {
        if (!(error instanceof provider.ProviderFailed)) {
          throw error;
        }
        showError(sentence('provider_failed'));
      }
    }
  });
}

/** Checks a token and keeps it. Returns a sentence if that is not possible. */
async function signIn(token) {
  // A header cannot carry other characters, and no token has them.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return sentence('unknown_token');
  }
  return identify(`Token ${token}`, username => {
    storage.setItem(TOKEN, token);
    storage.setItem(ACCOUNT, username);
  });
}

/** Asks the service whose credentials these are. Returns a sentence if it does not accept them. */
async function identify(authorization, accept) {
  try {
    const response = await send(new URL('api/account/me/', ROOT), 'application/json', authorization);
    const json = await response.json();
    if (response.ok) {
      accept(json.username);
      showAccount();
      return null;
    }
    return response.status === 401 ? sentence('unknown_token') : sentenceOfJson(json);
  } catch {
    return sentence('unreachable');
  }
}

/** Signs the reader out, also at the provider if that is possible. Returns a sentence. */
function signOut() {
  const staysSignedIn = provider?.hasTokens() && !provider.signOutAtProvider();
  forget();
  return staysSignedIn
      ? sentence('signed_out_here', { provider: document.getElementById('provider').dataset.host })
      : sentence('signed_out');
}

/** Forgets the reader, at this service only. */
export function forget() {
  provider?.forgetTokens();
  holder = null;
  storage.removeItem(TOKEN);
  storage.removeItem(ACCOUNT);
  showAccount();
}

function showAccount() {
  account.textContent = accountOfReader() ?? '';
  document.querySelectorAll('.own').forEach(link => {
    link.hidden = !isSignedIn();
  });
  button.textContent = sentence(isSignedIn() ? 'sign_out' : 'sign_in');
}

function showError(text) {
  document.getElementById('sign-in-error').textContent = text;
}
