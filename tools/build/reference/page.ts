import { codePanel, jsonCode, ORIGIN, plainPanel } from './code.ts';
import type { Contents, Resource, Section } from './contents.ts';
import type { Document, Operation, Parameter, Schema } from './document.ts';
import { formsOf, typeLabel } from './document.ts';
import type { Definition, Html } from './html.ts';
import { definitions, heading, html, inlineMarkdown, markdown, raw, slug } from './html.ts';

export function page({ document, guides, sections }: Contents): Html {
  const { info, url } = document;
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
        ${navigation(guides, sections)}
        <main id="content" tabindex="-1">
          <h1>${info.title}</h1>
          <p>${info.summary}</p>
          <p>Version ${info.version}. <a href="/api/brand/v1/openapi.json">OpenAPI document</a></p>
          ${plainPanel('Base URL', { language: 'sh', text: ORIGIN + url })}
          ${guides.map(({ content }) => content)} ${headersSection(document)}
          ${sections.map(sectionOf)}
        </main>
      </body>
    </html> `;
}

/** The links to everything on the page. Where there is no room beside the text, a button shows them. */
function navigation(guides: Contents['guides'], sections: readonly Section[]): Html {
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
function headersSection({ common, operations }: Document): Html {
  const answers = operations.flatMap(({ successes }) => successes);
  const headers = new Map(answers.flatMap((answer) => Object.entries(answer.headers)));
  return html`<section>
    ${heading(2, 'headers', 'Headers')}
    <p>Every operation takes these headers:</p>
    ${definitions(common.map((parameter) => parameterOf(parameter, 'request')))}
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

/** A group of operations with the resources that they read and write. */
function sectionOf({ id, title, description, resources, operations }: Section): Html {
  return html`<section>
    ${heading(2, id, title)}
    <p>${inlineMarkdown(description)}</p>
    ${resources.map(resourceArticle)}
    ${operations.map((operation) => operationArticle(operation, resources))}
  </section>`;
}

function resourceArticle({ id, name, description, fields, example }: Resource): Html {
  const title = `The ${name}`;
  return html`<article>
    <div>
      ${heading(3, id, title)}
      <p>${inlineMarkdown(description)}</p>
      ${definitions(fields)}
    </div>
    <div>${codePanel(id, title, [jsonCode(example)])}</div>
  </article>`;
}

/** An operation: what it takes, what it answers, how it fails; and beside it samples of requests and responses. */
function operationArticle(
  operation: Section['operations'][number],
  resources: readonly Resource[],
): Html {
  const { id, method, path, summary, description, parameters, samples } = operation;
  const { successes, errors } = operation;
  return html`<article>
    <div>
      ${heading(3, id, summary)}
      <p class="address ${method}">${method.toUpperCase()} <code>${path}</code></p>
      ${markdown(description)}
      ${parameters.length > 0 && heading(4, `${id}-parameters`, 'Parameters')}
      ${definitions(parameters.map((parameter) => parameterOf(parameter, id)))}
      ${bodyOf(operation, resources)} ${heading(4, `${id}-returns`, 'Returns')}
      ${definitions(
        successes.map(({ status, description, content, headers }) => ({
          id: `${id}-${status}`,
          name: status,
          description,
          below: html`${content && membersOf(content.schema, resources)}
            <p>Headers: ${joined(Object.keys(headers).map(headerLink), ', ')}</p>`,
        })),
      )}
      ${heading(4, `${id}-errors`, 'Errors')}
      ${definitions(
        errors.map(({ status, description, headers, content }) => ({
          id: `${id}-${status}`,
          name: status,
          note: headers['X-Error']?.schema.enum?.join(', '),
          description,
          below: html`<ul>
            ${content?.examples.map(({ summary }) => html`<li><code>${summary}</code></li>`)}
          </ul>`,
        })),
      )}
    </div>
    <div>
      ${samples.map(({ title, codes }) => codePanel(`${id} ${title}`, title, codes))}
      ${successes.map(
        ({ status, content }) =>
          content &&
          codePanel(
            `${id} ${status}`,
            `Response ${status}`,
            content.examples.map(({ value, summary }) => jsonCode(value, summary)),
          ),
      )}
    </div>
  </article>`;
}

/** A parameter as a list of definitions shows it. */
function parameterOf(parameter: Parameter, id: string): Definition {
  const { name, in: place, description, required, schema, example } = parameter;
  const values = schema.enum?.map((value) => `\`${String(value)}\``);
  const rule = schema.description || (values && `One of ${values.join(', ')}.`);
  return {
    id: `${id}-${name}`,
    name,
    note: `${place}, ${typeLabel(schema)}${required ? ', required' : ''}`,
    description: [description, rule].filter(Boolean).join(' '),
    example: values ? undefined : example,
  };
}

/** What the body of an operation may hold: its forms, and its resources, which are described elsewhere. */
function bodyOf({ id, body }: Operation, resources: readonly Resource[]): Html | undefined {
  if (body === undefined) return undefined;
  const forms = formsOf(body.schema);
  return html`${heading(4, `${id}-body`, 'Body')} ${forms.length > 1 && html`<p>One of:</p>`}
    <ul>
      ${forms.map((form) => html`<li>${inlineMarkdown(formText(form))}</li>`)}
    </ul>
    <p>See the fields of ${joined(resources.map(linkTo), ' and ')}.</p>`;
}

/** A form of a body in words, as Markdown. Of a list it has the shape, and what its items are if there are several kinds. */
function formText({ description, properties }: Schema): string {
  const [[name, list] = []] = Object.entries(properties);
  if (name === undefined || list?.minItems === undefined) return description;
  const shape = `\`{"${name}": […]}\` with ${list.minItems} to ${list.maxItems ?? ''} items.`;
  const kinds = list.items?.oneOf?.map((kind) => kind.description) ?? [];
  return [shape, description, ...kinds].join(' ');
}

/** The members of a response, and of the objects in them. Resources are described elsewhere. */
function membersOf(schema: Schema, resources: readonly Resource[]): Html {
  const forms = formsOf(schema).filter(({ properties }) => Object.keys(properties).length > 0);
  return html`${forms.map(({ description, properties }) => {
    const members = Object.entries(properties).map(([name, member]) => {
      const value = member.items ?? member;
      const resource = resources.find((one) => one.schema === value.title);
      return {
        name,
        note: typeLabel(member),
        description: member.description,
        below: resource ? html`See ${linkTo(resource)}.` : membersOf(value, resources),
      };
    });
    return html`${forms.length > 1 && html`<p>${inlineMarkdown(description)}</p>`}
    ${definitions(members)}`;
  })}`;
}

function linkTo({ id, name }: Resource): Html {
  return html`<a href="#${id}">the ${name}</a>`;
}

function headerLink(name: string): Html {
  return html`<a href="#headers-${slug(name)}"><code>${name}</code></a>`;
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`;
}
