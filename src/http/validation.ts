import type * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { InvalidRequest, MOST_PROBLEMS } from '../errors.ts';

const LONGEST_NAME = 100;

/** What to call things in the problems of a value. */
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
  readonly #listed: Problem[] = [];
  #unlisted = 0;

  constructor({ noun = 'field', root = 'body' }: Words = {}) {
    this.#noun = noun;
    this.#root = root;
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
   * @returns what the schema makes of the value; undefined if it is invalid, or if more is wrong already than is named
   */
  check<T>(
    schema: z.ZodMiniType<T>,
    value: unknown,
    path: readonly PropertyKey[] = [],
  ): T | undefined {
    if (this.#room > 0) {
      const result = schema.safeParse(value);
      if (result.success) return result.data;
      for (const issue of result.error.issues) this.#add(issue, path);
      return undefined;
    }
    // safeParse would put every issue into words. The request is refused anyway, so that only their number matters.
    const result = schema._zod.run({ value, issues: [] }, { async: false });
    if (result instanceof Promise) throw new Error('A rule waits for something.');
    for (const issue of result.issues) this.#unlisted += namesOf(issue)?.length ?? 1;
    return undefined;
  }

  /** Notes one of zod's issues, an unknown field each its own. */
  #add(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): void {
    const base = [...path, ...issue.path];
    const names = namesOf(issue);
    const listed = Math.min(this.#room, names?.length ?? 1);
    this.#unlisted += (names?.length ?? 1) - listed;
    if (names !== undefined) {
      for (const name of names.slice(0, listed)) {
        this.#list([...base, shortened(name)], `unknown ${this.#noun}`);
      }
    } else if (listed > 0) this.#list(base, issue.message);
  }

  /** @throws InvalidRequest if anything is wrong */
  refuse(): void {
    if (this.#listed.length > 0) throw new InvalidRequest(this.#listed, this.#unlisted);
  }

  get #room(): number {
    return MOST_PROBLEMS - this.#listed.length;
  }

  #list(path: readonly PropertyKey[], message: string): void {
    this.#listed.push({ path: path.map(String).join('.') || this.#root, message });
  }
}

/** The unknown fields that an issue is about, each of them a problem. */
function namesOf(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): readonly string[] | undefined {
  return issue.code === 'unrecognized_keys' ? issue.keys : undefined;
}

/** A name as a text can hold it: not too long, and no half of a character at its end. */
function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}
