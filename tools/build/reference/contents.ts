import * as z from 'zod';
import type { Document, Operation } from './document.ts';
import { readDocument, typeLabel } from './document.ts';
import type { Guide } from './guides.ts';
import { readGuides } from './guides.ts';
import type { Definition } from './html.ts';
import { slug } from './html.ts';
import type { Sample } from './samples.ts';
import { samplesOf } from './samples.ts';

/** A kind of object that the operations of a section read and write. */
export interface Resource {
  /** Such as `coupon-code`. */
  readonly id: string;
  /** Such as `coupon code`. */
  readonly name: string;
  readonly schema: string;
  readonly description: string;
  readonly fields: readonly Definition[];
  /** One as a response shows it. */
  readonly example: unknown;
}

/** A group of operations, which is a tag of the document. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource[];
  readonly operations: readonly (Operation & { readonly samples: readonly Sample[] })[];
}

export interface Contents {
  readonly document: Document;
  readonly guides: readonly Guide[];
  readonly sections: readonly Section[];
}

/**
 * Reads all that the page shows.
 * @param file the OpenAPI document
 * @throws Error naming what the document or a guide lacks
 */
export async function readContents(file: string): Promise<Contents> {
  const document = await readDocument(file);
  const sections = document.tags.map(async ({ name, description }) => {
    const own = document.operations.filter(({ tag }) => tag === name);
    const operations = own.map(async (one) => ({ ...one, samples: await samplesOf(one) }));
    return {
      id: slug(name),
      title: name,
      description,
      resources: resourcesOf(own),
      operations: await Promise.all(operations),
    };
  });
  return { document, guides: await readGuides(), sections: await Promise.all(sections) };
}

/** What the operation `get…` of a section shows, with the rules and defaults of what `replace…` takes. */
function resourcesOf(operations: readonly Operation[]): readonly Resource[] {
  const shown = operations.find(({ id }) => id.startsWith('get'))?.successes[0]?.content;
  const sent = operations.find(({ id }) => id.startsWith('replace'))?.body?.schema;
  if (!shown || !sent) throw new Error('A tag has no operations get… and replace….');
  const examples = z.record(z.string(), z.unknown()).parse(shown.examples[0]?.value);
  return Object.entries(shown.schema.properties).map(
    ([key, { title, description, properties }]) => {
      const name = title.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
      const input = sent.properties[key] ?? sent;
      const fields = Object.entries(properties).map(([field, property]) => {
        const rule = input.properties[field];
        const isWritable = rule?.readOnly === false;
        const isRequired = input.required.includes(field);
        const presence = isRequired ? ', required' : isWritable ? '' : ', read-only';
        return {
          id: `${slug(name)}-${field}`,
          name: field,
          note: typeLabel(property) + presence,
          description: (isWritable ? rule : property).description,
          example: property.examples[0],
        };
      });
      return { id: slug(name), name, schema: title, description, fields, example: examples[key] };
    },
  );
}
