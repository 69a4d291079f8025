import { expect, it } from 'vitest';
import { resourceOf, TestBrand } from './support/brand.ts';
import { couponCodes } from './support/collections.ts';
import { meter } from './support/meter.ts';

const { path, full } = couponCodes;
const bare = couponCodes.bare(1);

it.each(['SAVE10', 'save10', 'Save10', 'sAVE10'])(
  'A code is taken by SAVE10 for POST, PUT and PATCH, in any case: %s',
  async (code) => {
    const brand = await TestBrand.create();
    await brand.create(path, { ...bare, code: 'SAVE10' });
    const other = await brand.create(path, { ...full, code: 'OTHER' });
    const before = await brand.send('GET', path);
    for (const [method, where, body] of [
      ['POST', path, { ...bare, code }],
      ['PUT', `${path}/${other.id}`, { ...bare, code }],
      ['PATCH', `${path}/${other.id}`, { code, active: true }],
    ] as const) {
      const metered = meter();
      const answer = await brand.send(method, where, body, metered);
      expect(answer.status, method).toBe(409);
      expect(answer.body, method).toEqual({ error: `Coupon code "${code}" already exists.` });
      expect([metered.calls, metered.rowsWritten], method).toEqual([1, 0]);
      expect((await brand.send('GET', path)).text, method).toBe(before.text);
    }
  },
);

it('A code differs by the case of letters beyond A to Z, in every way to create', async () => {
  const brand = await TestBrand.create();
  const item = (code: string): object => ({ ...bare, code, storeDiscountId: code });
  await brand.create(path, item('ÄRMEL 20'));
  const single = await brand.send('POST', path, item('äRMEL 20'));
  const pushed = ['Ärmel Ö', 'ärmel Ö', 'ärmel ö'];
  const bodies = { code: pushed.slice(0, 2), storeDiscountId: pushed.slice(1) };
  expect(single.status).toBe(201);
  for (const [match, texts] of Object.entries(bodies)) {
    const answer = await brand.send('POST', `${path}?match=${match}`, {
      couponCodes: texts.map(item),
    });
    expect(answer.status, answer.text).toBe(200);
  }
  const taken = await brand.send('POST', path, item('äRMel ö'));
  expect(taken.body).toEqual({ error: 'Coupon code "äRMel ö" already exists.' });
  expect((await brand.list(path)).map(({ code }) => code)).toEqual([
    'ÄRMEL 20',
    'äRMEL 20',
    ...pushed,
  ]);
});

it('The text of a conflict contains the code as sent', async () => {
  const brand = await TestBrand.create();
  const code = `"'\\<b>%s$&`;
  await brand.create(path, { ...bare, code });
  const answer = await brand.send('POST', path, { ...bare, code });
  expect(answer.body).toEqual({ error: `Coupon code "${code}" already exists.` });
});

it.each(['PUT', 'PATCH'])(
  'A write may keep the code of its resource, in another case too: %s',
  async (method) => {
    const brand = await TestBrand.create();
    const { id } = await brand.create(path, { ...bare, code: 'SAVE10' });
    for (const code of ['SAVE10', 'Save10']) {
      const body = { code, discountPercent: 50 };
      const answer = await brand.send(method, `${path}/${id}`, body);
      expect(answer.status).toBe(200);
      expect(resourceOf(answer)).toMatchObject(body);
      expect((await brand.send('GET', `${path}/${id}`)).text).toBe(answer.text);
    }
  },
);

it('The same code in another brand is another code', async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  await brand.create(path, { ...bare, code: 'SAVE10' });
  const created = await other.create(path, { ...bare, code: 'SAVE10' });
  const { id } = await other.create(path, { ...bare, code: 'OTHER' });
  await brand.create(path, { ...bare, code: 'FREE' });
  const answer = await other.send('PATCH', `${path}/${id}`, { code: 'FREE' });
  expect(answer.status).toBe(200);
  expect(await other.list(path)).toEqual([created, resourceOf(answer)]);
});

it('The code of a deleted or renamed coupon code can be used again', async () => {
  const brand = await TestBrand.create();
  const first = await brand.create(path, { ...bare, code: 'SAVE10' });
  await brand.send('DELETE', `${path}/${first.id}`);
  const second = await brand.create(path, { ...bare, code: 'save10' });
  await brand.send('PATCH', `${path}/${second.id}`, { code: 'OTHER' });
  const third = await brand.create(path, { ...bare, code: 'SAVE10' });
  expect(third['code']).toBe('SAVE10');
});

it('Of concurrent requests with one code, one creates it', async () => {
  const brand = await TestBrand.create();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      brand.send('POST', path, { ...bare, code: index % 2 ? 'RACE' : 'race' }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  expect(await brand.list(path)).toHaveLength(1);
});
