import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/**
 * Ends a command in which an option stands where the value of another belongs, for example because a variable of a script is
 * empty. Commander would take it for the value: `--label --expires-in=90d` for a key that never expires.
 */
export function refuseOptionAsValue(program: CommandUnknownOpts, words: readonly string[]): void {
  const command = chosenCommand(program, words);
  for (const [index, word] of words.entries()) {
    // What follows is no option.
    if (word === '--') return;
    const value = words[index + 1] ?? '';
    const option = command.options.find(({ long }) => long === word);
    if (option?.required === true && /^-(?:-|[a-z]$)/i.test(value)) {
      command.error(
        `error: ${word} has no value, because ${value} is an option. If it is the value, write ${word}=${value}.`,
      );
    }
  }
}

/** Returns the command that words begin with. */
function chosenCommand(command: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  const [word, ...rest] = words;
  const next = command.commands.find((one) => one.name() === word);
  return next === undefined ? command : chosenCommand(next, rest);
}
