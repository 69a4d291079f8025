import type { CommandUnknownOpts } from 'commander';
import { InvalidArgumentError } from 'commander';
import { isWellFormedApiKey } from '../../../src/operator.ts';

/**
 * Reads the key of a program that calls the service as a client does. Ends the program, with a sentence that does not
 * repeat the key, if there is none or it cannot be a key.
 */
export function apiKeyFor(program: CommandUnknownOpts): string {
  const apiKey = process.env['BRAND_API_KEY'] ?? '';
  if (isWellFormedApiKey(apiKey)) return apiKey;
  const problem =
    apiKey === ''
      ? 'The environment variable BRAND_API_KEY is not set.'
      : 'BRAND_API_KEY is not an API key. Copy all 53 characters that brand create, key issue or key rotate showed.';
  return program.showHelpAfterError(false).error(`error: ${problem}`);
}

/**
 * Parses the address of a service, with or without the path of the API, which the reference page shows.
 * @returns the origin
 * @throws InvalidArgumentError unless it is the address of a service
 */
export function originOf(text: string): string {
  const url = URL.parse(text);
  const isService =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^(?:\/api\/brand\/v1)?\/?$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '';
  if (isService) return url.origin;
  throw new InvalidArgumentError(
    'Write an address such as https://api.example.com, with or without /api/brand/v1.',
  );
}
