import { runScript } from '../../node/processes.ts';

/** All commands of the operators' tool, such as `key rotate`, as its own help lists them. */
export async function adminCommands(...group: readonly string[]): Promise<string[]> {
  const { code, stdout } = await runScript('admin', ...group, '--help');
  if (code !== 0) throw new Error(`There is no help for ${group.join(' ')}.`);
  const [, list] = stdout.split(/^Commands:\n/m);
  if (list === undefined) return [group.join(' ')];
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  const commands = await Promise.all(
    names.filter((name) => name !== 'help').map((name) => adminCommands(...group, name)),
  );
  return commands.flat();
}
