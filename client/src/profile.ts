import type { CallOptions } from './abort.ts';
import type { ChangeOptions, Tagged } from './resource.ts';
import { member, sendFields, tagged } from './resource.ts';
import type { ClientResponse, Transport } from './transport.ts';
import type { Profile, ProfileInput, ProfilePatch } from './types.ts';
import { declared } from './json.ts';

/** The operations on the profile: the brand and its store connection. Each throws BrandApiError if the service rejects the request. */
export class BrandProfile {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options?: CallOptions): Promise<Tagged<Profile>> {
    return taggedProfile(await this.#transport.send({ method: 'GET', path: 'profile' }, options));
  }

  /** Replaces all writable fields in both halves. */
  async replace(input: ProfileInput, options: ChangeOptions = {}): Promise<Tagged<Profile>> {
    return taggedProfile(await sendFields(this.#transport, 'PUT', 'profile', input, options));
  }

  /** Changes the fields in `patch`. */
  async update(patch: ProfilePatch, options: ChangeOptions = {}): Promise<Tagged<Profile>> {
    return taggedProfile(await sendFields(this.#transport, 'PATCH', 'profile', patch, options));
  }
}

/** Returns the profile of a response, which has no envelope. */
function taggedProfile(response: ClientResponse): Tagged<Profile> {
  member(response, 'brand', 'object');
  return tagged(response, declared<Profile>(response.body));
}
