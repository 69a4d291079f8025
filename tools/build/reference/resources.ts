import * as z from 'zod';
import type { Document, Operation, Schema } from './document.ts';
import { nameOf, schemaOf, typeLabel } from './document.ts';
import { slug } from './html.ts';

/** A kind of object that the operations of a tag read and write. */
export interface Resource {
  /** Such as `coupon-code`. */
  readonly id: string;
  /** Such as `coupon code`. */
  readonly name: string;
  /** The name of its schema in the document. */
  readonly schema: string;
  /** In Markdown. */
  readonly description: string;
  readonly fields: readonly Field[];
  /** One as a response shows it. */
  readonly example: unknown;
}

/** A field of a resource. */
export interface Field {
  readonly name: string;
  /** Its type, and whether it is required or read-only. */
  readonly note: string;
  /** What it means and what it may be, in Markdown. */
  readonly description: string;
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
  const envelope = schemaOf(document, shown.schema).properties ?? {};
  const examples = envelopes.parse(shown.examples[0]?.value);
  const body = schemaOf(document, sent.schema);
  return Object.entries(envelope).map(([key, property]) => {
    const schema = nameOf(property) ?? key;
    const name = schema.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
    const { description = '', properties = {} } = schemaOf(document, property);
    return {
      id: slug(name),
      name,
      schema,
      description,
      fields: fieldsOf(document, properties, schemaOf(document, body.properties?.[key] ?? body)),
      example: examples[key],
    };
  });
}

function fieldsOf(
  document: Document,
  shown: Readonly<Record<string, Schema>>,
  sent: Schema,
): Field[] {
  return Object.entries(shown).map(([name, property]) => {
    const input = sent.properties?.[name];
    const isWritable = input !== undefined && input.readOnly !== true;
    const presence = !isWritable
      ? ', read-only'
      : sent.required?.includes(name)
        ? ', required'
        : '';
    return {
      name,
      note: typeLabel(document, property) + presence,
      description: (isWritable ? input : property).description ?? '',
      example: property.examples?.[0],
    };
  });
}
