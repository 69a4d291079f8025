import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildCommand } from '../../bundle.js';
import { temporaryFolder } from '../../../test/node/processes.ts';

/**
 * Makes the command as it is in its package, with its name, for tests that start it as a program. In a checkout, each start
 * bundles it first, which takes longer than most commands.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { path, remove } = await temporaryFolder();
  await cp('client/bin', join(path, 'bin'), { recursive: true });
  await cp('client/package.json', join(path, 'package.json'));
  buildCommand(join(path, 'dist/command/main.cjs'));
  const command = join(path, 'brand-integration');
  await symlink('bin/brand-integration.js', command);
  project.provide('command', command);
  return remove;
}
