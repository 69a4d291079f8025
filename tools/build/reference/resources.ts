import * as z from 'zod';
import type { Document, Schema } from './document.ts';
import { nameOf, schemaOf } from './document.ts';
import { slug } from './html.ts';
import type { Operation } from './operations.ts';
import { examplesOf } from './operations.ts';
import { valuesOf, withoutValues } from './values.ts';

/** A kind of object that the operations of a tag read and write. */
export interface Resource {
  /** Such as `coupon-code`. */
  readonly id: string;
  /** Such as `coupon code`. */
  readonly name: string;
  /** In Markdown. */
  readonly description: string;
  readonly fields: readonly Field[];
  /** One as a response shows it. */
  readonly example: unknown;
}

/** A field of a resource. */
export interface Field {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** What it means and what it may be, in Markdown. */
  readonly description: string;
  /** The values of which it has one; empty if there is no such set. */
  readonly values: readonly string[];
  readonly presence: 'required' | 'optional' | 'read-only';
  /** The value that it has if it is left out; undefined if there is no constant one. */
  readonly constantDefault: unknown;
  readonly example: unknown;
}

const envelopes = z.record(z.string(), z.unknown());

/**
 * The resources of a tag: what its operation `get…` shows, with the rules and defaults of what `replace…` takes.
 * @throws Error if there is no such pair of operations
 */
export function resourcesOf(
  document: Document,
  operations: readonly Operation[],
): readonly Resource[] {
  const shown = operations.find(({ id }) => id.startsWith('get'))?.successes[0]?.content;
  const sent = operations.find(({ id }) => id.startsWith('replace'))?.body;
  if (!shown || !sent) throw new Error('A tag has no operations get… and replace….');
  const envelope = schemaOf(document, shown['application/json'].schema).properties ?? {};
  const examples = envelopes.parse(examplesOf(shown['application/json'])[0]?.value);
  const body = schemaOf(document, sent.schema);
  return Object.entries(envelope).map(([key, property]) => {
    const words = wordsOf(nameOf(property) ?? key);
    const half = body.properties?.[key];
    const fields = fieldsOf(
      document,
      slug(words),
      schemaOf(document, property),
      half === undefined ? body : schemaOf(document, half),
    );
    return {
      id: slug(words),
      name: words,
      description: schemaOf(document, property).description ?? '',
      fields,
      example: examples[key],
    };
  });
}

/** The words of a name such as `CouponCode`, in lower case. */
export function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

function fieldsOf(document: Document, id: string, shown: Schema, sent: Schema): Field[] {
  return Object.entries(shown.properties ?? {}).map(([name, property]) => {
    const input = sent.properties?.[name];
    const isWritable = input !== undefined && input.readOnly !== true;
    const described = isWritable ? input : property;
    return {
      id: `${id}-${name}`,
      name,
      type: typeLabel(document, property),
      description: withoutValues(described.description ?? ''),
      values: valuesOf(schemaOf(document, property)),
      presence: !isWritable ? 'read-only' : sent.required?.includes(name) ? 'required' : 'optional',
      constantDefault: isWritable ? input.default : undefined,
      example: property.examples?.[0],
    };
  });
}

/** The type of a value in words, such as `string or null`. */
export function typeLabel(document: Document, property: Schema): string {
  const { type = [], format, items, anyOf, oneOf } = schemaOf(document, property);
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((one) => typeLabel(document, one)))].join(' or ');
  return [type]
    .flat()
    .map((one) => {
      if (one === 'array' && items) return `array of ${typeLabel(document, items)}s`;
      return one === 'string' && format !== undefined ? (FORMATS[format] ?? one) : one;
    })
    .join(' or ');
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  uuid: 'UUID',
  email: 'e-mail',
  hostname: 'host name',
};
