import { spawnSync } from 'node:child_process';
import { optionsKeptByNpm } from './npm-options.ts';
import { ROOT, WRANGLER } from './wrangler.ts';

// Applies the migrations and deploys the top level of wrangler.toml. It is no line of package.json, because npm would
// give arguments to its last command alone: the migrations of another database would be applied before they are seen.
if (process.argv.length > 2 || optionsKeptByNpm(['env']).length > 0) {
  process.stderr.write(
    `error: npm run deploy takes no arguments. It deploys the top level of wrangler.toml. For an environment, run:
  npx wrangler d1 migrations apply DB --remote --env NAME
  npx wrangler deploy --minify --env NAME
`,
  );
  process.exit(1);
}
// The empty environment is the top level, even if CLOUDFLARE_ENV names another one.
for (const args of [
  ['d1', 'migrations', 'apply', 'DB', '--remote', '--env='],
  ['deploy', '--minify', '--env='],
]) {
  // At the terminal of the person, whom wrangler asks.
  const { status } = spawnSync(process.execPath, ['--no-warnings', WRANGLER, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
