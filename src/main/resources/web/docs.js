// Without a validator and without plugins that load anything from another host.
SwaggerUIBundle({
  url: 'openapi.yaml',
  dom_id: '#operations',
  deepLinking: true,
  validatorUrl: null,
});
