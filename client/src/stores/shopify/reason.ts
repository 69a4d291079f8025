import { isJsonObject, objectOf, textOf } from '../json.ts';
import type { StoreAnswer, StoreRequests } from '../request.ts';

/** The longest reason that is shown, in UTF-16 units. */
const LONGEST = 300;

/** What an error of OAuth says on a page of HTML. */
const ON_PAGE = /Oauth error ([^<>]{1,300})/i;

/**
 * Returns what Shopify says about a refusal, as a sentence; empty if it says nothing. Its `errors` are a text, a list of texts or
 * of objects with a message, or an object of such lists.
 */
export function reasonIn({ json, text }: StoreAnswer, requests: StoreRequests): string {
  const { errors, error, error_description: description } = objectOf(json);
  const all = [...textsIn(errors), ...textsIn(error), ...textsIn(description)];
  const said = all.length > 0 ? all.join(' ') : (ON_PAGE.exec(text)?.[1] ?? '');
  return said.trim() === '' ? '' : ` It says: "${requests.excerpt(said, LONGEST)}"`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  const message = textOf(value['message']);
  return message === undefined ? Object.values(value).flatMap(textsIn) : [message];
}
