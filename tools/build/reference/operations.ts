import * as z from 'zod';
import type { Content, Document, Parameter, Response } from './document.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation, as the page shows it. */
export interface Operation {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** The whole path, such as `/api/brand/v1/products/{productId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** In Markdown. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly successes: readonly Answer[];
  readonly errors: readonly Answer[];
}

/** A response and its status. */
export interface Answer extends Response {
  readonly status: number;
}

/** All operations, in the order of the document. */
export function operationsOf(document: Document): readonly Operation[] {
  const [{ url }] = document.servers;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const { [method]: operation } = item;
      if (operation === undefined) return [];
      const answers = Object.entries(operation.responses).map(([status, response]) => ({
        ...response,
        status: Number(status),
      }));
      return {
        id: operation.operationId,
        method,
        path: url + path,
        tag: operation.tags[0],
        summary: operation.summary,
        description: operation.description,
        parameters: [...item.parameters, ...operation.parameters],
        body: operation.requestBody?.content['application/json'],
        successes: answers.filter(({ status }) => status < 400),
        errors: answers.filter(({ status }) => status >= 400),
      };
    }),
  );
}

/** An example with its heading; the heading is undefined if there is only one. */
export interface Example {
  readonly summary: string | undefined;
  readonly value: unknown;
}

/** The examples of a content, however the document gives them. */
export function examplesOf(content: Content | undefined): readonly Example[] {
  const { example, examples = {} } = content ?? {};
  return example === undefined ? Object.values(examples) : [{ summary: undefined, value: example }];
}

/** An example as a reader types it: a text without quotes. */
export function exampleText(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

const errorBody = z.object({ error: z.string() });

/** The texts that an error may have. */
export function errorTextsOf({ content }: Answer): readonly string[] {
  return examplesOf(content?.['application/json']).map(({ value }) => errorBody.parse(value).error);
}
