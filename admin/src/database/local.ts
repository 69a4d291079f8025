import { resolve } from 'node:path';
import type { PlatformProxy } from 'wrangler';
import type { DatabaseBinding, DatabaseBindings } from '../../../src/operator.ts';
import { INTERRUPTIONS } from '../../../common/terminal/interruption.ts';
import { endOrphans } from '../../../common/wrangler/orphans.ts';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import { Failure } from '../../../common/failure.ts';
import { CONFIGURATION } from './configuration.ts';

const openFolders = new Map<string | undefined, Promise<PlatformProxy<DatabaseBindings>>>();

/**
 * Opens a local database in this process, with the runtime and the file of `wrangler dev`, which may run at the same time.
 * @param folder the folder of the local databases, instead of wrangler's default
 * @throws Failure if the configuration does not have it, and what wrangler throws
 */
export async function openLocally(binding: DatabaseBinding, folder?: string): Promise<D1Database> {
  const databases = openFolders.get(folder) ?? openFolder(folder);
  openFolders.set(folder, databases);
  const database = (await databases).env[binding];
  if (database === undefined) throw new Failure(`wrangler.toml has no binding ${binding}.`);
  return database;
}

async function openFolder(folder: string | undefined): Promise<PlatformProxy<DatabaseBindings>> {
  await endOrphans();
  // Loading wrangler takes longer than the rest of a command, and not every command needs a database.
  const { getPlatformProxy } = await import('wrangler');
  const ours = new Set(INTERRUPTIONS.flatMap((signal) => process.listeners(signal)));
  const databases = await getPlatformProxy<DatabaseBindings>({
    // The empty environment is the top level, even if a file .env names another one.
    configPath: CONFIGURATION,
    environment: '',
    remoteBindings: false,
    ...(folder !== undefined && { persist: { path: resolve(ROOT, folder, 'v3') } }),
  });
  // The runtime's own would end this process before the command can say what it leaves.
  for (const signal of INTERRUPTIONS) {
    const added = process.listeners(signal).filter((listener) => !ours.has(listener));
    for (const listener of added) process.off(signal, listener);
  }
  return databases;
}

/** Closes what this process has opened. One that ends need not. */
export async function closeLocalDatabases(): Promise<void> {
  const all = await Promise.allSettled(openFolders.values());
  openFolders.clear();
  for (const one of all) if (one.status === 'fulfilled') await one.value.dispose();
}
