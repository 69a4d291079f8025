import * as z from 'zod';
import { codePanel, exampleText } from './code.ts';
import type { Contents, Section } from './contents.ts';
import type { Definition } from './definitions.ts';
import { definitions, heading } from './definitions.ts';
import type { Document, Operation, Parameter, Schema } from './document.ts';
import { formsOf, nameOf, schemaOf, typeLabel } from './document.ts';
import type { Html } from './html.ts';
import { html, inlineMarkdown, markdown, slug } from './html.ts';
import type { Resource } from './resources.ts';

const errorBody = z.object({ error: z.string() });

/** A group of operations with the resources that they read and write. */
export function sectionOf(
  contents: Contents,
  { id, title, description, resources, operations }: Section,
): Html {
  return html`<section>
    ${heading(2, id, title)}
    <p>${inlineMarkdown(description)}</p>
    ${resources.map(resourceArticle)}
    ${operations.map((operation) => operationArticle(contents, operation, resources))}
  </section>`;
}

function resourceArticle({ id, name, description, fields, example }: Resource): Html {
  const title = `The ${name}`;
  return html`<article>
    <div>
      ${heading(3, id, title)}
      <p>${inlineMarkdown(description)}</p>
      ${definitions(
        fields.map((field) => ({
          id: `${id}-${field.name}`,
          name: field.name,
          note: field.note,
          description: field.description,
          below: field.example !== undefined && exampleOf(field.example),
        })),
      )}
    </div>
    <div>
      ${codePanel(id, title, [{ language: 'json', text: JSON.stringify(example, null, 2) }])}
    </div>
  </article>`;
}

/** An operation: what it takes, what it answers, how it fails; and beside it samples of requests and responses. */
function operationArticle(
  { document, samples, common }: Contents,
  operation: Operation,
  resources: readonly Resource[],
): Html {
  const { id, method, path, summary, description, parameters, successes, errors } = operation;
  const own = parameters.filter(({ name }) => !common.has(name));
  const responses = successes.flatMap(({ status, content }) => {
    const codes = content?.examples.map(({ summary, value }) => ({
      language: 'json',
      text: JSON.stringify(value, null, 2),
      label: summary,
    }));
    return codes === undefined ? [] : codePanel(`${id} ${status}`, `Response ${status}`, codes);
  });
  return html`<article>
    <div>
      ${heading(3, id, summary)}
      <p class="address ${method}">${method.toUpperCase()} ${withBreaks(path)}</p>
      ${markdown(description)} ${own.length > 0 && heading(4, `${id}-parameters`, 'Parameters')}
      ${definitions(own.map((parameter) => parameterOf(document, parameter, id)))}
      ${bodyOf(document, operation, resources)} ${heading(4, `${id}-returns`, 'Returns')}
      ${definitions(
        successes.map((answer) => ({
          id: `${id}-${answer.status}`,
          name: String(answer.status),
          description: answer.description,
          below: html`${membersOf(document, answer.content?.schema, resources)}${headerLinks(Object.keys(answer.headers))}`,
        })),
      )}
      ${heading(4, `${id}-errors`, 'Errors')}
      ${definitions(
        errors.map((error) => ({
          id: `${id}-${error.status}`,
          name: String(error.status),
          description: error.description,
          below: html`<ul>
            ${error.content?.examples.map(({ value }) => errorBody.parse(value).error).map((text) => html`<li><code>${text}</code></li>`)}
          </ul>`,
        })),
      )}
    </div>
    <div>
      ${(samples.get(id) ?? []).map(({ title, codes }) => codePanel(`${id} ${title}`, title, codes))}
      ${responses}
    </div>
  </article>`;
}

/** A parameter as a list of definitions shows it. */
export function parameterOf(
  document: Document,
  { name, in: place, description, required, schema, example }: Parameter,
  id: string,
): Definition {
  const { description: rule, enum: values } = schema;
  const choice = values && `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.`;
  return {
    id: `${id}-${name}`,
    name,
    note: `${place}, ${typeLabel(document, schema)}${required ? ', required' : ''}`,
    description: [description, rule ?? choice].filter(Boolean).join(' '),
    below: values === undefined && exampleOf(example),
  };
}

/** What the body of an operation may hold: its forms, and its resources, which are described elsewhere. */
function bodyOf(
  document: Document,
  { id, body }: Operation,
  resources: readonly Resource[],
): Html | undefined {
  if (body === undefined) return undefined;
  const forms = formsOf(document, body.schema);
  const links = resources.map(
    (resource, index) =>
      html`${index > 0 && ' and '}<a href="#${resource.id}">the ${resource.name}</a>`,
  );
  return html`${heading(4, `${id}-body`, 'Body')} ${forms.length > 1 && html`<p>One of:</p>`}
    <ul>
      ${forms.map((form) => html`<li>${inlineMarkdown(formText(document, form, forms))}</li>`)}
    </ul>
    <p>See the fields of ${links}.</p>`;
}

/** A form of a body in words, as Markdown; of a list its shape, and what its items are unless another form says it. */
function formText(
  document: Document,
  { description, properties = {} }: Schema,
  forms: readonly Schema[],
): string {
  const lists = Object.entries(properties).flatMap(([name, { items, minItems, maxItems }]) => {
    const kinds = items?.oneOf ?? (items ? [items] : []);
    return kinds.some(nameOf) ? [{ name, minItems, maxItems, kinds }] : [];
  });
  const shapes = lists.map(
    ({ name, minItems = 0, maxItems = '' }) =>
      `\`{"${name}": […]}\` with ${minItems} to ${maxItems} items.`,
  );
  const items = lists
    .flatMap(({ kinds }) => kinds)
    .map((kind) => schemaOf(document, kind).description)
    .filter((text) => forms.every((form) => form.description !== text));
  return [...shapes, description, ...items].filter(Boolean).join(' ');
}

/** The members of a response, and of the objects in them. Resources are described elsewhere. */
function membersOf(
  document: Document,
  schema: Schema | undefined,
  resources: readonly Resource[],
): Html {
  if (schema === undefined) return html``;
  const forms = formsOf(document, schema);
  return html`${forms.map(({ description = '', properties = {} }) => {
    const members = Object.entries(properties);
    return html`${
      members.length > 0 &&
      html`${forms.length > 1 && html`<p>${inlineMarkdown(description)}</p>`}
        <dl>
          ${members.map(([name, member]) => {
            const value = member.items ?? member;
            const resource = resources.find((one) => one.schema === nameOf(value));
            return html`<div>
              <dt><code>${name}</code> <span class="note">${typeLabel(document, member)}</span></dt>
              <dd>
                ${inlineMarkdown(schemaOf(document, member).description ?? '')}
                ${
                  resource === undefined
                    ? membersOf(document, value, resources)
                    : html`See <a href="#${resource.id}">the ${resource.name}</a>.`
                }
              </dd>
            </div>`;
          })}
        </dl>`
    }`;
  })}`;
}

function headerLinks(names: readonly string[]): Html {
  const links = names.map(
    (name, index) =>
      html`${index > 0 && ', '}<a href="#headers-${slug(name)}"><code>${name}</code></a>`,
  );
  return html`<p>Headers: ${links}</p>`;
}

function exampleOf(example: unknown): Html {
  return html`<p class="note">Example: <code>${exampleText(example)}</code></p>`;
}

/** A path that may break before each slash. */
function withBreaks(path: string): Html {
  const [first = '', ...rest] = path.split(/(?=\/)/);
  return html`<code>${first}${rest.map((segment) => html`<wbr />${segment}`)}</code>`;
}
