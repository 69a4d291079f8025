import { expectOption } from '../options.ts';
import type { Item, ItemFields } from './item.ts';

/**
 * A resource of the service: its id, its item as a text once both sides have it, and its key as the store spells it. A
 * change to this text is an echo.
 */
export interface Known {
  readonly id: string;
  readonly text: string;
  readonly spelling: string;
}

/** A key that several items of the store or several resources have. None of them is copied. */
export interface Double {
  /** The keys of the items, as the store spells them. Empty if the store has not reported them since the key is doubled. */
  readonly spellings: readonly string[];
  /** The ids of the resources. */
  readonly ids: readonly string[];
}

/** Returns the ids of the resources that have doubled keys. */
export function idsOf(doubles: ReadonlyMap<string, Double>): ReadonlySet<string> {
  return new Set([...doubles.values()].flatMap(({ ids }) => ids));
}

// Texts of resources that the two sides have not agreed on. No item has such a text.

/** The store may lack it: the mirror is creating it there. */
export const MAYBE_MISSING = '';
/** Both sides have it, and the mirror is copying the service's change to the store. */
export const CHANGING = '?';

/** The creations that are being pushed. After a crash, the same request gives the same ids. */
export interface Creations {
  readonly key: string;
  readonly items: readonly Item[];
}

/** What the option `state` must be. */
export const STATE = 'the text that persist was given, or undefined for the first run';

/** How far a mirror is. */
export interface State {
  /** The token of the store; undefined before the first run. */
  storeSince: string | undefined;
  serviceSince: string;
  /** The first token of a pull from the beginning, until that ends: it shows whether a backup was restored meanwhile. */
  firstSince: string | undefined;
  /** By key. */
  readonly known: Map<string, Known>;
  /** Changes of the store that are being pushed, or that the service refused, by key. */
  readonly waiting: Map<string, Item>;
  /** By key. */
  doubles: ReadonlyMap<string, Double>;
  creating: Creations | undefined;
  /** The ids of the resources that are being deleted, because the store has deleted them. */
  deleting: readonly string[];
  /** Whether the next push has all items of the store, because the service lost some. */
  pushesAll: boolean;
}

/** A state as JSON. */
interface Stored {
  readonly key: string;
  readonly fields: readonly string[];
  readonly storeSince?: string;
  readonly serviceSince: string;
  readonly firstSince?: string;
  readonly known: readonly (readonly [string, Known])[];
  readonly waiting: readonly (readonly [string, Item])[];
  readonly doubles: readonly (readonly [string, Double])[];
  readonly creating?: Creations;
  readonly deleting?: readonly string[];
  readonly pushesAll: boolean;
}

/** Returns a state as a text for `loadState`. */
export function saveState(state: State, { key, fields }: ItemFields): string {
  return JSON.stringify({
    key,
    fields,
    ...state,
    known: [...state.known],
    waiting: [...state.waiting],
    doubles: [...state.doubles],
  });
}

/**
 * Returns the state of a text, or that of a mirror that has never run.
 * @throws TypeError if it is no state; Error if the mirror had other fields then: it could not tell an echo from a
 * change
 */
export function loadState(text: string | undefined, { key, fields }: ItemFields): State {
  if (text === undefined) {
    return {
      storeSince: undefined,
      serviceSince: '0',
      firstSince: undefined,
      known: new Map(),
      waiting: new Map(),
      doubles: new Map(),
      creating: undefined,
      deleting: [],
      pushesAll: false,
    };
  }
  const stored = parsed(text);
  if (stored.key !== key || stored.fields.join() !== fields.join()) {
    const names = stored.fields.join(', ');
    throw new Error(`The state is of a mirror with the key ${stored.key} and the fields ${names}.`);
  }
  const { storeSince, serviceSince, firstSince, creating, deleting = [], pushesAll } = stored;
  const [known, waiting] = [new Map(stored.known), new Map(stored.waiting)];
  const doubles = new Map(stored.doubles);
  return {
    storeSince,
    serviceSince,
    firstSince,
    known,
    waiting,
    doubles,
    creating,
    deleting,
    pushesAll,
  };
}

/**
 * Parses a text of `saveState`.
 * @throws TypeError if it is another text, such as that of a file that was not written to its end
 */
function parsed(text: string): Stored {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // As any other text that is no state.
  }
  expectOption(isState(value), 'state', STATE);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the user keeps it as it was saved
  return value as Stored;
}

/** Whether a value has the lists of a state. */
function isState(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['fields', 'known', 'waiting', 'doubles'].every((name) =>
    Array.isArray(Reflect.get(value, name)),
  );
}
