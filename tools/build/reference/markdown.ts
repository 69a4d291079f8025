import type { Token, Tokens } from 'marked';
import { Marked } from 'marked';
import type { Html } from './html.ts';
import { raw, slug } from './html.ts';

const plain = new Marked();

/** A text with several paragraphs. */
export function markdown(text: string): Html {
  return raw(plain.parse(text, { async: false }));
}

/** A text within a line. */
export function inlineMarkdown(text: string): Html {
  return raw(plain.parseInline(text, { async: false }));
}

/** A part of a guide: text, and the code that stands beside it. */
export interface GuidePart {
  /** The text of its heading. */
  readonly heading: string;
  readonly text: Html;
  /** Runs of samples of the same thing in several languages. */
  readonly samples: readonly (readonly Code[])[];
}

/** A fenced block of code. */
export interface Code {
  /** What follows the fence, such as `sh`. */
  readonly language: string;
  readonly text: string;
}

/** A guide, taken apart at its headings. */
export interface ParsedGuide {
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

/**
 * Takes a guide apart: a first heading, then text and code.
 * @param id what the ids of its headings begin with
 * @throws Error if it does not begin with a heading
 */
export function parseGuide(text: string, id: string): ParsedGuide {
  const guide = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        const target = `${id}-${slug(heading)}`;
        const level = depth + 1;
        const content = this.parser.parseInline(tokens);
        return `<h${level} id="${target}"><a href="#${target}">${content}</a></h${level}>`;
      },
    },
  });
  const [title, ...tokens] = guide.lexer(text).filter(({ type }) => type !== 'space');
  if (title === undefined || !isHeading(title))
    throw new Error(`${id}: a guide begins with a heading.`);

  const parts: { heading: string; text: Token[]; samples: Code[][] }[] = [
    { heading: title.text, text: [], samples: [] },
  ];
  for (const token of tokens) {
    if (isHeading(token)) parts.push({ heading: token.text, text: [], samples: [] });
    const part = parts.at(-1);
    if (isCode(token)) {
      const code = { language: token.lang ?? '', text: token.text };
      const run = part?.samples.at(-1);
      // A language that comes again begins another sample, and JSON is a response.
      const belongs = run?.every(({ language }) => ![code.language, 'json'].includes(language));
      if (run === undefined || !belongs || code.language === 'json') {
        part?.samples.push([code]);
      } else run.push(code);
    } else part?.text.push(token);
  }
  return {
    title: title.text,
    parts: parts.map(({ heading, text, samples }) => ({
      heading,
      text: raw(guide.parser(text)),
      samples,
    })),
  };
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
