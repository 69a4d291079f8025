import { codePanel, ORIGIN } from './code.ts';
import type { Contents } from './contents.ts';
import { typeLabel } from './document.ts';
import type { Html } from './html.ts';
import { definitions, heading, html, raw, slug } from './html.ts';
import { parameterOf, sectionOf } from './sections.ts';

/** The whole page. */
export function page(contents: Contents): Html {
  const { info, url, operations } = contents.document;
  const names = operations.map(({ parameters }) => parameters.map(({ name }) => name));
  // The parameters that all operations have are described once.
  const common = new Set(names[0]?.filter((name) => names.every((own) => own.includes(name))));
  const address = { language: 'sh', text: ORIGIN + url, label: 'URL' };
  return html`${raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${info.summary}" />
        <title>${info.title}: reference</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/reference.css" />
        <script src="/docs/reference.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a href="#content">${info.title}</a>
          <button type="button" popovertarget="contents">Contents</button>
        </header>
        ${navigation(contents)}
        <main id="content" tabindex="-1">
          <h1>${info.title}</h1>
          <p>${info.summary}</p>
          <p>Version ${info.version}. <a href="/api/brand/v1/openapi.json">OpenAPI document</a></p>
          ${codePanel('service', 'Base URL', [address])}
          ${contents.guides.map(({ content }) => content)} ${headersSection(contents, common)}
          ${contents.sections.map((section) => sectionOf(section, common))}
        </main>
      </body>
    </html> `;
}

/** The links to everything on the page. Where there is no room beside the text, a button shows them. */
function navigation({ guides, sections }: Contents): Html {
  return html`<nav id="contents" popover aria-label="Contents">
    <p>Guides</p>
    <ul>
      ${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      <li><a href="#headers">Headers</a></li>
    </ul>
    ${sections.map(
      ({ id, title, resources, operations }) =>
        html`<p><a href="#${id}">${title}</a></p>
          <ul>
            ${resources.map(
              (resource) => html`<li><a href="#${resource.id}">The ${resource.name}</a></li>`,
            )}
            ${operations.map(
              (operation) =>
                html`<li>
                  <a href="#${operation.id}"
                    >${operation.summary}
                    <span class="${operation.method}">${operation.method.toUpperCase()}</span></a
                  >
                </li>`,
            )}
          </ul>`,
    )}
  </nav>`;
}

/** What every operation takes, and all headers of good responses. */
function headersSection({ document }: Contents, common: ReadonlySet<string>): Html {
  const { operations } = document;
  const parameters = operations[0]?.parameters.filter(({ name }) => common.has(name)) ?? [];
  const answers = operations.flatMap(({ successes }) => successes);
  const headers = new Map(answers.flatMap((answer) => Object.entries(answer.headers)));
  return html`<section>
    ${heading(2, 'headers', 'Headers')}
    <p>Every operation takes these headers:</p>
    ${definitions(parameters.map((parameter) => parameterOf(parameter, 'request')))}
    <p>Responses have these. Each operation says which.</p>
    ${definitions(
      [...headers].map(([name, { description, schema }]) => ({
        id: `headers-${slug(name)}`,
        name,
        note: typeLabel(schema),
        description,
      })),
    )}
  </section>`;
}
