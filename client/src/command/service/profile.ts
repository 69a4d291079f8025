import type { BrandClient, CallOptions, Profile, Tagged } from '../../index.ts';
import { Failure } from '../../stores/failure.ts';

/**
 * Reads the profile of the key.
 * @throws Failure if it has no connection: another service answered
 */
export async function readProfile(
  client: BrandClient,
  options?: CallOptions,
): Promise<Tagged<Profile>> {
  const profile = await client.getProfile(options);
  const connection: unknown = profile.data.connection;
  if (Object(connection) === connection) return profile;
  throw new Failure('The response has no connection. Is the address of the service right?');
}
