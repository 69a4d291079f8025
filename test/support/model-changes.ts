// The order of a collection's changes as section 10 of the contract tells it.

/** A place in the order of changes. */
export interface Place {
  /** How many changes there were. */
  readonly after: number;
}

/** What a follower must be shown of the changes after a place. */
export interface ExpectedChanges {
  /** The ids of the resources, in the order of their last change. */
  readonly changed: readonly string[];
  /** The ids that must be among the deleted. */
  readonly deleted: readonly string[];
  /** The ids of resources that were created and deleted after the place: they may be among the deleted. */
  readonly fleeting: readonly string[];
}

/** Which resources changed when. */
export class ChangeOrder {
  readonly #created = new Map<string, number>();
  /** In the order of the last changes. */
  readonly #changed = new Map<string, number>();
  readonly #deleted = new Map<string, number>();
  #changes = 0;

  /** Where a follower is that has everything. */
  get now(): Place {
    return { after: this.#changes };
  }

  change(id: string): void {
    this.#changes++;
    if (!this.#changed.delete(id)) this.#created.set(id, this.#changes);
    this.#changed.set(id, this.#changes);
  }

  remove(id: string): void {
    this.#changed.delete(id);
    this.#deleted.set(id, ++this.#changes);
  }

  /** @param place undefined for a follower that starts */
  since(place: Place | undefined): ExpectedChanges {
    const { after } = place ?? { after: 0 };
    const gone = place === undefined ? [] : later(this.#deleted, after);
    const isFleeting = (id: string): boolean => (this.#created.get(id) ?? 0) > after;
    return {
      changed: later(this.#changed, after),
      deleted: gone.filter((id) => !isFleeting(id)),
      fleeting: gone.filter(isFleeting),
    };
  }
}

function later(numbers: ReadonlyMap<string, number>, after: number): string[] {
  return [...numbers].filter(([, number]) => number > after).map(([id]) => id);
}
