import { expect, it } from 'vitest';
import { takeBrand } from '../../../test/node/pool.ts';
import { tinyshop } from '../fixtures/tinyshop.ts';
import { commandOf } from './commanded.ts';

const BUG =
  /This is a bug of brand-integration \d+\.\d+\.\d+\. Report it with these lines:\nTypeError: Oops bik_…\n {4}at .*bugs\.test\.ts/;

it.each([['read'], ['sync']])('A bug prints where it is from: %s', async (name) => {
  const command = commandOf(await takeBrand());
  const stores = [
    {
      ...tinyshop,
      connect: (): never => {
        throw new TypeError('Oops bik_0123456789abc');
      },
    },
  ];
  const { code, stderr } = await command([name, '--from', 'tinyshop'], { stores });
  expect(code).toBe(1);
  expect(stderr).toMatch(BUG);
  expect(stderr).toMatch(/^error: .*Oops/m);
});

it('A mistake of a person does not print where it is from', async () => {
  const command = commandOf(await takeBrand());
  for (const words of [['read', 'nothing-there'], ['list', '--where', 'a=b'], ['read']]) {
    expect((await command(words)).stderr).not.toMatch(/bug|\n {4}at /);
  }
});
