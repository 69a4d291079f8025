/* global document, matchMedia, SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheSystem = () => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', followTheSystem);
followTheSystem();

SwaggerUIBundle({
  dom_id: '#reference',
  url: '/api/brand/v1/openapi.json',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Without it the reader would send the document's address to a service of its makers.
  validatorUrl: null,
});
