import type { Document, Operation } from './document.ts';
import { readDocument } from './document.ts';
import type { Guide } from './guides.ts';
import { readGuides } from './guides.ts';
import { slug } from './html.ts';
import type { Resource } from './resources.ts';
import { resourcesOf } from './resources.ts';
import type { Sample } from './samples/samples.ts';
import { samplesOf } from './samples/samples.ts';

/** A group of operations, which is a tag of the document. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** In Markdown. */
  readonly description: string;
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
}

/** All that the page shows. */
export interface Contents {
  readonly document: Document;
  readonly guides: readonly Guide[];
  readonly sections: readonly Section[];
  /** The names of the parameters that all operations have, which are described once. */
  readonly common: ReadonlySet<string>;
  /** By the id of the operation. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/**
 * Reads all that the page shows.
 * @param file the OpenAPI document
 * @throws Error naming what the document or a guide lacks
 */
export async function readContents(file: string): Promise<Contents> {
  const document = await readDocument(file);
  const names = document.operations.map(({ parameters }) => parameters.map(({ name }) => name));
  return {
    document,
    guides: await readGuides(),
    sections: document.tags.map(({ name, description }) => {
      const operations = document.operations.filter(({ tag }) => tag === name);
      const resources = resourcesOf(document, operations);
      return { id: slug(name), title: name, description, operations, resources };
    }),
    common: new Set(names[0]?.filter((name) => names.every((own) => own.includes(name)))),
    samples: await samplesOf(document.operations),
  };
}
