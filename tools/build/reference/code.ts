import { highlightedHtml } from './highlighter.js';
import type { Html } from './html.ts';
import { html, raw, slug } from './html.ts';

/** Where the samples send their requests, until the page's script knows better. */
export const ORIGIN = 'https://api.example.com';

export interface Code {
  /** As in a fence of Markdown: sh, ts, python or json. */
  readonly language: string;
  readonly text: string;
  /** What tells it from the others beside it; by default the name of the language. */
  readonly label?: string | undefined;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
};

/**
 * Pieces of code of which one is open, which needs no script. The page's script opens the same language everywhere.
 * @param id unique on the page
 */
export function codePanel(id: string, title: string, codes: readonly Code[]): Html {
  const name = `code-${slug(id)}`;
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${codes.map(
      ({ language, text, label = LANGUAGES[language] ?? language }, index) =>
        html`<details name="${name}" data-language="${language}" ${index === 0 && 'open'}>
          <summary>${label}</summary>
          ${block(highlight(text, language))}
        </details>`,
    )}
  </figure>`;
}

/** A piece of code with a title, and nothing to choose. */
export function plainPanel(title: string, { language, text }: Code): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <div class="only">${block(highlight(text, language))}</div>
  </figure>`;
}

/** Long lines are scrolled, also by keyboard: a wrapped line of a command is hard to read. */
function block(code: Html): Html {
  return html`<pre><code class="hljs" tabindex="0">${code}</code></pre>`;
}

export function jsonCode(value: unknown, label?: string): Code {
  return { language: 'json', text: JSON.stringify(value, null, 2), label };
}

/** Code in colours. The service's address is marked for the page's script. */
function highlight(code: string, language: string): Html {
  const colours = highlightedHtml(code, language);
  return raw(colours.replaceAll(ORIGIN, `<span data-origin>${ORIGIN}</span>`));
}
