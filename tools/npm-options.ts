import type { Command } from 'commander';

// Without `--` before them, npm takes options for its own, and reports them only in variables. The tool would run
// without them: on the local database instead of the deployed one, or for real instead of dry.

/** Options that npm has too. People may have set them for npm, for example in an `.npmrc`. */
const ALSO_OF_NPM: ReadonlySet<string> = new Set([
  'all',
  'dry-run',
  'json',
  'read-only',
  'scope',
  'yes',
]);

/** Options that npm takes for the beginning of one of its own. */
const BEGINNINGS: ReadonlyMap<string, string> = new Map([['to', 'token-description']]);

/** npm tells every script its own value. Without `--` before it, npm itself fails. */
const ALWAYS_SET = 'prefix';

/**
 * Ends a program with a sentence if npm kept an option of any of its commands.
 * @param script its name in package.json
 * @param words what npm passed on
 */
export function refuseOptionsKeptByNpm(
  program: Command,
  script: string,
  words: readonly string[] = process.argv.slice(2),
): void {
  const chosen = optionNames(chosenCommand(program, words));
  // What is set for npm itself must not be in the way of commands without this option, or of those that got it.
  const isMeant = (name: string): boolean =>
    !ALSO_OF_NPM.has(name) ||
    (chosen.includes(name) && !words.some((word) => word.split('=', 1)[0] === `--${name}`));
  const kept = [...new Set(allOptionNames(program))].filter(
    (name) => isMeant(name) && isKept(name),
  );
  if (kept.length === 0) return;
  const options = kept.map((name) => `--${name}`).join(' and ');
  const sentence = `npm kept ${options} for itself. Write -- before the arguments: npm run ${script} -- …`;
  program.showHelpAfterError(false).error(`error: ${sentence}`);
}

/** Whether npm kept an option such as `remote` or `no-expiry`. */
function isKept(name: string): boolean {
  if (name === ALWAYS_SET) return false;
  const passedOn = BEGINNINGS.get(name) ?? name.replace(/^no-/, '');
  const value = process.env[`npm_config_${passedOn.replaceAll('-', '_')}`];
  // `--no-expiry` and `--env=` leave an empty one. An option of npm's own is empty if it is off.
  return ALSO_OF_NPM.has(name) ? Boolean(value) : value !== undefined;
}

/** Returns the command that words begin with. */
export function chosenCommand(command: Command, words: readonly string[]): Command {
  const [word, ...rest] = words;
  const next = command.commands.find((one) => one.name() === word);
  return next === undefined ? command : chosenCommand(next, rest);
}

function allOptionNames(command: Command): string[] {
  return [...optionNames(command), ...command.commands.flatMap(allOptionNames)];
}

function optionNames({ options }: Command): string[] {
  return options.map((option) => option.name());
}
