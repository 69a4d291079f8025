import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

interface Algorithm {
  readonly name: string;
  /** The least that is compressed, in bytes. */
  readonly minimum: number;
  readonly create: () => Transform;
}

/** The response that the edge received, by lower-case names of headers. */
export interface Compressible {
  readonly method: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

// All from https://developers.cloudflare.com/speed/optimization/content/compression/ unless another page is named.

// The order is that of the Free plan; Pro and Business prefer Brotli, Enterprise Gzip. Each chunk is flushed, so that a
// stream stays one.
const ALGORITHMS: readonly Algorithm[] = [
  {
    name: 'zstd',
    minimum: 50,
    create: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
  },
  {
    name: 'br',
    minimum: 50,
    create: () =>
      createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
      }),
  },
  { name: 'gzip', minimum: 48, create: () => createGzip({ flush: constants.Z_SYNC_FLUSH }) },
];

// Of the documented types, those that the service and its reference page send.
const TYPES = new Set([
  'application/javascript',
  'application/json',
  'application/manifest+json',
  'image/svg+xml',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
]);

// Successful responses are compressed only with 200, errors only with 403 and 404.
const STATUSES = new Set([200, 403, 404]);

/**
 * How Cloudflare compresses a response; undefined where it does not.
 * @param acceptEncoding what the client sent
 */
export function chooseCompression(
  { method, status, headers }: Compressible,
  acceptEncoding: string,
): Algorithm | undefined {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const isEligible =
    STATUSES.has(status) &&
    TYPES.has(type.trim().toLowerCase()) &&
    !headers.has('content-encoding') &&
    !/\bno-transform\b/i.test(headers.get('cache-control') ?? '') &&
    // Not documented; there is nothing to compress.
    method !== 'HEAD';
  if (!isEligible) return undefined;
  const length = Number(headers.get('content-length') ?? Infinity);
  const accepted = acceptedNames(acceptEncoding);
  return ALGORITHMS.find(({ name, minimum }) => length >= minimum && accepted.has(name));
}

function acceptedNames(acceptEncoding: string): Set<string> {
  const members = acceptEncoding.toLowerCase().split(',');
  const accepted = members.filter((member) => !/;\s*q=0(?:\.0*)?\s*$/.test(member));
  return new Set(accepted.map((member) => member.split(';')[0]?.trim() ?? ''));
}

/**
 * The headers of a response that is compressed. Content-Length goes. A strong ETag becomes weak, and one without quotes
 * goes (https://developers.cloudflare.com/cache/reference/etag-headers/, "Respect Strong ETags" disabled).
 */
export function compressedHeaders(
  headers: ReadonlyMap<string, string>,
  { name }: Algorithm,
): Map<string, string> {
  const changed = new Map(headers).set('content-encoding', name);
  changed.delete('content-length');
  const vary = headers.get('vary');
  changed.set('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
  const tag = headers.get('etag') ?? '';
  if (/^"[^"]*"$/.test(tag)) changed.set('etag', `W/${tag}`);
  else if (!/^W\/"[^"]*"$/.test(tag)) changed.delete('etag');
  return changed;
}
