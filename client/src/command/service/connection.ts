import { Option } from 'commander';
import { BrandClient } from '../../index.ts';
import { serviceAddress } from '../../transport.ts';
import { endingFetch } from './ending-fetch.ts';
import { limitedFetch } from './limited-fetch.ts';
import type { Surroundings } from '../surroundings.ts';
import { UsageError } from '../../stores/failure.ts';

export interface ConnectionFlags {
  readonly url?: string;
}

/** A client of the service that the options name. */
export interface Connection {
  readonly client: BrandClient;
  /** The address, without slashes at its end and without the path of the API. */
  readonly url: string;
}

/** The option that says which service is meant. */
export function urlOption(): Option<'--url <url>'> {
  return new Option('--url <url>', 'the address of the service; by default BRAND_API_URL');
}

/** @throws UsageError if the address or the key is missing, or cannot be one */
export function connect(
  { env, fetch = globalThis.fetch, signal }: Surroundings,
  options: ConnectionFlags,
): Connection {
  const url = addressOf(options.url ?? env['BRAND_API_URL'] ?? '');
  const apiKey = keyOf(env['BRAND_API_KEY'] ?? '');
  return {
    client: new BrandClient({
      apiKey,
      baseUrl: url,
      ...endingFetch(signal, limitedFetch(fetch)),
    }),
    url,
  };
}

function keyOf(text: string): string {
  const key = text.trim();
  if (key === '') {
    throw new UsageError('Set the environment variable BRAND_API_KEY to your API key.');
  }
  if (!/^bik_[0-9A-Za-z]{49}$/.test(key)) {
    throw new UsageError(
      'BRAND_API_KEY is not an API key. Copy all 53 characters, which begin with bik_.',
    );
  }
  return key;
}

const EXAMPLE = 'such as https://api.example.com';

function addressOf(text: string): string {
  if (text.trim() === '') {
    throw new UsageError(
      `Which service? Set the environment variable BRAND_API_URL to its address, ${EXAMPLE}, or use --url.`,
    );
  }
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`The address of the service begins with https:// or http://, ${EXAMPLE}.`);
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new UsageError(
      `The address of the service has no user, query or fragment: write one ${EXAMPLE}.`,
    );
  }
  return serviceAddress(url.href);
}
