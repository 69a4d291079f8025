import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { TemporaryFolder } from './processes.ts';
import { run, runWith, temporaryFolder } from './processes.ts';

// An install script runs code on the machine of a developer or of a workflow. Only packages that package.json names may
// have one.

const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });
const lock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().default(false) })),
});

let folder: TemporaryFolder;
let unlisted: string;
let isEnforced: boolean;

beforeAll(async () => {
  folder = await temporaryFolder();
  const { path } = folder;
  const source = join(path, 'unlisted');
  await mkdir(source);
  const scripts = { postinstall: 'touch ../ran' };
  const unlistedManifest = { name: 'unlisted', version: '1.0.0', scripts };
  await writeFile(join(source, 'package.json'), JSON.stringify(unlistedManifest));
  const packed = await run('npm', 'pack', source, '--silent', '--pack-destination', path);
  expect(packed.code, packed.stderr).toBe(0);
  unlisted = join(path, 'unlisted-1.0.0.tgz');
  const [major = 0, minor = 0] = (await run('npm', '--version')).stdout.split('.').map(Number);
  isEnforced = major > 11 || (major === 11 && minor >= 16);
});

afterAll(() => folder.remove());

async function readJson<T>(schema: z.ZodType<T>, ...path: readonly string[]): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(...path), 'utf8')));
}

describe('package.json', () => {
  it('decides about each package that has an install script, and about no other', async () => {
    const { allowScripts } = await readJson(manifest, 'package.json');
    const { packages } = await readJson(lock, 'package-lock.json');
    const having = Object.keys(packages)
      .filter((path) => packages[path]?.hasInstallScript)
      .map((path) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(having)].sort());
  });

  it('keeps the script of an unlisted package from running', async ({ skip }) => {
    skip(!isEnforced, 'npm before 11.16 does not enforce allowScripts.');
    const copy = join(folder.path, 'copy');
    await mkdir(copy, { recursive: true });
    await copyFile('.npmrc', join(copy, '.npmrc'));
    const { allowScripts } = await readJson(manifest, 'package.json');
    const dependencies = { unlisted: `file:${unlisted}` };
    await writeFile(join(copy, 'package.json'), JSON.stringify({ allowScripts, dependencies }));
    // npm run passes the configuration of this project, and flags such as -s, on in the environment.
    const { code, stderr } = await runWith(
      { npm_config_strict_allow_scripts: undefined, npm_config_loglevel: undefined },
      ...(['npm', 'install', '--offline', '--prefix', copy] as const),
    );
    expect([code, existsSync(join(copy, 'node_modules/ran'))], stderr).toEqual([1, false]);
    expect(stderr).toContain('ESTRICTALLOWSCRIPTS');
  });
});
