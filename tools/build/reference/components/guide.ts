import type { Guide } from '../guides.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { heading } from './heading.ts';
import { row } from './row.ts';
import { languageTabs } from './tabs.ts';

/** A guide: its text, with its samples beside it. */
export function guideSection({ id, title, parts }: Guide): Html {
  return html`<article class="guide">
    ${parts.map((part, index) =>
      row(
        html`${index === 0 && heading(2, id, title)}${part.text}`,
        part.samples.map((codes, at) =>
          languageTabs(
            `${id} ${index + 1}.${at + 1}`,
            codes[0]?.language === 'json' ? 'Response' : part.heading,
            codes,
          ),
        ),
      ),
    )}
  </article>`;
}
