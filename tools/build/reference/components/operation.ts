import type { Document } from '../document.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { markdown } from '../markdown.ts';
import { MARKDOWN_FOLDER } from '../operation-markdown.ts';
import type { Operation } from '../operations.ts';
import { examplesOf } from '../operations.ts';
import type { Resource } from '../resources.ts';
import type { Sample } from '../samples/samples.ts';
import { bodyFields } from './body.ts';
import type { CommonNames } from './common.ts';
import { errorTable } from './errors.ts';
import { heading } from './heading.ts';
import { methodBadge } from './method.ts';
import { parameterLists } from './parameters.ts';
import { returns } from './returns.ts';
import { row } from './row.ts';
import { languageTabs, tabs } from './tabs.ts';

/** An operation: what it takes, what it answers, how it fails; and beside it samples of requests and responses. */
export function operationSection(
  document: Document,
  operation: Operation,
  resources: readonly Resource[],
  samples: readonly Sample[],
  common: CommonNames,
): Html {
  const { id, method, path, summary, description } = operation;
  const text = html`${heading(3, id, summary)}
    <p class="address">${methodBadge(method)} <code>${withBreaks(path)}</code></p>
    <p class="actions">
      <button type="button" class="action primary" data-try="${id}" aria-label="Try it: ${summary}">
        Try it
      </button>
      <a class="markdown" data-operation="${summary}" href="${MARKDOWN_FOLDER}/${id}.md"
        >Markdown</a
      >
    </p>
    ${markdown(description)} ${parameterLists(document, operation, common.parameters)}
    ${bodyFields(document, operation, resources)}
    ${returns(document, operation, resources, common.headers)} ${errorTable(operation)}`;
  return html`<article class="operation">
    ${row(text, [
      ...samples.map(({ title, codes }) => languageTabs(id, title, codes)),
      ...responses(operation),
    ])}
  </article>`;
}

function responses({ id, successes }: Operation): Html[] {
  return successes.flatMap(({ status, content }) => {
    const examples = examplesOf(content?.['application/json']);
    if (examples.length === 0) return [];
    const all = examples.map(({ summary = 'JSON', value }, index) => ({
      label: summary,
      value: String(index + 1),
      language: 'json',
      text: JSON.stringify(value, null, 2),
    }));
    return [tabs(id, `Response ${status}`, all)];
  });
}

/** A path that may break before each slash. */
function withBreaks(path: string): Html {
  const [first = '', ...rest] = path.split(/(?=\/)/);
  return html`${first}${rest.map((segment) => html`<wbr />${segment}`)}`;
}
