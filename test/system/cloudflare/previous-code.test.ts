import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { record } from '../../node/processes.ts';
import { openAccount } from './account/account.ts';
import { previousRevision } from './history.ts';
import { probe } from './probe.ts';
import { Project, ROOT } from './project.ts';
import { tour } from './tour.ts';

const WORKER = 'brand-integration-api';

it('the previous code works the same on the migrated tables', async ({ skip }) => {
  const revision = previousRevision();
  skip(revision === undefined, 'The history is too short: clone the repository with all of it.');
  const account = await openAccount();
  const previous = await Project.at(revision ?? '', account.environment);
  const present = await Project.copy(account.environment);
  const type = async (project: Project, line: string): Promise<string> => {
    const { code, stdout, stderr } = await project.type(line);
    if (code !== 0) throw new Error(`${line}: ${stdout}${stderr}`);
    return stdout;
  };
  const newKey = async (): Promise<string> => {
    const command = 'npm run -s admin -- brand create Probe --remote --json';
    return String(record(JSON.parse(await type(previous, command)))['apiKey']);
  };
  try {
    const { uuid } = account.databases.create(WORKER);
    for (const project of [previous, present]) {
      const toml = await project.read('wrangler.toml');
      await project.write(
        'wrangler.toml',
        toml
          .replace('00000000-0000-0000-0000-000000000000', uuid)
          // The pages say nothing about the tables, and may need packages that are no longer installed.
          .replace('command = "npm run -s docs"', 'command = "true"'),
      );
    }
    const migrate = 'npx wrangler d1 migrations apply DB --remote';
    const deploy = 'npx wrangler deploy --minify --env=""';
    await type(previous, migrate);
    await type(previous, deploy);
    const [first, second] = [await newKey(), await newKey()];
    const url = account.runtime.urlOf(WORKER);
    const before = await probe(url, first);
    expect(before.map(([, status]) => status)).toContain(201);

    await cp(join(ROOT, 'migrations'), join(previous.folder, 'migrations'), { recursive: true });
    expect(await type(previous, migrate)).toMatch(/✅|No migrations to apply/);
    expect(await probe(url, second)).toEqual(before);

    await type(present, deploy);
    for (const apiKey of [first, second]) await tour(url, apiKey);
    expect(account.unknown).toEqual([]);
  } finally {
    await account.stop();
    await previous.remove();
    await present.remove();
  }
});
