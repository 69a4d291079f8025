import type * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { InvalidRequest, MAX_PROBLEMS } from '../errors.ts';

const LONGEST_NAME = 100;

/** What to call things in the problems of a value. */
interface Words {
  /** An unknown key. */
  readonly noun?: string;
  /** The value itself. */
  readonly root?: string;
}

/** How a list of problems is written. */
interface Options extends Words {
  /** The most problems to put into words. */
  readonly most?: number;
}

/**
 * Validates a value against a schema.
 * @throws InvalidRequest
 */
export function validate<T>(schema: z.ZodMiniType<T>, value: unknown, words: Words = {}): T {
  const problems = new ProblemList(words);
  const output = problems.check(schema, value);
  problems.refuse();
  if (output === undefined) throw new Error('A schema accepted nothing.');
  return output;
}

/**
 * Everything that is wrong with a request. Only the problems that the error names are put into words; the others are
 * counted, so that 200,000 of them cost no more than reading them did.
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

  /** The first problems, in words. */
  get listed(): readonly Problem[] {
    return this.#listed;
  }

  /** How many more there are. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /**
   * Validates a value, and notes what is wrong with it.
   * @param path where the value stands in the body
   * @returns what the schema makes of the value; undefined if it is invalid
   */
  check<T>(
    schema: z.ZodMiniType<T>,
    value: unknown,
    path: readonly PropertyKey[] = [],
  ): T | undefined {
    // Not safeParse, which puts every issue into words.
    const result = schema._zod.run({ value, issues: [] }, { async: false });
    if (result instanceof Promise) throw new Error('A rule waits for something.');
    if (isValid(schema, result)) return result.value;
    for (const issue of result.issues) this.#add(issue, path);
    return undefined;
  }

  /** Notes one of zod's issues, an unknown field each its own. */
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
      this.#list([...base, shortened(name)], `unknown ${this.#noun}`);
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

/** What zod gives without an issue is what the schema says. */
function isValid<T>(
  _: z.ZodMiniType<T>,
  result: z.core.ParsePayload,
): result is z.core.ParsePayload<T> {
  return result.issues.length === 0;
}

/** The words that the broken rule was given. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.message !== undefined) return issue.message;
  const words = issue.inst?._zod.def.error ?? issue.schema?._zod.def.error;
  // zod's type of the words of a rule does not take an issue; each of ours takes any.
  const message: unknown = words && Reflect.apply(words, undefined, [issue]);
  return typeof message === 'string' ? message : 'expected another value';
}

/** A name as a text can hold it: not too long, and no half of a character at its end. */
function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}
