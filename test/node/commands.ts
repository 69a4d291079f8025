import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Returns the commands of a program that do something: all but the groups of others. */
export function commandsOf(program: CommandUnknownOpts): CommandUnknownOpts[] {
  return program.commands.length === 0 ? [program] : program.commands.flatMap(commandsOf);
}

/** Returns the words of a command behind the name of its program, such as `key` and `issue`. */
export function wordsOf(command: CommandUnknownOpts): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
