import type { SqlValue } from '../../src/operator.ts';
import {
  brands,
  InvalidRequest,
  isId,
  newProfileRow,
  singleLineText,
  validate,
} from '../../src/operator.ts';
import { withoutKeys } from '../../common/terminal/printable.ts';
import { Failure } from '../../common/failure.ts';

/** The rules of what an operator writes, by what an error calls it. */
const TEXTS = {
  label: singleLineText(0, 255),
  reason: singleLineText(1, 1000),
  'name given by --actor': singleLineText(1, 255),
  // Like a brand's name: a longer text is in no name.
  'text given by --search': singleLineText(0, 255),
};

/**
 * Validates what an operator wrote. Returns it as it is stored: trimmed and in NFC, like every string of the API.
 * @throws Failure
 */
export function checkedText(what: keyof typeof TEXTS, text: string): string {
  return checked(what, text, () => validate(TEXTS[what], text));
}

/**
 * Returns the profile of a new brand, by column: its validated name, and defaults.
 * @throws Failure if the name breaks the rule of the API field
 */
export function checkedProfile(brandName: string): ReadonlyMap<string, SqlValue> {
  return checked('brand name', brandName, () => newProfileRow(brandName));
}

/** Returns the name of a brand as it is stored. @throws Failure if it breaks the rule of the API field */
export function checkedName(brandName: string): string {
  return String(checkedProfile(brandName).get(brands.brandName.name));
}

/**
 * Validates the id of a brand or key.
 * @throws Failure if it is not a UUID
 */
export function checkedId(noun: 'brand' | 'key', id: string): string {
  // Not repeated, because it is a secret.
  if (withoutKeys(id) !== id) {
    throw new Failure(
      `This is an API key, not the id of a ${noun}. ${noun === 'key' ? 'key list shows the id beside the first 12 characters of each key.' : 'brand list shows the ids.'}`,
    );
  }
  if (!isId(id)) {
    const hint =
      noun === 'brand'
        ? ` To find the id of a brand: brand list --search ${JSON.stringify(id)}`
        : '';
    throw new Failure(`There is no ${noun} ${id}.${hint}`);
  }
  return id;
}

/** More than the 12 characters of a key that the database holds. */
const KEY_TEXT = /bik_[0-9A-Za-z]{9}/;

function checked<T>(what: string, text: string, validated: () => T): T {
  if (KEY_TEXT.test(text)) {
    throw new Failure(
      `The ${what} contains an API key, and would be stored. Write its keyId, or its first 12 characters.`,
    );
  }
  try {
    return validated();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const expected = error.problems.map(({ message }) => message).join('; ');
    throw new Failure(`The ${what} is not valid: ${expected}.`);
  }
}
