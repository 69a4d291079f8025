import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Generates an id: a UUIDv7 (RFC 9562), higher than all earlier ones of this isolate, so that ids sort by time of creation. */
export function newId(): string {
  return v7();
}

/** Whether a text can be the id of a resource: a lower-case UUID. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
