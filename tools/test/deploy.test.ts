import { expect, it } from 'vitest';
import type { Environment, Wrangler } from '../deploy/deploy.ts';
import { deploy, tryBundle } from '../deploy/deploy.ts';
import { readWorkflow } from './workflow.ts';

const ID = '01890000-0000-7000-8000-000000000000';
const known = ['staging', 'production'];
const first = { number: 0, name: 'brands', id: ID };
const second = { number: 1, name: 'brands-1', id: ID };

/** Notes what wrangler is told to do. The command with this text fails, and this one's migrations are refused by a person. */
function played({ failing = 'nothing', refused }: { failing?: string; refused?: string } = {}): {
  readonly calls: readonly string[];
  readonly wrangler: Wrangler;
} {
  const calls: string[] = [];
  const note = (args: readonly string[]): string => {
    calls.push(args.join(' '));
    return args.join(' ');
  };
  return {
    calls,
    wrangler: {
      type: (args) => (note(args).includes(failing) ? 1 : 0),
      mayAsk: refused !== undefined,
      read: (args) =>
        Promise.resolve(
          refused !== undefined && note(args).includes(refused)
            ? 'Migrations to be applied: 0002_later.sql'
            : 'No migrations to apply!',
        ),
    },
  };
}

function environment(
  name: string | undefined,
  ...databases: Environment['databases']
): Environment {
  return { name, databases, known };
}

it('A deployment migrates all databases, one after another, and then deploys', async () => {
  const { calls, wrangler } = played();
  await deploy(environment('production', first, second), wrangler);
  expect(calls).toEqual([
    'd1 migrations apply DB --remote --env=production',
    'd1 migrations apply DB_1 --remote --env=production',
    'deploy --env=production',
  ]);
});

it('A deployment without an environment takes the top level, whatever the shell names', async () => {
  const { calls, wrangler } = played();
  await deploy(environment(undefined, first), wrangler);
  expect(calls).toEqual(['d1 migrations apply DB --remote --env=', 'deploy --env=']);
});

it('A deployment is refused before anything is migrated if the environment is unknown, or an id is missing', async () => {
  const { calls, wrangler } = played();
  await expect(deploy(environment('prod', first), wrangler)).rejects.toThrow(
    'has no environment "prod". It has staging and production.',
  );
  const missing = { ...second, id: '00000000-0000-0000-0000-000000000000' };
  await expect(deploy(environment('production', first, missing), wrangler)).rejects.toThrow(
    'has zeros in place of the id of the database brands-1: create it',
  );
  expect(calls).toEqual([]);
});

it('A deployment keeps the old code if a migration fails in the second database', async () => {
  const { calls, wrangler } = played({ failing: 'DB_1' });
  await expect(deploy(environment('production', first, second), wrangler)).rejects.toThrow(
    'In database 1 (brands-1): The Worker was not deployed, because this failed: npx wrangler d1 migrations apply DB_1 --remote --env=production',
  );
  expect(calls).not.toContain('deploy --env=production');
});

it('A deployment keeps the old code if a person answers no to the migrations', async () => {
  const { calls, wrangler } = played({ refused: 'DB_1' });
  await expect(deploy(environment('production', first, second), wrangler)).rejects.toThrow(
    'In database 1 (brands-1): The migrations are not all applied, so the Worker was not deployed.',
  );
  expect(calls).not.toContain('deploy --env=production');
});

it('A deployment that is tried only bundles, and needs no database', () => {
  const { calls, wrangler } = played();
  tryBundle(environment('production'), wrangler);
  expect(calls).toEqual(['deploy --dry-run --env=production']);
});

it('A deployment from GitHub is the same command', () => {
  const steps = readWorkflow('deploy.yml').jobs['deploy']?.steps.flatMap(({ run }) => run ?? []);
  expect(steps).toEqual(['npm ci --ignore-scripts', 'npm run deploy -- --env "$TARGET"']);
});
