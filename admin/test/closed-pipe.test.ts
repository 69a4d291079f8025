import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { showNewKeys } from '../src/commands/command.ts';

/** A program that goes on after its first output could not be written. */
const PROGRAM = `
process.stdout.write('x'.repeat(1e6));
process.stderr.write('y'.repeat(1e6));
setTimeout(() => { console.log('end'); console.error('end'); }, 100);
`;

const ARGUMENTS = ['--import', './common/terminal/closed-pipe.js', '-e', PROGRAM];

it.each(['stdout', 'stderr'] as const)(
  'A reader that closes the pipe ends no program: %s',
  async (unread) => {
    const child = spawn(process.execPath, ARGUMENTS, { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child[unread].destroy();
    const said = await text(unread === 'stdout' ? child.stderr : child.stdout);
    expect([await exited, said]).toEqual([0, expect.stringMatching(/end\n$/)]);
    expect(said).not.toContain('EPIPE');
  },
);

it('A full disk fails a program in a sentence', async () => {
  const full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, ARGUMENTS, { stdio: ['ignore', full.fd, 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const said = child.stderr === null ? '' : await text(child.stderr);
  await full.close();
  expect(await exited).toBe(1);
  expect(said).toMatch(/error: The output is not complete: ENOSPC[^\n]*\n/);
  expect(said).not.toMatch(/^\s+at /m);
});

it('An operator is told of a new key that nobody has read', async () => {
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(refuse);
  const shown = showNewKeys({ json: true }, { apiKey: 'bik_' }, [{ keyId: 'the-id' }]);
  await expect(shown).rejects.toThrow(/nobody has read .* Rotate or revoke this keyId: the-id$/);
  stdout.mockRestore();
});

type Done = (error?: Error | null) => void;

function refuse(_: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean {
  const refused = typeof encoding === 'function' ? encoding : done;
  refused?.(new Error('closed'));
  return false;
}
