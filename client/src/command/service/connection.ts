import { Option } from 'commander';
import type { Profile, RequestEvent, Tagged } from '../../index.ts';
import { BrandClient } from '../../index.ts';
import { serviceAddress } from '../../transport.ts';
import { say } from '../messages.ts';
import { endingFetch } from './ending-fetch.ts';
import type { CommandContext } from '../context.ts';
import { Failure, UsageError } from '../../../../common/failure.ts';

export const URL_OPTION = new Option(
  '--url <url>',
  'the address of the service; by default BRAND_API_URL',
);

export const DEBUG_OPTION = new Option(
  '--debug',
  'print each request to the service on standard error, without the key',
);

/** The values of these options. */
export interface ServiceFlags {
  readonly url?: string;
  readonly debug?: true;
}

/**
 * Returns a client, and the address of its service, without slashes at its end and without the path of the API.
 * @throws UsageError if the address or the key is not set, or cannot be one
 */
export function connect(
  context: CommandContext,
  { url: given, debug }: ServiceFlags,
): { readonly client: BrandClient; readonly url: string } {
  const { env, fetch = globalThis.fetch, signal } = context;
  const url = addressOf(given ?? env['BRAND_API_URL'] ?? '');
  const apiKey = keyOf(env['BRAND_API_KEY']);
  const ending = endingFetch(signal, fetch);
  const onRequest = debug
    ? ({ method, path, status, time }: RequestEvent): void => {
        say(context, `${method} ${path}: ${status ?? 'no answer'} in ${Math.round(time)} ms`);
      }
    : undefined;
  return { client: new BrandClient({ apiKey, baseUrl: url, ...ending, onRequest }), url };
}

/**
 * Reads the profile of the key.
 * @throws Failure if it has no connection or no name: another service answered
 */
export async function readProfile(client: BrandClient): Promise<Tagged<Profile>> {
  const profile = await client.profile.get();
  const connection: unknown = profile.data.connection;
  const name: unknown = profile.data.brand.brandName;
  if (Object(connection) !== connection) {
    throw new Failure('The response has no connection. Is the address of the service right?');
  }
  if (typeof name === 'string') return profile;
  throw new Failure('The response has no brandName. Is the address of the service right?');
}

function keyOf(text: string | undefined): string {
  const key = text?.trim() ?? '';
  if (key === '') {
    const found = text === undefined ? '' : ' It is empty.';
    throw new UsageError(`Set the environment variable BRAND_API_KEY to your API key.${found}`);
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
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol);
  if (isWeb && `${url.username}${url.password}${url.search}${url.hash}` === '') {
    return serviceAddress(url.href);
  }
  throw new UsageError(
    `The address of the service begins with https:// or http://, and has no user, query or fragment, ${EXAMPLE}.`,
  );
}
