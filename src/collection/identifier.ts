import type { Context } from 'hono';
import { v7 } from 'uuid';
import { NotFound } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { Collection } from './collection.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Generates an id: a UUIDv7 (RFC 9562), higher than all earlier ones of this isolate, so that ids sort by time of
 * creation.
 */
export function newId(): string {
  return v7();
}

/** Whether a text can be the id of a resource: a lower-case UUID. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/**
 * Returns the id in the path of an item.
 * @throws NotFound if it is not a lower-case UUID, because no resource can have it
 */
export function readId(c: Context<ApiEnv>, { noun }: Collection): string {
  const id = c.req.param('id') ?? '';
  if (!isId(id)) throw new NotFound(noun);
  return id;
}
