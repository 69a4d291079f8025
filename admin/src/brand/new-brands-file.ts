import * as z from 'zod';
import { Failure } from '../../../common/failure.ts';
import { parseLifetime } from '../arguments.ts';
import type { KeyOptions } from '../key/keys.ts';
import { readTextFile } from '../text-file.ts';
import { checkedName, checkedText } from '../validation.ts';

/** A brand to create, with what is special about its first key. */
export interface NewBrand extends Pick<KeyOptions, 'label' | 'scope' | 'expiresIn'> {
  readonly brandName: string;
}

const ndjsonLine = z.strictObject({
  brandName: z.string(),
  label: z.string().optional(),
  scope: z.enum(['read', 'write']).optional(),
  expiresIn: z
    .string()
    .transform((text) => parseLifetime(text))
    .optional(),
});

/**
 * Reads a list of brands: a name a line, or JSON objects. Empty lines are skipped.
 * @param options what holds for a brand whose line does not say otherwise
 * @throws Failure that names the first line that cannot be a brand
 */
export async function readNewBrands(
  file: string,
  options: Omit<NewBrand, 'brandName'>,
): Promise<readonly NewBrand[]> {
  const text = await readTextFile(file);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const brands = lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [{ ...options, ...brandOf(line) }];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Failure(`${file}, line ${index + 1}: ${reason} Nothing was created.`);
    }
  });
  if (brands.length === 0) throw new Failure(`${file} names no brand.`);
  return brands;
}

/** @throws Error that says what is wrong with it */
function brandOf(line: string): NewBrand {
  const { brandName, label, scope, expiresIn } = line.trim().startsWith('{')
    ? parsed(line)
    : { brandName: line };
  return {
    brandName: checkedName(brandName),
    ...(label !== undefined && { label: checkedText('label', label) }),
    ...(scope !== undefined && { scope }),
    ...(expiresIn !== undefined && { expiresIn }),
  };
}

function parsed(line: string): z.infer<typeof ndjsonLine> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Failure('It begins with { and is no JSON object.');
  }
  const { success, data, error } = ndjsonLine.safeParse(value);
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new Failure(`${problems.join('; ')}.`);
}
