import { printable, withoutSecrets } from '../../../common/terminal/printable.ts';
import { STORES } from '../stores/stores.ts';
import type { Surroundings } from './surroundings.ts';

/** The variables whose values nobody may see. */
const SECRETS = [
  'BRAND_API_KEY',
  ...STORES.flatMap(({ variables }) =>
    variables.filter(({ isSecret }) => isSecret).map(({ name }) => name),
  ),
];

/** Returns a text without the secrets of the environment. Whatever a person reads passes through here. */
export function harmless({ env }: Pick<Surroundings, 'env'>, text: string): string {
  return withoutSecrets(
    text,
    SECRETS.map((name) => (env[name] ?? '').trim()),
  );
}

/** Writes a sentence as one line on standard error. */
export function sayError(around: Surroundings, sentence: string): void {
  around.stderr.write(`error: ${printable(harmless(around, sentence))}\n`);
}
