import type { Context } from 'hono';
import { v7 } from 'uuid';
import { NotFound } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { Collection } from './collection.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new id: a UUIDv7 (RFC 9562), above all that this isolate made before, so that ids sort in order of creation. */
export function newId(): string {
  return v7();
}

/** Whether a text can be the id of a resource: a lower-case UUID. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/**
 * The id in an item route.
 * @throws NotFound if it is no lower-case UUID: no resource can have it
 */
export function readId(c: Context<ApiEnv>, { noun }: Collection): string {
  const id = c.req.param('id') ?? '';
  if (!isId(id)) throw new NotFound(noun);
  return id;
}
