// Swagger UI resolves a referenced path again and again, which keeps the browser busy for ever.
const withoutReferences = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: original => description => {
          const paths = Object.entries(description.paths ?? {}).map(([path, item]) =>
            [path, item.$ref ? description.components.pathItems[item.$ref.split('/').pop()] : item]);
          return original({ ...description, paths: Object.fromEntries(paths) });
        },
      },
    },
  },
});

/** Shows the operations in an element. */
function show(operations) {
  // Without a validator, which would be another host. All operations and schemas of the whole service at once would take seconds.
  SwaggerUIBundle({
    url: operations.dataset.document,
    domNode: operations,
    deepLinking: true,
    docExpansion: operations.dataset.expansion,
    defaultModelsExpandDepth: operations.dataset.expansion === 'none' ? -1 : 1,
    validatorUrl: null,
    plugins: [withoutReferences],
    // Swagger UI accepts only the media type of the first success. A create answers JSON, an import lines.
    requestInterceptor: request => {
      if (request.headers?.accept === 'application/x-ndjson' && request.method === 'POST') {
        request.headers.accept = 'application/x-ndjson, application/json';
      }
      return request;
    },
  });
}

/** Loads Swagger UI, which is ten times as large as the page, when the reader opens the operations. */
function load(operations) {
  const { files } = operations.dataset;
  if (!files || operations.hasAttribute('aria-busy')) {
    return;
  }
  operations.setAttribute('aria-busy', 'true');
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = `${files}.css`;
  const script = document.createElement('script');
  script.src = `${files}.js`;
  script.addEventListener('load', () => {
    operations.setAttribute('aria-busy', 'false');
    show(operations);
  });
  script.addEventListener('error', () => {
    operations.removeAttribute('aria-busy');
    operations.textContent = JSON.parse(document.getElementById('sentences').textContent).operations_failed;
  });
  document.head.append(style, script);
}

const first = document.getElementById('operations');
if (first.dataset.files && !first.closest('details')) {
  load(first);
} else if (first.dataset.files) {
  // The event does not bubble. The content of the page may be replaced.
  document.addEventListener('toggle', event => {
    const operations = event.target.open && event.target.querySelector?.('#operations');
    if (operations) {
      load(operations);
    }
  }, true);
  if (location.hash.startsWith('#/')) {
    first.closest('details').open = true;
  }
} else {
  show(first);
}
