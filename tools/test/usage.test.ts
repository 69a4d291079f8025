import { expect, it } from 'vitest';
import { runScriptWith } from '../../test/node/processes.ts';

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
