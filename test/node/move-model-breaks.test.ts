import { expect, it } from 'vitest';
import { breaks } from './move-model/breaks.ts';
import { broken, harmless } from './move-model/broken.ts';
import { configurations } from './move-model/configurations.ts';
import { explore } from './move-model/explore.ts';
import { systemOf } from './move-model/system.ts';

// The protocol of a move without one of its rules, each time another one. The exploration finds what goes wrong, and the
// shortest way to it, which a file in `move-model/traces` tells.

it.each(broken)('finds what goes wrong if $how', async ({ how, inSetup }) => {
  const { violation } = explore(systemOf({ ...configurations[inSetup], broken: how }));
  if (violation === undefined) throw new Error('The exploration found nothing wrong.');
  const sentences = violation.trace.map((sentence, i) => `${i + 1}. ${sentence}`);
  const told = [`If ${breaks[how]}:`, '', ...sentences, '', violation.fault, ''];
  await expect(told.join('\n')).toMatchFileSnapshot(`move-model/traces/${how}.txt`);
});

it.each(harmless)('finds that nothing is lost if $how', ({ how, inSetup }) => {
  const { violation } = explore(systemOf({ ...configurations[inSetup], broken: how }));
  expect(violation).toBeUndefined();
});
