/**
 * Sign-in at the provider of identities, in a window of its own: authorization code flow with PKCE. The tokens are in the memory
 * of this page only; after the page is loaded anew, the provider's session makes the next sign-in a matter of one click.
 *
 * See RFC 6749, RFC 7636 and OpenID Connect Core, section 3.1.
 */

const CHANNEL = 'dataset-sign-in';
/** A token is renewed so long before its end, in milliseconds. */
const EARLY = 30_000;

/** {issuer, client, scope, redirect}, as the frame of the page has them. */
let settings = null;
/** {access, refresh, id, ends}, or null before the sign-in. */
let tokens = null;
/** Where the provider ends its own session; null if it has no such address. */
let signOutAddress = null;
/** The renewal that runs: requests at the same time share it. */
let renewal = null;

/** The provider, or the way to it, does not answer as it should. */
export class ProviderFailed extends Error {
}

/** Remembers the provider. Returns whether the browser can sign in there: it computes hashes for safe addresses only. */
export function useProvider(button, root) {
  if (!button || !window.crypto?.subtle || !window.BroadcastChannel) {
    return false;
  }
  const { issuer, client, scope } = button.dataset;
  settings = { issuer, client, scope, redirect: new URL('datasets/signed-in/', root).href };
  return true;
}

export function hasTokens() {
  return tokens !== null;
}

export function forgetTokens() {
  tokens = null;
}

/**
 * Ends the session at the provider, in a window that the provider's answer closes. The window opens at once, as at the sign-in.
 *
 * @return whether the provider has been asked
 */
export function signOutAtProvider() {
  if (!tokens || !signOutAddress) {
    return false;
  }
  const address = new URL(signOutAddress);
  address.searchParams.set('client_id', settings.client);
  address.searchParams.set('post_logout_redirect_uri', settings.redirect);
  address.searchParams.set('ui_locales', document.documentElement.lang);
  if (tokens.id) {
    address.searchParams.set('id_token_hint', tokens.id);
  }
  // Another name than at the sign-in, which may follow before this window is closed.
  const opened = window.open('about:blank', `${CHANNEL}-end`, 'popup,width=500,height=700');
  if (!opened) {
    return false;
  }
  opened.opener = null;
  opened.location.replace(address.href);
  return true;
}

/** The access token, renewed if it ends soon; null without one. */
export async function accessToken() {
  if (tokens && tokens.refresh && Date.now() > tokens.ends - EARLY) {
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    await renewal;
  }
  return tokens?.access ?? null;
}

/** Without the provider the token stays, until the service refuses it. */
async function renew() {
  const before = tokens;
  try {
    const { token_endpoint: address } = await metadata();
    const json = await post(address, { grant_type: 'refresh_token', refresh_token: before.refresh, client_id: settings.client });
    if (tokens === before) {
      keep({ refresh_token: before.refresh, id_token: before.id, ...json });
    }
  } catch (error) {
    if (!(error instanceof ProviderFailed)) {
      throw error;
    }
  }
}

function keep(json) {
  tokens = {
    access: json.access_token,
    refresh: json.refresh_token ?? null,
    id: json.id_token ?? null,
    ends: Date.now() + (json.expires_in ?? Infinity) * 1000,
  };
}

/**
 * Signs in. The window opens at once, because browsers open none later than a click. Returns when the provider has sent the
 * reader back; a window that is closed leaves the promise open until `signal` ends it.
 */
export async function signInAtProvider(signal) {
  const opened = window.open('about:blank', CHANNEL, 'popup,width=500,height=700');
  if (!opened) {
    throw new ProviderFailed();
  }
  opened.opener = null;
  try {
    await exchange(opened, signal);
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function exchange(opened, signal) {
  const provider = await metadata();
  const [state, nonce, verifier] = [random(), random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const address = new URL(provider.authorization_endpoint);
  Object.entries({
    response_type: 'code',
    client_id: settings.client,
    redirect_uri: settings.redirect,
    scope: settings.scope,
    state,
    nonce,
    code_challenge: base64(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ui_locales: document.documentElement.lang,
  }).forEach(([name, value]) => address.searchParams.set(name, value));
  const answer = answerTo(state, signal);
  opened.location.replace(address.href);
  const parameters = await answer;
  const code = parameters.get('code');
  if (!code || (parameters.get('iss') ?? settings.issuer) !== settings.issuer) {
    throw new ProviderFailed();
  }
  const json = await post(provider.token_endpoint, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: settings.redirect,
    client_id: settings.client,
    code_verifier: verifier,
  });
  const claims = claimsOf(json.id_token);
  if (claims.nonce !== nonce || claims.iss !== settings.issuer || ![claims.aud].flat().includes(settings.client)) {
    throw new ProviderFailed();
  }
  signOutAddress = provider.end_session_endpoint ?? null;
  keep(json);
}

/** The parameters with which the provider sends the reader back, from the window. Those of another sign-in are ignored. */
function answerTo(state, signal) {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
    channel.addEventListener('message', event => {
      const parameters = new URLSearchParams(event.data);
      if (parameters.get('state') === state) {
        resolve(parameters);
      }
    });
  }).finally(() => channel.close());
}

/** In the window: tells the page what the provider has answered, and closes the window. */
export function show() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(window.location.search);
  channel.close();
  // The code is of no use without the secret of the page, and has no place in the history.
  window.history.replaceState(null, '', window.location.pathname);
  window.close();
}

async function metadata() {
  const address = `${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const json = await answerOf(fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' }));
  if (json.issuer !== settings.issuer || !json.authorization_endpoint || !json.token_endpoint) {
    throw new ProviderFailed();
  }
  return json;
}

async function post(address, fields) {
  const json = await answerOf(fetch(address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }));
  if (!json.access_token || json.token_type?.toLowerCase() !== 'bearer') {
    throw new ProviderFailed();
  }
  return json;
}

async function answerOf(request) {
  try {
    const response = await request;
    if (response.ok) {
      return await response.json();
    }
  } catch {
    // The same error as for a status.
  }
  throw new ProviderFailed();
}

/** The claims of a token that the provider itself has sent: its signature says nothing more. */
function claimsOf(token) {
  try {
    const bytes = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0))));
  } catch {
    throw new ProviderFailed();
  }
}

function random() {
  return base64(crypto.getRandomValues(new Uint8Array(32)));
}

function base64(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
