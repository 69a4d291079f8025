import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Token, Tokens } from 'marked';
import { Marked } from 'marked';
import type { Code } from './code.ts';
import { codePanel } from './code.ts';
import type { Html } from './html.ts';
import { heading, html, raw, slug } from './html.ts';
import { CLIENT } from './samples.ts';

export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
  /** All code in it, in order. */
  readonly samples: readonly Code[];
}

/** The files in `guides`, in the order in which they are read. */
const NAMES = ['start', 'authentication', 'errors', 'paging', 'retries', 'sync'];

/** The documents whose parts the guides share, for readers who have only the page. */
const SHARED = ['docs/integrating.md', 'docs/reference.md'];

/** The client in Python, which a guide shows whole. */
const PYTHON = 'docs/brand_api.py';

/**
 * Reads the guides.
 * @throws Error if a guide names a part that no shared document has
 */
export async function readGuides(): Promise<Guide[]> {
  const shared = await Promise.all(SHARED.map((file) => readFile(file, 'utf8')));
  const python = (await readFile(PYTHON, 'utf8')).trimEnd();
  shared.push(`<!-- ${PYTHON} -->\n\n\`\`\`python\n${python}\n\`\`\`\n\n<!-- /${PYTHON} -->`);
  return Promise.all(
    NAMES.map(async (id) => {
      const text = await readFile(join(import.meta.dirname, 'guides', `${id}.md`), 'utf8');
      return guideOf(id, withParts(text, shared.join('\n')));
    }),
  );
}

/** Puts the part of the documents between `<!-- name -->` and `<!-- /name -->` where a guide has `<!-- name -->`. */
function withParts(guide: string, documents: string): string {
  return guide.replaceAll(/^<!-- (.+) -->$/gm, (start, name: string) => {
    const part = documents.split(start)[1]?.split(`<!-- /${name} -->`)[0];
    if (part === undefined) throw new Error(`No shared document has a part ${start}.`);
    return part;
  });
}

/** The guide that a text in Markdown makes. Code in several languages, one after the other, is one sample. */
function guideOf(id: string, text: string): Guide {
  const guide = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        // As in the documents, whose parts have links to headings.
        const target = depth === 1 ? id : slug(title);
        return heading(depth + 1, target, raw(this.parser.parseInline(tokens))).toString();
      },
    },
  });
  const tokens = guide.lexer(text).filter(({ type }) => type !== 'space');
  const groups: [Token, ...Token[]][] = [];
  for (const token of tokens) {
    const group = groups.at(-1);
    const before = codesIn(group ?? []).at(-1);
    // JSON is a response.
    if (group && before && before.language !== 'json' && token.type === 'code') group.push(token);
    else groups.push([token]);
  }
  const title = /^# (.+)$/m.exec(text)?.[1] ?? id;
  const pieces = groups.map((group, index) =>
    group[0].type === 'code'
      ? codePanel(`${id} ${index}`, title, codesIn(group))
      : raw(guide.parser(group)),
  );
  const content = html`<section class="guide">${pieces}</section>`;
  return { id, title, content, samples: codesIn(tokens) };
}

/** The code among tokens. Programs in TypeScript that do not create a client have one before them. */
function codesIn(tokens: readonly Token[]): Code[] {
  return tokens
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map(({ lang = '', text }) => ({
      language: lang,
      text: lang === 'ts' && !text.includes('BrandClient') ? CLIENT + text : text,
    }));
}
