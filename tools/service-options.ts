import { InvalidArgumentError } from 'commander';
import { isWellFormedApiKey } from '../src/auth/api-key.ts';

/**
 * Reads the key of a tool that calls the service as a client does.
 * @throws Error, with a sentence that does not repeat the key, if there is none or it cannot be a key
 */
export function apiKeyOf(environment: NodeJS.ProcessEnv): string {
  const apiKey = environment['BRAND_API_KEY'];
  if (!apiKey) throw new Error('The environment variable BRAND_API_KEY is not set.');
  if (!isWellFormedApiKey(apiKey)) {
    throw new Error(
      'BRAND_API_KEY is not an API key. Copy all 53 characters that brand create, key issue or key rotate showed.',
    );
  }
  return apiKey;
}

/**
 * Parses the option `--url`.
 * @throws InvalidArgumentError unless it is an origin
 */
export function originOf(text: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== ''
  ) {
    throw new InvalidArgumentError(
      'Write an address such as https://api.example.com, without a path.',
    );
  }
  return url.origin;
}
