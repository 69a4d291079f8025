import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Token } from 'marked';
import { marked } from 'marked';
import { ROOT } from './project.ts';

/** Where the documents tell operators what to type. */
const DOCUMENTS = ['docs/deploying.md', 'docs/operating.md'];

/** Where they tell those who have several databases. */
export const MANY_DATABASES = ['docs/many-databases.md'];

/** What only operators type, wherever a document says it. */
const OPERATORS_COMMAND =
  /^(?:\w+=\S* )*(?:npx wrangler |npm run deploy\b|npm run (?:admin|verify|restorable) -- )/;

/** The commands of operators' documents, as they are written. */
export function documentedCommands(documents: readonly string[] = DOCUMENTS): string[] {
  return unique(documents.flatMap((file) => commandsOf(tokensOf(file))));
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
