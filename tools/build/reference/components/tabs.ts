import { highlight } from '../highlight.ts';
import type { Html } from '../html.ts';
import { html, slug } from '../html.ts';
import type { Code } from '../markdown.ts';

/** One of several pieces of code of which one is shown. */
export interface Tab extends Code {
  readonly label: string;
  /** What the style sheet knows it by. */
  readonly value: string;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
};

/** The same in several languages. The page's script shows all samples in the language that was chosen last. */
export function languageTabs(id: string, title: string, codes: readonly Code[]): Html {
  return tabs(
    id,
    title,
    codes.map((code) => ({
      ...code,
      label: LANGUAGES[code.language] ?? code.language,
      value: code.language,
    })),
  );
}

/**
 * A panel of code with a radio button for each tab. The style sheet hides the tabs that are not chosen, so that it works
 * without a script; in print, and if scripts are off, all are shown.
 * @param id unique on the page
 */
export function tabs(id: string, title: string, all: readonly Tab[]): Html {
  const name = slug(`tabs ${id} ${title}`);
  return html`<figure class="tabs">
    <figcaption>${title}</figcaption>
    ${
      all.length > 1 &&
      html`<fieldset>
        <legend>${title}: ${id}</legend>
        ${all.map(
          ({ label, value }, index) =>
            html`<label
              ><input
                type="radio"
                name="${name}"
                value="${value}"
                ${index === 0 && 'checked'}
              />${label}</label
            >`,
        )}
      </fieldset>`
    }
    ${all.map((tab) => panel(tab, `${title}: ${tab.label}`))}
  </figure>`;
}

/** The code of a tab. It can be reached by keyboard because it may scroll. */
function panel({ label, value, language, text }: Tab, title: string): Html {
  return html`<div class="panel" data-tab="${value}">
    <p class="label">${label}</p>
    <pre tabindex="0" role="group" aria-label="${title}"><code>${highlight(
      text,
      language,
    )}</code></pre>
  </div>`;
}
