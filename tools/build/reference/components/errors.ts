import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import type { Operation } from '../operations.ts';
import { errorTextsOf } from '../operations.ts';
import { heading } from './heading.ts';

/** All errors of an operation: the status, when it comes, and the texts. */
export function errorTable({ id, summary, errors }: Operation): Html {
  return html`${heading(4, `${id}-errors`, 'Errors')}
    <table class="errors">
      <caption>
        Errors: ${summary}
      </caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">When, and the text</th>
        </tr>
      </thead>
      <tbody>
        ${errors.map(
          (error) =>
            html`<tr id="${id}-${error.status}">
              <th scope="row" class="status">${error.status}</th>
              <td>
                ${inlineMarkdown(error.description)}
                ${errorTextsOf(error).map((text) => html`<code>${text}</code>`)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
