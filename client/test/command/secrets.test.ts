import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Secrets } from '../../src/stores/secrets.ts';
import { shortened } from '../../../common/terminal/printable.ts';
import { connectedStore } from './woocommerce-shop.ts';
import { KEY, product, SECRET } from './woocommerce-stand-in.ts';

const LONG = 'cs_76543210fedcba9876543210fedcba9876543210';

/** Expects that a text has no part of a secret. @param length the length of the parts */
function expectNoPart(text: string, secret: string, length = 8): void {
  for (let at = 0; at + length <= secret.length; at++) {
    expect(text).not.toContain(secret.slice(at, at + length));
  }
}

const secrets = new Secrets(LONG, 'a key+/with marks');

it('A text that is shown has no secret, as it is and as it is written in an address, and no part of one', () => {
  expect(secrets.hide(`Key: ${LONG}, and more`)).toBe('Key: …, and more');
  expect(secrets.hide('?key=a%20key%2B%2Fwith%20marks&x')).toBe('?key=…&x');
  expect(secrets.hide(`Authorization: ${LONG.slice(5, 30)}`)).toBe('Authorization: …');
  expect(secrets.hide(`${LONG}${LONG}`)).toBe('……');
  expect(secrets.hide('cs_7 and 543210')).toBe('cs_7 and 543210');
});

it('A text that is shown has no secret, wherever it was cut before', () => {
  const text = fc.string({ maxLength: 80 });
  fc.assert(
    fc.property(text, text, fc.nat(120), (before, after, longest) => {
      const cut = secrets.hide(shortened(`${before} ${LONG} ${after}`, longest));
      const parts = cut.split('…').map((part) => part.replaceAll(before, ''));
      for (const part of parts) expectNoPart(part, LONG, 5);
    }),
  );
});

it('A text that is shown has no API key', () => {
  expect(new Secrets().hide('the key bik_0123456789abc')).toBe('the key bik_…');
});

it('A store that writes the keys into its products sees none of them, nor what is made of them', async () => {
  const { store, sync, command } = await connectedStore();
  const basic = btoa(`${KEY}:${SECRET}`);
  const all = [KEY, SECRET, basic];
  // Cut at 60, a value ends within each of them.
  store.products.push(
    ...all.flatMap((secret, index) =>
      [0, 30, 52].map((length) =>
        product(10 * index + length, {
          name: `${'n'.repeat(length)} ${secret}`,
          description: `${'d'.repeat(length + 60)} Basic ${secret}`,
          regular_price: `${'p'.repeat(length)} ${secret}`,
          stock_quantity: `${'s'.repeat(length)} ${secret}`,
        }),
      ),
    ),
    product(900, { name: 'One' }),
  );
  const outputs = [];
  for (const words of [['--dry-run'], ['--dry-run', '--json'], ['--record']]) {
    outputs.push(await sync(words));
  }
  // Now there are resources to compare with.
  for (const one of store.products) Object.assign(one, { description: `changed: Basic ${basic}` });
  outputs.push(await sync(['--dry-run', '--verbose']));
  const whoami = await command(['whoami']);
  for (const { stdout, stderr } of [...outputs, whoami]) {
    for (const secret of all) expectNoPart(stdout + stderr, secret, 5);
  }
  expect(whoami.stdout).toMatch(/Last error: .*…/);
  expect(outputs[3]?.stdout).toMatch(/description: .* → "changed: Basic …"/);
});

// Last: nothing else happens meanwhile, and a server closes what is idle.
it('Hiding takes time in proportion to a text, whatever it is', () => {
  const bytes = 2 ** 21;
  const texts = ['x', LONG, '…', LONG.slice(0, 7), `${LONG}…`];
  for (const one of texts) {
    const text = one.repeat(bytes / one.length);
    const start = performance.now();
    expectNoPart(secrets.hide(text).slice(0, 1000), LONG);
    expect(performance.now() - start).toBeLessThan(10_000);
  }
});
