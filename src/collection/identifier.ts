import { v7 } from 'uuid';
import { NotFound } from '../errors.ts';
import type { Collection } from './collection.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new id: a UUIDv7 (RFC 9562), above all that this isolate made before, so that ids sort in order of creation. */
export function newId(): string {
  return v7();
}

/**
 * The id in an item route.
 * @throws NotFound where it is no lower-case UUID: no resource can have it
 */
export function readId(id: string, { noun }: Collection): string {
  if (!UUID.test(id)) throw new NotFound(noun);
  return id;
}
