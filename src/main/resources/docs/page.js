// Shows the operations of an OpenAPI document: what each one does, its parameters, and a form that sends it.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** A response that is larger, or that takes longer, is shown in part: streams have no end. In bytes and milliseconds. */
const MAX_SHOWN = 100_000;
const MAX_TIME = 10_000;

/** The document that the page shows. */
let description = null;

function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  Object.entries(attributes).filter(([, value]) => value !== undefined)
      .forEach(([attribute, value]) => made.setAttribute(attribute, value));
  made.append(...content);
  return made;
}

/** The object itself, or the one that it refers to. */
function resolve(object) {
  return object?.$ref
    ? resolve(object.$ref.slice(2).split('/').reduce((parent, name) => parent[name], description))
    : object ?? {};
}

/** The paragraphs of a text, with its code between backquotes. */
function prose(text = '') {
  return text.split(/\n\s*\n/).filter(Boolean).map(paragraph => element('p', {},
    ...paragraph.split('`').map((part, index) => (index % 2 ? element('code', {}, part) : part))));
}

/** A value that a schema allows. */
function sample(schema) {
  const { example, default: standard, enum: choices, allOf, oneOf, anyOf, type, properties, items } = resolve(schema);
  const chosen = example ?? standard ?? choices?.[0];
  if (chosen !== undefined) {
    return chosen;
  }
  const parts = allOf ?? (oneOf ?? anyOf)?.slice(0, 1);
  if (parts) {
    return parts.map(sample).reduce((all, part) => Object.assign(all, part), {});
  }
  const [kind] = [type].flat();
  return {
    object: () => Object.fromEntries(Object.entries(properties ?? {}).map(([name, value]) => [name, sample(value)])),
    array: () => (items ? [sample(items)] : []),
    integer: () => 1,
    number: () => 1,
    boolean: () => false,
  }[kind]?.() ?? '';
}

/** The example of a body as text. */
function exampleOf({ example, examples, schema }) {
  const value = example ?? resolve(Object.values(examples ?? {})[0]).value ?? (schema ? sample(schema) : '');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** A field with its label and what it means. */
function field(id, name, input, hints) {
  input.id = id;
  const hint = element('span', { id: `${id}-hint`, class: 'hint' }, ...hints);
  input.setAttribute('aria-describedby', hint.id);
  return element('p', { class: 'field' }, element('label', { for: id }, name), input, hint);
}

function choice(values) {
  return element('select', {}, ...values.map(value => element('option', { value }, String(value))));
}

function fieldOf(operation, { name, in: place, required, description: text, example, schema }) {
  const { enum: choices, type, items } = resolve(schema);
  const kind = [type].flat().filter(Boolean).join(' or ');
  const values = choices ?? (kind === 'boolean' ? ['true', 'false'] : null);
  const input = values ? choice(required ? values : ['', ...values])
    : element('input', { placeholder: example === undefined || required ? undefined : [example].flat().join(',') });
  if (required) {
    input.required = true;
    input.value = example ?? sample(schema);
  }
  input.dataset.in = place;
  input.name = name;
  const kinds = resolve(items).enum ? `any of: ${resolve(items).enum.join(', ')}` : kind;
  return field(`${operation}-${place}-${name}`, name, input,
    [`${[place, kinds, required && 'required'].filter(Boolean).join(', ')}. `,
      ...prose(text).flatMap(paragraph => [...paragraph.childNodes, ' '])]);
}

/** The fields of the body: a file, or a text that begins as the example. */
function bodyOf(operation, { content }) {
  const [type, media] = Object.entries(content)[0];
  const isFile = type.startsWith('image/');
  const input = isFile ? element('input', { type: 'file', accept: Object.keys(content).join() })
    : element('textarea', { rows: 8, spellcheck: 'false' }, exampleOf(media));
  input.dataset.type = type;
  input.name = 'body';
  return field(`${operation}-body`, 'Body', input, [isFile ? Object.keys(content).join(', ') : type]);
}

/** The media types of successful responses. */
function acceptOf(operation, responses) {
  const types = [...new Set(Object.entries(responses).filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => Object.keys(resolve(response).content ?? {})))];
  const input = choice(types);
  input.name = 'accept';
  return types.length ? [field(`${operation}-accept`, 'Accept', input, ['The media type of the response.'])] : [];
}

/** The request that the fields of a form describe. */
function requestOf(method, path, form) {
  const { body, accept } = form.elements;
  const headers = new Headers(accept ? { Accept: accept.value } : {});
  const authorization = document.getElementById('authorization').value.trim();
  if (authorization) {
    headers.set('Authorization', authorization);
  }
  const query = new URLSearchParams();
  let target = path;
  form.querySelectorAll('[data-in]').forEach(({ name, value, dataset }) => {
    if (dataset.in === 'path') {
      target = target.replace(`{${name}}`, encodeURIComponent(value));
    } else if (value && dataset.in === 'query') {
      query.set(name, value);
    } else if (value) {
      headers.set(name, value);
    }
  });
  if (body) {
    headers.set('Content-Type', body.files?.[0]?.type || body.dataset.type);
  }
  const address = new URL(document.getElementById('operations').dataset.document, location.href);
  const base = new URL(description.servers[0].url, address);
  const url = base.href.replace(/\/$/, '') + target + (query.size ? `?${query}` : '');
  return [url, { method: method.toUpperCase(), headers, body: body?.files?.[0] ?? body?.value, credentials: 'omit' }];
}

/** The body of a response as text, or its beginning, and whether that is all. */
async function read(response, abort) {
  const type = response.headers.get('Content-Type') ?? '';
  const parts = [];
  let size = 0;
  let isWhole = false;
  const reader = response.body?.getReader();
  try {
    while (!isWhole && size < MAX_SHOWN) {
      const part = await reader?.read();
      isWhole = !part || part.done;
      if (!isWhole) {
        parts.push(part.value);
        size += part.value.length;
      }
    }
  } catch (error) {
    if (error.name !== 'AbortError') {
      throw error;
    }
  }
  abort.abort();
  if (!/json|text|xml|yaml|javascript/.test(type)) {
    return { isWhole, text: size ? `${size} bytes of ${type}` : '' };
  }
  const text = await new Blob(parts).text();
  try {
    return { isWhole, text: isWhole && /json$/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text };
  } catch {
    return { isWhole, text };
  }
}

/** Why a request has no response, in words. */
function sentenceOf(error) {
  return {
    AbortError: `No response within ${MAX_TIME / 1000} seconds.`,
    TypeError: `No response: ${error.message}. A page cannot follow a redirect to another host, as that of a picture.`,
  }[error.name] ?? String(error);
}

/** Sends the request of a form, and shows the status and the response. */
async function send(method, path, form, status, answer) {
  if (status.hasAttribute('aria-busy')) {
    // A second press would create a second dataset.
    return;
  }
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), MAX_TIME);
  status.setAttribute('aria-busy', 'true');
  try {
    const [url, options] = requestOf(method, path, form);
    const response = await fetch(url, { ...options, signal: abort.signal });
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const { isWhole, text } = await read(response, abort);
    status.replaceChildren(element('strong', {}, String(response.status)), ` ${response.statusText}`,
      ...(isWhole ? [] : [`. Only the beginning is shown, of at most ${MAX_SHOWN} bytes and ${MAX_TIME / 1000} seconds.`]));
    answer.replaceChildren(element('p', {}, element('code', {}, `${options.method} ${url}`)), shown('Headers', headers),
      ...(text ? [shown('Response', text)] : []));
  } catch (error) {
    status.textContent = sentenceOf(error);
    answer.replaceChildren();
  } finally {
    clearTimeout(timer);
    status.removeAttribute('aria-busy');
  }
}

/** Lines that a reader of the keyboard can scroll. */
function shown(label, lines) {
  return element('pre', { tabindex: 0, role: 'group', 'aria-label': label }, lines);
}

/** What stands in an operation, when a reader opens it. */
function contentOf(method, path, operation, shared) {
  const { operationId: id, description: text, parameters = [], requestBody, responses } = operation;
  const status = element('p', { class: 'status', role: 'status' });
  const answer = element('div');
  const form = element('form', { autocomplete: 'off' },
    ...[...shared, ...parameters].map(resolve).map(parameter => fieldOf(id, parameter)),
    ...(requestBody ? [bodyOf(id, resolve(requestBody))] : []),
    ...acceptOf(id, responses),
    element('p', {}, element('button', {}, `Send ${method.toUpperCase()}`)));
  form.addEventListener('submit', event => {
    event.preventDefault();
    send(method, path, form, status, answer);
  });
  const answers = Object.entries(responses).flatMap(([number, response]) => {
    const { description: meaning, content = {} } = resolve(response);
    const [[type, media] = []] = Object.entries(content);
    const example = number.startsWith('2') && media && (media.example ?? media.examples) ? exampleOf(media) : null;
    return [element('dt', {}, element('code', {}, number)), element('dd', {}, ...prose(meaning), ...(example
      ? [element('details', {}, element('summary', {}, `Example of ${type}`), shown(`Example of ${id}`, example))] : []))];
  });
  const heading = element('p', {}, element('strong', {}, 'Responses'));
  return [...prose(text), form, status, answer, heading, element('dl', {}, ...answers)];
}

function operationOf(method, path, operation, shared) {
  const made = element('details', { id: operation.operationId, class: 'operation' },
    element('summary', {}, element('code', {}, element('b', {}, method.toUpperCase()), ` ${path}`),
      ` ${operation.summary ?? ''}`));
  made.addEventListener('toggle', () => made.append(...contentOf(method, path, operation, shared)), { once: true });
  return made;
}

/** Shows the operations, in the groups of the document if it has groups. */
function show(operations) {
  const authorization = field('authorization', 'Authorization',
    element('input', { autocomplete: 'off', placeholder: 'Token …' }), ['The header of each request that you send here.']);
  const all = Object.entries(description.paths).flatMap(([path, item]) => METHODS.filter(method => item[method])
      .map(method => [item[method].tags?.[0], operationOf(method, path, item[method], item.parameters ?? [])]));
  const groups = (description.tags ?? [{}]).map(({ name, description: text }) => element('section', {},
    ...(name ? [element('h3', {}, name), ...prose(text)] : []),
    ...all.filter(([tag]) => tag === name).map(([, operation]) => operation)));
  operations.replaceChildren(authorization, ...groups);
  // The names of operations need no encoding. Any other fragment is not of this page.
  const asked = document.getElementById(location.hash.slice(1));
  if (asked && operations.contains(asked)) {
    asked.open = true;
    asked.scrollIntoView();
  }
}

/** Reads the document, which is ten times as large as the page, when the reader opens the operations. */
async function load(operations) {
  if (operations.hasAttribute('aria-busy')) {
    return;
  }
  operations.setAttribute('aria-busy', 'true');
  try {
    description = await (await fetch(operations.dataset.document, { headers: { Accept: 'application/json' } })).json();
    operations.setAttribute('aria-busy', 'false');
    show(operations);
  } catch {
    operations.removeAttribute('aria-busy');
    const sentences = document.getElementById('sentences');
    operations.textContent = sentences ? JSON.parse(sentences.textContent).operations_failed : 'The document cannot be read.';
  }
}

const first = document.getElementById('operations');
if (first.closest('details')) {
  // The event does not bubble. The content of the page may be replaced.
  document.addEventListener('toggle', event => {
    const operations = event.target.open && event.target.querySelector?.(':scope > #operations');
    if (operations) {
      load(operations);
    }
  }, true);
  first.closest('details').open = location.hash.length > 1 && location.hash !== '#content';
} else {
  load(first);
}
