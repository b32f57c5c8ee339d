// Without a validator and without plugins that load anything from another host. All operations and schemas at once would take seconds.
SwaggerUIBundle({
  url: 'openapi.yaml',
  dom_id: '#operations',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
