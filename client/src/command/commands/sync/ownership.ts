import { storedKey } from '../../../stored.ts';
import type { FieldValue } from '../../where.ts';
import { valuesByField } from '../../where.ts';
import type { AnyResource, Content, Item } from '../../../stores/source.ts';
import { Failure } from '../../../stores/failure.ts';

/** The fields that can give products of a store their ids, once. */
const OTHER_MATCHES = '--match handle or --match sku';

/** What a source is responsible for: with `--delete`, those of these resources that it does not have are deleted. */
export class Ownership {
  readonly #content: Content;
  readonly #match: string;
  readonly #only: ReadonlyMap<string, readonly string[]>;
  readonly #items: ReadonlySet<string>;
  readonly #skipped: ReadonlySet<string>;
  /** Their ids, because a list that breaks off is read again. */
  readonly #ids = new Set<unknown>();
  readonly #idsWithoutKey = new Set<unknown>();
  #hasMatch = false;
  /** Whether the service has resources, and some with the values of `--only`. */
  #hasAny = false;
  #hasOnly = false;

  constructor(content: Content, match: string, only: readonly FieldValue[] | undefined) {
    this.#content = content;
    this.#match = match;
    this.#only = valuesByField(only);
    this.#items = keysOf(
      content.items.map((item) => item[match]),
      match,
    );
    this.#skipped = keysOf(
      content.skipped.map(({ key }) => key),
      match,
    );
  }

  /** The number of owned resources that can match an item. */
  get count(): number {
    return this.#ids.size;
  }

  /** Whether the service has a resource with the key of an item. */
  get hasMatch(): boolean {
    return this.#hasMatch;
  }

  /** Whether a resource is owned. The list of the service is read through this. */
  has(resource: AnyResource): boolean {
    const isOnly = this.#isOnly(resource);
    this.#hasAny = true;
    this.#hasOnly ||= isOnly;
    const value = resource[this.#match];
    const key = typeof value === 'string' ? storedKey(value, this.#match) : undefined;
    this.#hasMatch ||= key !== undefined && this.#items.has(key);
    const { source, isUnread } = this.#content;
    const isOwned =
      isOnly &&
      (source === undefined || resource['source'] === source) &&
      // The source has it, or may have it, though it cannot be read.
      !(key !== undefined && this.#skipped.has(key)) &&
      !isUnread?.(resource);
    if (isOwned) (key === undefined ? this.#idsWithoutKey : this.#ids).add(resource['id']);
    return isOwned;
  }

  /**
   * Once the list was read, refuses a sync that would create all products of a store again, because those of the service
   * were made without the store's ids.
   * @throws Failure that says how they get their ids
   */
  checkIds(noun: string): void {
    const count = this.#idsWithoutKey.size;
    if (count === 0 || this.#hasMatch || this.#items.size === 0) return;
    throw new Failure(
      `The service has ${count} ${noun} without ${this.#match}, and none that matches: nothing was changed. Run it once with ${OTHER_MATCHES}, which gives them their ids.`,
    );
  }

  /** Says that `--only` finds nothing, which may be a mistake in its spelling. */
  notes(noun: string): string[] {
    const isFirst = this.#content.items.some((item) => this.#isOnly(item));
    if (!this.#hasAny || this.#hasOnly || isFirst) return [];
    const values = [...this.#only].map(([field, each]) => `${field}=${each.join(' or ')}`);
    return [`The service has no ${noun} with ${values.join(' and ')} (--only): none is deleted.`];
  }

  #isOnly(resource: AnyResource | Item): boolean {
    return [...this.#only].every(([field, values]) => values.includes(String(resource[field])));
  }
}

function keysOf(values: readonly unknown[], match: string): Set<string> {
  return new Set(
    values.flatMap((value) => (typeof value === 'string' ? storedKey(value, match) : [])),
  );
}
