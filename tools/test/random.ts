import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

// Runs the random tests with many runs, and a seed that they have not had: `npm run random [times] [seed]`. With the seed
// that it prints, it repeats a run; but when a program is killed is never the same.

const [times = '20', seed = String(randomInt(2 ** 31))] = process.argv.slice(2);

const files = globSync('{test,client/test,admin/test}/**/*.ts').map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));

/** Returns the files of tests that import a module, themselves or through another one beside them. */
function testsWith(module: string): readonly string[] {
  const importing = files.filter(({ text }) => text.includes(`/${module}'`));
  return importing.flatMap(({ file }) =>
    file.endsWith('.test.ts') ? file : testsWith(basename(file)),
  );
}

const tests = new Set(testsWith('random.ts'));
process.stdout.write(`Seed ${seed}, ${times} times as many runs as usual, ${tests.size} files.\n`);
const { status } = spawnSync('vitest', ['run', ...tests], {
  stdio: 'inherit',
  env: { ...process.env, RANDOM_SEED: seed, RANDOM_TIMES: times },
});
if (status !== 0) process.stderr.write(`To repeat it: npm run random ${times} ${seed}\n`);
process.exitCode = status ?? 1;
