// The server refuses changes that web pages ask for, so the page offers to try requests that read.
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  supportedSubmitMethods: ['get'],
  validatorUrl: null,
});
