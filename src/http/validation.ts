import type * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { InvalidRequest, MAX_PROBLEMS } from '../errors.ts';

/**
 * Validates a body against a schema.
 * @throws InvalidRequest
 */
export function validate<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const problems = new ProblemList();
  const output = problems.check(schema, value);
  if (output === undefined) throw new InvalidRequest(problems.listed, problems.unlisted);
  return output;
}

/** The problems of a request. Only the first ones get a text; the others are counted. */
export class ProblemList {
  readonly listed: Problem[] = [];
  unlisted = 0;
  /** The path of the value itself. */
  readonly #root: string;
  readonly #max: number;

  constructor(root = 'body', max = MAX_PROBLEMS) {
    this.#root = root;
    this.#max = max;
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
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    this.add(error.issues, path);
    return undefined;
  }

  /** Adds zod's issues. Each unknown field counts as a problem. */
  add(issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[] = []): void {
    for (const issue of issues) {
      const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
      const room = Math.max(0, this.#max - this.listed.length);
      this.unlisted += Math.max(0, names.length - room);
      const listed = names.slice(0, room);
      for (const [index, name] of listed.entries()) {
        const isLast = index === listed.length - 1;
        const unknownName = name === undefined ? undefined : shownName(name);
        const full = [...path, ...issue.path, ...(unknownName === undefined ? [] : [unknownName])];
        this.listed.push({
          path: full.map(String).join('.') || this.#root,
          // What is expected in place of unknown names is said once.
          message: isLast ? issue.message : issue.message.replace(/, .*/, ''),
          unknownName,
        });
      }
    }
  }

  /** @throws InvalidRequest if anything is wrong */
  throwIfAny(): void {
    if (this.listed.length > 0) throw new InvalidRequest(this.listed, this.unlisted);
  }
}

/** Shortens a long name, and quotes one that could be taken for a part of the sentence. */
function shownName(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 100).toWellFormed()}…` : name;
  return /^[\w-]+$/.test(short) ? short : JSON.stringify(short);
}
