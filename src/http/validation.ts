import type * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { InvalidRequest, MAX_PROBLEMS } from '../errors.ts';

const LONGEST_NAME = 100;

/** How problem texts name things. */
interface Words {
  /** An unknown key. */
  readonly noun?: string;
  /** The value itself. */
  readonly root?: string;
}

/**
 * Validates a value against a schema.
 * @throws InvalidRequest
 */
export function validate<T>(schema: z.ZodMiniType<T>, value: unknown, words?: Words): T {
  const problems = new ProblemList(words);
  const output = problems.check(schema, value);
  if (output === undefined) throw new InvalidRequest(problems.listed, problems.unlisted);
  return output;
}

/**
 * The problems of a request. Only the first ones get a text; the others are only counted, so that 200,000 problems cost
 * little more than parsing the body.
 */
export class ProblemList {
  /** The first problems, with their texts. */
  readonly listed: Problem[] = [];
  /** The number of further problems. */
  unlisted = 0;
  readonly #words: Words;
  readonly #most: number;

  /** @param most the maximum number of problems to list */
  constructor(words: Words = {}, most = MAX_PROBLEMS) {
    this.#words = words;
    this.#most = most;
  }

  /**
   * Validates a value and adds its problems to the list.
   * @param path the path of the value in the body
   * @returns the schema's output; undefined if the value is invalid
   */
  check<T>(
    schema: z.ZodMiniType<T>,
    value: unknown,
    path: readonly PropertyKey[] = [],
  ): T | undefined {
    // Not safeParse, which formats a text for every issue.
    const result = schema._zod.run({ value, issues: [] }, { async: false });
    if (result instanceof Promise) throw new Error('A schema returned a promise.');
    if (isValid(schema, result)) return result.value;
    for (const issue of result.issues) this.#add(issue, path);
    return undefined;
  }

  /** @throws InvalidRequest if anything is wrong */
  refuse(): void {
    if (this.listed.length > 0) throw new InvalidRequest(this.listed, this.unlisted);
  }

  /** Adds one of zod's issues. Each unknown field counts as a problem. */
  #add(issue: z.core.$ZodRawIssue, path: readonly PropertyKey[]): void {
    const { noun = 'field', root = 'body' } = this.#words;
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    const room = Math.max(0, this.#most - this.listed.length);
    this.unlisted += Math.max(0, names.length - room);
    for (const name of names.slice(0, room)) {
      const full = [...path, ...(issue.path ?? []), ...(name === undefined ? [] : [shown(name)])];
      this.listed.push({
        path: full.map(String).join('.') || root,
        message: name === undefined ? messageOf(issue) : `unknown ${noun}`,
      });
    }
  }
}

/** Without issues, zod's value has the type of the schema's output. */
function isValid<T>(
  _: z.ZodMiniType<T>,
  result: z.core.ParsePayload,
): result is z.core.ParsePayload<T> {
  return result.issues.length === 0;
}

/** Returns the message of the broken rule. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.message !== undefined) return issue.message;
  const words = issue.inst?._zod.def.error ?? issue.schema?._zod.def.error;
  // zod's type of this function does not accept every issue; all of our functions do.
  const message: unknown = words && Reflect.apply(words, undefined, [issue]);
  return typeof message === 'string' ? message : 'expected another value';
}

/** Shortens a long name, and quotes one that could be taken for a part of the sentence. */
function shown(name: string): string {
  const short =
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
  return /^[\w-]+$/.test(short) ? short : JSON.stringify(short);
}
