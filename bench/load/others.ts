import * as z from 'zod';
import type { Connection } from './connection.ts';

const PROFILE = '/api/brand/v1/profile';
const COUPON_CODES = '/api/brand/v1/coupon-codes';

const coupon = z.object({ couponCode: z.looseObject({ id: z.string() }) });
const profile = z.object({ brand: z.looseObject({ contactName: z.string() }) });

/** All connections of a brand change its profile: only the own answer can be known. */
export async function patchProfile(connection: Connection): Promise<void> {
  const contactName = connection.unique().text;
  const body = { brand: { contactName }, connection: { syncEnabled: true } };
  const operation = 'patch profile';
  const call = { operation, method: 'PATCH', path: PROFILE, body };
  const answer = await connection.ask({ ...call, expected: 200 });
  if (!answer) return;
  const { brand } = profile.parse(JSON.parse(answer.text));
  connection.check(operation, brand.contactName, contactName);
}

/** Creates a coupon code; once more, in another case, it is refused; then it goes. */
export async function couponCode(connection: Connection): Promise<void> {
  const code = `code-${connection.unique().text}`;
  const call = { method: 'POST', path: COUPON_CODES };
  const body = { code, discountPercent: 12.5 };
  const made = await connection.ask({
    ...{ ...call, operation: 'create coupon code', body, expected: 201 },
  });
  if (!made) return;
  const { couponCode } = coupon.parse(JSON.parse(made.text));
  connection.checkFields('create coupon code', couponCode, body);
  const upper = { ...body, code: code.toUpperCase() };
  const taken = 'create taken code';
  const refused = await connection.ask({ ...call, operation: taken, body: upper, expected: 409 });
  if (refused) {
    const error = `Coupon code "${upper.code}" already exists.`;
    connection.check(taken, JSON.parse(refused.text), { error });
  }
  const path = `${COUPON_CODES}/${couponCode.id}`;
  await connection.ask({
    ...{ operation: 'delete coupon code', method: 'DELETE', path, expected: 200 },
  });
}
