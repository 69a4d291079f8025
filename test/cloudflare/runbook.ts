import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Token } from 'marked';
import { marked } from 'marked';
import { ROOT } from './project.ts';

/** Where the documents tell operators what to type: whole files, or sections by their headings. One that is not there is left out. */
const DOCUMENTS: readonly { readonly file: string; readonly sections?: readonly string[] }[] = [
  { file: 'README.md', sections: ['Deploying', 'Operating'] },
  { file: 'docs/deploying.md' },
  { file: 'docs/operating.md' },
];

/** What only operators type, wherever a document says it. */
const OPERATORS_COMMAND =
  /^(?:\w+=\S* )*(?:npx wrangler |npm run deploy\b|npm run (?:admin|verify) -- )/;

/** The commands of operators' documents, as they are written. */
export function documentedCommands(): string[] {
  return unique(
    DOCUMENTS.filter(({ file }) => existsSync(join(ROOT, file))).flatMap(({ file, sections }) =>
      commandsOf(sectionsOf(tokensOf(file), sections)),
    ),
  );
}

/** The commands for operators in all documents of the project. */
export function commandsAnywhere(): string[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: ROOT,
  })
    .toString()
    .split('\n')
    .filter((file) => existsSync(join(ROOT, file)) && file !== '');
  return unique(files.flatMap((file) => commandsOf(tokensOf(file)))).filter((command) =>
    OPERATORS_COMMAND.test(command),
  );
}

function tokensOf(file: string): Token[] {
  return marked.lexer(readFileSync(join(ROOT, file), 'utf8'));
}

/** What stands under the headings, up to the next one of the same rank; all of it without headings. */
function sectionsOf(tokens: readonly Token[], sections?: readonly string[]): Token[] {
  if (sections === undefined) return [...tokens];
  let depth = 0;
  return tokens.filter((token) => {
    if (token.type === 'heading') {
      if (sections.includes(String(token['text']))) depth = Number(token['depth']);
      else if (Number(token['depth']) <= depth) depth = 0;
    }
    return depth > 0;
  });
}

/** The lines of all blocks of shell code without comments, and operators' commands in the text. */
function commandsOf(tokens: readonly Token[]): string[] {
  const commands: string[] = [];
  void marked.walkTokens([...tokens], (token) => {
    if (token.type === 'codespan' && OPERATORS_COMMAND.test(String(token['text']))) {
      commands.push(String(token['text']));
    }
    if (token.type !== 'code' || token['lang'] !== 'sh') return;
    const lines = String(token['text'])
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.trim());
    commands.push(...lines.filter((line) => line !== '' && !line.startsWith('#')));
  });
  return commands;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
