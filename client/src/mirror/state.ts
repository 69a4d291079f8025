import type { Item, MirrorField } from './item.ts';

/**
 * A product of the service: its id, and its item as a text once both sides have it. A change to this text is an echo.
 */
export interface Known {
  readonly id: string;
  readonly text: string;
}

// Texts of products that the two sides have not agreed on. No item has such a text.

/** The store may lack it: the mirror is creating it there. */
export const MAYBE_MISSING = '';
/** Both sides have it, and the mirror is copying the service's change to the store. */
export const CHANGING = '?';

/** The creations that are being pushed. After a crash, the same request gives the same ids. */
export interface Creations {
  readonly key: string;
  readonly items: readonly Item[];
}

/** How far a mirror is. */
export interface State {
  /** The token of the store; undefined before the first run. */
  storeSince: string | undefined;
  serviceSince: string;
  /** The first token of a pull from the beginning, until that ends: it shows whether a backup was restored meanwhile. */
  firstSince: string | undefined;
  /** By SKU. */
  readonly known: Map<string, Known>;
  /** Changes of the store that are being pushed, or that the service refused, by SKU. */
  readonly waiting: Map<string, Item>;
  creating: Creations | undefined;
  /** The ids of the products that are being deleted, because the store has deleted them. */
  deleting: readonly string[];
  /** Whether the next push has all items of the store, because the service lost some. */
  pushesAll: boolean;
}

/** A state as JSON. */
interface Stored {
  readonly fields: readonly MirrorField[];
  readonly storeSince?: string;
  readonly serviceSince: string;
  readonly firstSince?: string;
  readonly known: readonly (readonly [string, Known])[];
  readonly waiting: readonly (readonly [string, Item])[];
  readonly creating?: Creations;
  readonly deleting?: readonly string[];
  readonly pushesAll: boolean;
}

/** Returns a state as a text for `loadState`. */
export function saveState(state: State, fields: readonly MirrorField[]): string {
  return JSON.stringify({
    fields,
    ...state,
    known: [...state.known],
    waiting: [...state.waiting],
  });
}

/**
 * Returns the state of a text, or that of a mirror that has never run.
 * @throws Error if the mirror copied other fields then: it could not tell an echo from a change
 */
export function loadState(text: string | undefined, fields: readonly MirrorField[]): State {
  if (text === undefined) {
    const [known, waiting] = [new Map<string, Known>(), new Map<string, Item>()];
    const nothing = { storeSince: undefined, firstSince: undefined, creating: undefined };
    return { ...nothing, serviceSince: '0', known, waiting, deleting: [], pushesAll: false };
  }
  const stored = parsed(text);
  if (stored.fields.join() !== fields.join()) {
    throw new Error(`The state is of a mirror with the fields ${stored.fields.join(', ')}.`);
  }
  const { storeSince, serviceSince, firstSince, creating, deleting = [], pushesAll } = stored;
  const [known, waiting] = [new Map(stored.known), new Map(stored.waiting)];
  return { storeSince, serviceSince, firstSince, known, waiting, creating, deleting, pushesAll };
}

/** Parses a text of `saveState`. The user keeps it as it is, so it has the type that was saved. */
function parsed(text: string): Stored {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return JSON.parse(text) as Stored;
}
