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

/** The options of a list of problems. */
interface Options extends Words {
  /** The maximum number of problems to list; the others are only counted. */
  readonly most?: number;
}

/**
 * Validates a value against a schema.
 * @throws InvalidRequest
 */
export function validate<T>(schema: z.ZodMiniType<T>, value: unknown, words: Words = {}): T {
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
  readonly #noun: string;
  readonly #root: string;
  readonly #most: number;
  readonly #listed: Problem[] = [];
  #unlisted = 0;

  constructor({ noun = 'field', root = 'body', most = MAX_PROBLEMS }: Options = {}) {
    this.#noun = noun;
    this.#root = root;
    this.#most = most;
  }

  /** The first problems, with their texts. */
  get listed(): readonly Problem[] {
    return this.#listed;
  }

  /** The number of further problems. */
  get unlisted(): number {
    return this.#unlisted;
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

  /** Adds one of zod's issues. Each unknown field counts as a problem. */
  #add(issue: z.core.$ZodRawIssue, path: readonly PropertyKey[]): void {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : undefined;
    const count = names?.length ?? 1;
    const listed = Math.min(count, Math.max(0, this.#most - this.#listed.length));
    this.#unlisted += count - listed;
    if (listed === 0) return;
    const base = [...path, ...(issue.path ?? [])];
    if (names === undefined) {
      this.#list(base, messageOf(issue));
      return;
    }
    for (const name of names.slice(0, listed)) {
      this.#list([...base, shown(name)], `unknown ${this.#noun}`);
    }
  }

  /** @throws InvalidRequest if anything is wrong */
  refuse(): void {
    if (this.#listed.length > 0) throw new InvalidRequest(this.#listed, this.#unlisted);
  }

  #list(path: readonly PropertyKey[], message: string): void {
    this.#listed.push({ path: path.map(String).join('.') || this.#root, message });
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
