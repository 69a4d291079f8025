import { formsOf, membersOf } from '../bodies.ts';
import type { Document } from '../document.ts';
import type { Html } from '../html.ts';
import { html, slug } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Answer, Operation } from '../operations.ts';
import type { Resource } from '../resources.ts';
import { definitions, typeNote } from './definitions.ts';
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

/** What a body holds besides resources, such as the results of a push. */
function members(
  document: Document,
  id: string,
  { status, description: summary, content }: Answer,
  resources: readonly Resource[],
): Html {
  if (content === undefined) return html``;
  const names = resources.map(({ name }) => name);
  const shown = new Set<string>();
  return html`${formsOf(document, content['application/json'].schema).map((form) => {
    const all = membersOf(document, [form], names);
    const isNew = all.length > 0 && !shown.has(JSON.stringify(all));
    shown.add(JSON.stringify(all));
    return html`${
      isNew &&
      html`${form.description !== summary && html`<p>${inlineMarkdown(form.description ?? '')}</p>`}
      ${definitions(
        all.map(({ name, type, description }) => ({
          id: `${id}-${status}-${slug(name)}`,
          name,
          notes: [typeNote(type)],
          description,
          example: undefined,
        })),
      )}`
    }`;
  })}`;
}
