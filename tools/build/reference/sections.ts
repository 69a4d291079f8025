import * as z from 'zod';
import { codePanel, jsonCode } from './code.ts';
import type { Resource, Section } from './contents.ts';
import type { Operation, Parameter, Schema } from './document.ts';
import { formsOf, typeLabel } from './document.ts';
import type { Definition, Html } from './html.ts';
import { definitions, heading, html, inlineMarkdown, markdown, slug } from './html.ts';

/** A group of operations with the resources that they read and write. */
export function sectionOf(
  { id, title, description, resources, operations }: Section,
  common: ReadonlySet<string>,
): Html {
  return html`<section>
    ${heading(2, id, title)}
    <p>${inlineMarkdown(description)}</p>
    ${resources.map(resourceArticle)}
    ${operations.map((operation) => operationArticle(operation, resources, common))}
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

const errorBody = z.object({ error: z.string() });

/** An operation: what it takes, what it answers, how it fails; and beside it samples of requests and responses. */
function operationArticle(
  operation: Section['operations'][number],
  resources: readonly Resource[],
  common: ReadonlySet<string>,
): Html {
  const { id, method, path, summary, description, successes, errors, samples } = operation;
  const own = operation.parameters.filter(({ name }) => !common.has(name));
  return html`<article>
    <div>
      ${heading(3, id, summary)}
      <p class="address ${method}">${method.toUpperCase()} <code>${path}</code></p>
      ${markdown(description)} ${own.length > 0 && heading(4, `${id}-parameters`, 'Parameters')}
      ${definitions(own.map((parameter) => parameterOf(parameter, id)))}
      ${bodyOf(operation, resources)} ${heading(4, `${id}-returns`, 'Returns')}
      ${definitions(
        successes.map(({ status, description, content, headers }) => ({
          id: `${id}-${status}`,
          name: status,
          description,
          below: html`${content && membersOf(content.schema, resources)}
          ${headerLinks(Object.keys(headers))}`,
        })),
      )}
      ${heading(4, `${id}-errors`, 'Errors')}
      ${definitions(
        errors.map(({ status, description, content }) => ({
          id: `${id}-${status}`,
          name: status,
          description,
          below: html`<ul>
            ${content?.examples.map(({ value }) => html`<li><code>${errorBody.parse(value).error}</code></li>`)}
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
export function parameterOf(parameter: Parameter, id: string): Definition {
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
  const links = resources.map(
    (resource, index) =>
      html`${index > 0 && ' and '}<a href="#${resource.id}">the ${resource.name}</a>`,
  );
  return html`${heading(4, `${id}-body`, 'Body')} ${forms.length > 1 && html`<p>One of:</p>`}
    <ul>
      ${forms.map((form) => html`<li>${inlineMarkdown(formText(form))}</li>`)}
    </ul>
    <p>See the fields of ${links}.</p>`;
}

/** A form of a body in words, as Markdown. Of a list it has the shape, and what its items are if there are several kinds. */
function formText({ description, properties }: Schema): string {
  const lists = Object.entries(properties).flatMap(([name, { items, minItems, maxItems }]) =>
    minItems === undefined || maxItems === undefined
      ? []
      : {
          shape: `\`{"${name}": […]}\` with ${minItems} to ${maxItems} items.`,
          kinds: items?.oneOf?.map((kind) => kind.description) ?? [],
        },
  );
  const shapes = lists.map(({ shape }) => shape);
  return [...shapes, description, ...lists.flatMap(({ kinds }) => kinds)].join(' ');
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
        below: resource
          ? html`See <a href="#${resource.id}">the ${resource.name}</a>.`
          : membersOf(value, resources),
      };
    });
    return html`${forms.length > 1 && html`<p>${inlineMarkdown(description)}</p>`}
    ${definitions(members)}`;
  })}`;
}

function headerLinks(names: readonly string[]): Html {
  const links = names.map(
    (name, index) =>
      html`${index > 0 && ', '}<a href="#headers-${slug(name)}"><code>${name}</code></a>`,
  );
  return html`<p>Headers: ${links}</p>`;
}
