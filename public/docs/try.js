/* global document, matchMedia, SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheSystem = () => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', followTheSystem);
followTheSystem();

const DOCUMENT = '/api/brand/v1/openapi.json';

// The reader fills a form with all examples. Those of optional parameters exclude one another: every first try would fail.
const withoutOptionalExamples = (response) => {
  if (!response.url.endsWith(DOCUMENT)) return response;
  const strip = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('in' in value && 'schema' in value && !value.required) {
      delete value.example;
      delete value.schema.examples;
    }
    Object.values(value).forEach(strip);
    return value;
  };
  const text = JSON.stringify(strip(JSON.parse(response.text)));
  return Object.assign(response, { text, data: text });
};

SwaggerUIBundle({
  dom_id: '#reference',
  url: DOCUMENT,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  responseInterceptor: withoutOptionalExamples,
  // Without it the reader would send the document's address to a service of its makers.
  validatorUrl: null,
});
