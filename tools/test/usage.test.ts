import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runScriptWith, temporaryFolder } from '../../test/node/processes.ts';
import { noteServer } from '../dev/running.ts';

it.each([
  ['dev', '--port abc'],
  ['deploy', '--envv production'],
  ['deploy', 'production'],
  ['bench', '--fast'],
  ['bench', 'sideways'],
  ['breaks', 'nobody-has-this-rule'],
])('Wrong usage ends with 2, and with what is wrong: npm run %s -- %s', async (script, words) => {
  const { code, stdout, stderr } = await runScriptWith({}, script, ...words.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: .+/);
});

describe('A second npm run dev on one folder', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is warned while the first one runs, and leaves its note', async () => {
    const says = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const folder = await temporaryFolder();
    const state = join(folder.path, 'state');
    const endFirst = await noteServer(state, 8787);
    expect(says).not.toHaveBeenCalled();
    const endSecond = await noteServer(state, 8788);
    expect(says).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^warning: Another npm run dev .* port 8787\./),
    );
    await endSecond();
    await noteServer(state, 8789);
    expect(says).toHaveBeenCalledTimes(2);
    await endFirst();
    await noteServer(state, 8790);
    expect(says).toHaveBeenCalledTimes(2);
    await folder.remove();
  });
});
