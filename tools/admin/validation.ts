import { validate } from 'uuid';
import type * as z from 'zod/mini';
import { profile } from '../../src/resources/profile.ts';
import { line } from '../../src/fields/text.ts';
import { AdminError } from './admin-error.ts';

const labelText = line(0, 255);
const actorText = line(1, 255);

/**
 * A brand's name as it is stored.
 * @throws AdminError if it breaks the rule of the API's field
 */
export function checkedBrandName(name: string): string {
  const { success, data, error } = profile().full.safeParse({
    brand: { brandName: name },
    connection: {},
  });
  if (success) return String(data.brand?.['brandName']);
  throw invalid('brand name', error);
}

/**
 * A key's label as it is stored: trimmed and in NFC, as every text of the API.
 * @throws AdminError
 */
export function checkedLabel(label: string): string {
  return checked('label', labelText, label);
}

/**
 * An operator's name as it is stored.
 * @throws AdminError
 */
export function checkedActor(actor: string): string {
  return checked('name given by --actor', actorText, actor);
}

/**
 * The id of a brand or key.
 * @throws AdminError if it is no UUID, so that nothing can have it
 */
export function checkedId(noun: 'brand' | 'key', id: string): string {
  if (!validate(id)) throw new AdminError(`There is no ${noun} ${id}.`);
  return id;
}

function checked(what: string, rule: z.ZodMiniString<string>, text: string): string {
  const { success, data, error } = rule.safeParse(text);
  if (success) return data;
  throw invalid(what, error);
}

function invalid(what: string, { issues }: z.core.$ZodError): AdminError {
  return new AdminError(`The ${what} is not valid: ${issues.map(toMessage).join('; ')}.`);
}

function toMessage({ message }: { readonly message: string }): string {
  return message;
}
