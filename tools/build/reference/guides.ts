import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Token, Tokens } from 'marked';
import { Marked } from 'marked';
import type { Code } from './code.ts';
import { codePanel } from './code.ts';
import type { Html } from './html.ts';
import { html, raw, slug } from './html.ts';

/** A guide of the page. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
  /** All code in it, in order. */
  readonly samples: readonly Code[];
}

/** The files in `guides`, in the order in which they are read. */
const NAMES = ['start', 'authentication', 'errors', 'paging', 'retries', 'sync'];

/** The document whose parts the guides share, for readers who have only the page. */
const SHARED = 'docs/integrating.md';

/**
 * Reads the guides.
 * @throws Error if a guide names a part that the shared document does not have
 */
export async function readGuides(): Promise<Guide[]> {
  const shared = await readFile(SHARED, 'utf8');
  return Promise.all(
    NAMES.map(async (id) => {
      const text = await readFile(join(import.meta.dirname, 'guides', `${id}.md`), 'utf8');
      return guideOf(id, withParts(text, shared));
    }),
  );
}

/** Puts the part of a document between `<!-- name -->` and `<!-- /name -->` where a guide has `<!-- name -->`. */
function withParts(guide: string, document: string): string {
  return guide.replaceAll(/^<!-- (.+) -->$/gm, (start, name: string) => {
    const part = document.split(start)[1]?.split(`<!-- /${name} -->`)[0];
    if (part === undefined) throw new Error(`${SHARED} has no part ${start}.`);
    return part;
  });
}

/** The guide that a text in Markdown makes. Code in several languages, one after the other, is one sample. */
function guideOf(id: string, text: string): Guide {
  const guide = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const target = depth === 1 ? id : `${id}-${slug(heading)}`;
        const level = depth + 1;
        return `<h${level} id="${target}"><a href="#${target}">${this.parser.parseInline(tokens)}</a></h${level}>`;
      },
    },
  });
  const tokens = guide.lexer(text).filter(({ type }) => type !== 'space');
  const title = tokens.find(isHeading)?.text ?? id;
  const pieces: Html[] = [];
  const samples: Code[] = [];
  let run: Code[] = [];
  const endRun = (): void => {
    if (run.length > 0) pieces.push(codePanel(`${id} ${pieces.length}`, title, run));
    run = [];
  };
  for (const token of tokens) {
    if (!isCode(token)) {
      endRun();
      pieces.push(raw(guide.parser([token])));
      continue;
    }
    const code = { language: token.lang ?? '', text: token.text };
    // JSON is a response, and a language that comes again begins another sample.
    const isNew = run.some(({ language }) => language === 'json' || language === code.language);
    if (isNew) endRun();
    run.push(code);
    samples.push(code);
  }
  endRun();
  return { id, title, content: html`<section class="guide">${pieces}</section>`, samples };
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
