import type { Member } from '../bodies.ts';
import { formsOf, membersOf } from '../bodies.ts';
import type { Document } from '../document.ts';
import type { Html } from '../html.ts';
import { html, slug } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Answer, Operation } from '../operations.ts';
import type { Resource } from '../resources.ts';
import type { Definition } from './definitions.ts';
import { definitions, typeNote, unfolding } from './definitions.ts';
import { fieldLinks } from './fields.ts';
import { heading } from './heading.ts';

/**
 * What an operation answers if it succeeds.
 * @param resources whose fields are described elsewhere
 * @param common names of the headers that every response has, which are described once
 */
export function returns(
  document: Document,
  { id, successes }: Operation,
  resources: readonly Resource[],
  common: ReadonlySet<string>,
): Html {
  return html`${heading(4, `${id}-returns`, 'Returns')}
    <dl class="returns">
      ${successes.map(
        (answer) =>
          html`<div>
            <dt class="status ok">${answer.status}</dt>
            <dd>
              ${inlineMarkdown(answer.description)} ${members(document, id, answer, resources)}
              ${Object.entries(answer.headers ?? {})
                .filter(([name]) => !common.has(name))
                .map(
                  ([name, header]) =>
                    html`<p><code>${name}</code>: ${inlineMarkdown(header.description)}</p>`,
                )}
            </dd>
          </div>`,
      )}
    </dl>`;
}

/** What a body holds. Of a resource, the names of its fields, which are described with it. */
function members(
  document: Document,
  id: string,
  { status, description: summary, content }: Answer,
  resources: readonly Resource[],
): Html {
  if (content === undefined) return html``;
  const names = resources.map(({ name }) => name);
  const shown = new Set<string>();
  return html`${formsOf(document, content['application/json'].schema).map((form, index) => {
    const prefix = index === 0 ? `${id}-${status}` : `${id}-${status}-${index + 1}`;
    const all = membersOf(document, [form], names).filter(
      (member) => !shown.has(JSON.stringify(member)),
    );
    for (const member of all) shown.add(JSON.stringify(member));
    return html`${
      all.length > 0 &&
      html`${form.description !== summary && html`<p>${inlineMarkdown(form.description ?? '')}</p>`}
      ${definitions(all.map((member) => definitionOf(member, prefix, resources)))}`
    }`;
  })}`;
}

/** A member as a list of definitions shows it, with what it consists of. */
function definitionOf(member: Member, prefix: string, resources: readonly Resource[]): Definition {
  const { name, type, description, values, members } = member;
  const id = `${prefix}-${slug(name)}`;
  const resource = resources.find((one) => one.name === member.resource);
  return {
    id,
    name,
    notes: [typeNote(resource === undefined ? type : type.replace('object', resource.name))],
    description,
    values,
    below:
      resource !== undefined
        ? unfolding(
            `The ${resource.fields.length} fields of the ${resource.name}`,
            fieldLinks(resource.fields),
          )
        : members.length > 0
          ? unfolding(
              `The members of ${name}`,
              definitions(members.map((one) => definitionOf(one, id, resources))),
            )
          : undefined,
  };
}
