import type { Command } from 'commander';

/** Returns the commands of a program that do something: all but the groups of others. */
export function commandsOf(program: Command): Command[] {
  return program.commands.length === 0 ? [program] : program.commands.flatMap(commandsOf);
}

/** Returns the words of a command behind the name of its program, such as `key` and `issue`. */
export function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
