import { reasonOf } from '../../../common/terminal/reason.ts';

const BROKE_OFF = 'The connection broke off.';
const NO_TLS = 'What listens there speaks no TLS. Should the address begin with http://?';
const UNKNOWN_ISSUER =
  'Node does not know who issued its certificate. If you trust it, set NODE_EXTRA_CA_CERTS to the file with the certificate of the issuer.';

/** What a person can do about an error of the network, by its code. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no such host. Is the address right?',
  EAI_AGAIN: 'The name of the host cannot be looked up. Is the network up?',
  ECONNREFUSED: 'Nothing listens there. Is the address right, and does the server run?',
  EHOSTUNREACH: 'The network does not reach it.',
  ENETUNREACH: 'The network does not reach it.',
  ETIMEDOUT: 'The connection took too long.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection took too long.',
  ECONNRESET: BROKE_OFF,
  EPIPE: BROKE_OFF,
  UND_ERR_SOCKET: `${BROKE_OFF} Should the address begin with https://?`,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host. Is the address right?',
  CERT_HAS_EXPIRED: 'Its certificate has expired. Tell who runs the server.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet. Is the clock of this machine right?',
};

/** Returns why there was no response, as sentences for a person, and in brackets the text of the platform. */
export function networkReason(cause: unknown): string {
  const code = codesIn(cause).find((each) => Object.hasOwn(SENTENCES, each)) ?? '';
  // OpenSSL's text names its own source files.
  const detail = `(${code.startsWith('ERR_SSL_') ? code : reasonOf(cause)})`;
  return [SENTENCES[code], detail].filter((part) => part !== undefined).join(' ');
}

function codesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  // Of a name with several addresses, each has a code.
  const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...own, ...causes.flatMap(codesIn)];
}
