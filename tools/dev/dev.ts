import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import { AdminError } from '../admin/admin-error.ts';
import { fillDemoBrand, keepDemoBrand, openDemoBrand } from './demo.ts';
import { exitCode, runWrangler, startWrangler } from '../wrangler.ts';

// Serves the API with demo data: migrations, a demo brand, then `wrangler dev` with whatever flags were given.

const flags = process.argv.slice(2);
const { values } = parseArgs({
  args: flags,
  strict: false,
  options: {
    port: { type: 'string' },
    'persist-to': { type: 'string' },
  },
});
// What wrangler does without these flags: its own folder, and the port in wrangler.toml.
const folder = String(values['persist-to'] ?? '.wrangler/state');
const service = `http://localhost:${String(values['port'] ?? 8787)}`;

/** How long the server may take to answer, in milliseconds. */
const PATIENCE = 60_000;

const migrated = await runWrangler([
  'd1',
  'migrations',
  'apply',
  'DB',
  '--local',
  '--persist-to',
  folder,
]);
if (migrated.code !== 0) {
  process.stderr.write(migrated.stdout + migrated.stderr);
  process.exit(migrated.code);
}
const { apiKey, isNew } = await openDemoBrand(folder);

const server = startWrangler(['dev', '--show-interactive-dev-session=false', ...flags], 'inherit');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.kill(signal);
  });
}
const ended = exitCode(server);

try {
  await Promise.race([greet(), ended]);
} catch (error) {
  server.kill();
  if (!(error instanceof AdminError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}
process.exit(await ended);

/** Fills a new demo brand once the server answers, and says how to try the API. */
async function greet(): Promise<void> {
  await answers();
  if (isNew) {
    await fillDemoBrand(service, apiKey);
    await keepDemoBrand(folder, apiKey);
  }
  process.stdout.write(
    `
The Brand Integration API serves a demo brand. Its key:

  ${apiKey}

Try:

  curl -H 'Authorization: Bearer ${apiKey}' ${service}/api/brand/v1/products

or the reference page, in a browser:

  ${service}/docs

`,
  );
}

async function answers(): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const deadline = Date.now() + PATIENCE;
  while (Date.now() < deadline) {
    try {
      if ((await fetch(`${service}/api/brand/v1/profile`, { headers })).ok) return;
    } catch {
      // Nobody listens yet.
    }
    await setTimeout(200);
  }
  throw new AdminError(`The server does not answer at ${service}.`);
}
