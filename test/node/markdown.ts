import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Token, Tokens } from 'marked';
import { marked } from 'marked';

export interface Block {
  /** What is written behind the opening fence, such as `sh`. */
  readonly language: string;
  readonly text: string;
}

/** Parts of the reference page, which have their own tests: `reference-page.test.ts` and `reference-samples.test.ts`. */
const GUIDES = 'tools/build/reference/guides/';

/** All documents of the project, by their path from its folder. */
export function allDocuments(): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    encoding: 'utf8',
  });
  // One that is deleted and not yet committed is listed too.
  return listed
    .split('\n')
    .filter((file) => file !== '' && existsSync(file) && !file.startsWith(GUIDES));
}

/** The fenced blocks of a document, in order, those in lists included. */
export function blocksOf(file: string): Block[] {
  return tokensOf(file).flatMap((token) =>
    isCode(token) && token.codeBlockStyle !== 'indented'
      ? [{ language: token.lang ?? '', text: token.text }]
      : [],
  );
}

/** The links and images of a document that lead to nothing: the file or the heading is not there. Others' sites are not asked. */
export function deadLinks(file: string): string[] {
  return tokensOf(file)
    .filter(isReference)
    .map(({ href }) => href)
    .filter((href) => !/^[a-z]+:/.test(href) && !leadsSomewhere(file, href));
}

function leadsSomewhere(from: string, href: string): boolean {
  const [path = '', anchor] = decodeURI(href).split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): string[] {
  return tokensOf(file)
    .filter((token) => token.type === 'heading')
    .map((token) =>
      plainText(token)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
}

/** The text of a heading without its marks. */
function plainText(token: Token): string {
  const inner = 'tokens' in token ? token.tokens : undefined;
  if (inner !== undefined) return inner.map(plainText).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

/** All paths into the project that a document names in code, such as `src/app.ts`. */
export function namedFiles(file: string): string[] {
  return tokensOf(file).flatMap((token) => {
    if (token.type !== 'codespan' || !('text' in token)) return [];
    const text = String(token.text);
    return /^(?:src|test|tools|bench|client|docs|migrations|public|\.github)\/[\w./-]*$/.test(text)
      ? [text]
      : [];
  });
}

/** Every token of a document, from the outside to the inside. */
function tokensOf(file: string): Token[] {
  const tokens: Token[] = [];
  void marked.walkTokens(marked.lexer(readFileSync(file, 'utf8')), (token) => {
    tokens.push(token);
  });
  return tokens;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

function isReference(token: Token): token is Tokens.Link | Tokens.Image {
  return token.type === 'link' || token.type === 'image';
}
