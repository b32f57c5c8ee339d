// Without a validator and without plugins that load anything from another host.
SwaggerUIBundle({
  url: 'api',
  dom_id: '#operations',
  deepLinking: true,
  validatorUrl: null,
});
