import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Operation } from '../operations.ts';
import { heading } from './heading.ts';

/**
 * What an operation answers if it succeeds.
 * @param common names of the headers that every response has, which are described once
 */
export function returns({ id, successes }: Operation, common: ReadonlySet<string>): Html {
  return html`${heading(4, `${id}-returns`, 'Returns')}
    <dl class="returns">
      ${successes.map(
        ({ status, description, headers = {} }) =>
          html`<div>
            <dt class="status ok">${status}</dt>
            <dd>
              ${inlineMarkdown(description)}
              ${Object.entries(headers)
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
