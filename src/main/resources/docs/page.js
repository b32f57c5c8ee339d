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

const operations = document.getElementById('operations');

const isShort = operations.dataset.expansion === 'none';

// Without a validator, which would be another host. All operations and schemas of the whole service at once would take seconds.
SwaggerUIBundle({
  url: operations.dataset.document,
  domNode: operations,
  deepLinking: true,
  docExpansion: operations.dataset.expansion,
  defaultModelsExpandDepth: isShort ? -1 : 1,
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
