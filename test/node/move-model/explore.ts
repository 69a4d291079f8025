/** What one actor can do next. */
export interface Step<S> {
  /** A sentence for the trace. */
  readonly says: string;
  readonly next: S;
  /** Who does it. A hope counts only on some of them. */
  readonly by: 'mover' | 'schedule' | 'anybody';
}

/** Something that must stay possible: from every state, these actors alone can reach what is hoped for. */
export interface Hope<S> {
  readonly name: string;
  readonly on: readonly Step<S>['by'][];
  readonly isReached: (state: S) => boolean;
}

/** A system with all that can happen in it. */
export interface System<S> {
  readonly initial: S;
  /** The parts of a state, always equally many. Each different value of a part is kept once. */
  readonly split: (state: S) => readonly unknown[];
  readonly join: (parts: readonly unknown[]) => S;
  readonly steps: (state: S) => Iterable<Step<S>>;
  /** What is wrong in a state. */
  readonly fault: (state: S) => string | undefined;
  readonly hopes: readonly Hope<S>[];
}

/** What the exploration found. */
export interface Exploration {
  readonly states: number;
  /** The first thing that is wrong, and the shortest way to it. */
  readonly violation?: { readonly fault: string; readonly trace: readonly string[] };
}

/** Numbers different values: equal ones have one number. */
class Values {
  readonly #byIdentity = new Map<unknown, number>();
  readonly #byText = new Map<string, number>();
  readonly #values: unknown[] = [];

  number(value: unknown): number {
    // Mostly known, because a step copies only what it changes.
    const known = this.#byIdentity.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    const equal = this.#byText.get(text);
    if (equal !== undefined) return equal;
    const number = this.#values.push(value) - 1;
    this.#byText.set(text, number);
    this.#byIdentity.set(value, number);
    return number;
  }

  value(number: number): unknown {
    return this.#values[number];
  }
}

/** A list of integers that takes four bytes for each. */
class Integers {
  #items = new Int32Array(1 << 12);
  length = 0;

  push(item: number): void {
    if (this.length === this.#items.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.#items);
      this.#items = longer;
    }
    this.#items[this.length++] = item;
  }

  at(index: number): number {
    return this.#items[index] ?? 0;
  }
}

/** The steps on which a hope counts, as pairs of states. */
interface Counted<S> {
  readonly hope: Hope<S>;
  readonly from: Integers;
  readonly to: Integers;
  readonly reached: Integers;
}

/** Visits every state that can be reached, the nearest first, and stops at the first one that is wrong. */
export function explore<S>(system: System<S>): Exploration {
  const values = new Values();
  /** Encodes a state. A step copies only what it changes, so most of the parts are those of the state before. */
  const encode = (state: S, before: readonly unknown[] = [], codeBefore = ''): string => {
    const units = system.split(state).map((part, i) => {
      if (part === before[i] && i < codeBefore.length) return codeBefore.charCodeAt(i);
      const number = values.number(part);
      // A state is a string with one character per part.
      if (number > 0xffff) throw new RangeError('The parts of the states have too many values.');
      return number;
    });
    return String.fromCharCode(...units);
  };
  const decode = (code: string): S =>
    system.join(Array.from({ length: code.length }, (_, i) => values.value(code.charCodeAt(i))));

  const codes: string[] = [];
  const found = new Map<string, number>();
  const parents = new Integers();
  const counted = system.hopes.map((hope): Counted<S> => {
    return { hope, from: new Integers(), to: new Integers(), reached: new Integers() };
  });

  const violation = (at: number, fault: string): Exploration => ({
    states: codes.length,
    violation: { fault, trace: traceTo(at) },
  });
  const traceTo = (at: number): string[] => {
    const trace: string[] = [];
    for (let to = at; to > 0; to = parents.at(to)) {
      for (const step of system.steps(decode(codes[parents.at(to)] ?? ''))) {
        if (encode(step.next) !== codes[to]) continue;
        trace.unshift(step.says);
        break;
      }
    }
    return trace;
  };
  /** Returns the number of a state, and notes it if it is new. */
  const note = (code: string, parent: number): number => {
    const known = found.get(code);
    if (known !== undefined) return known;
    const number = codes.push(code) - 1;
    found.set(code, number);
    parents.push(parent);
    return number;
  };

  note(encode(system.initial), 0);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? '';
    const state = decode(code);
    const parts = system.split(state);
    const fault = system.fault(state);
    if (fault !== undefined) return violation(at, fault);
    for (const { hope, reached } of counted) if (hope.isReached(state)) reached.push(at);
    for (const { next, by } of system.steps(state)) {
      const to = note(encode(next, parts, code), at);
      for (const { hope, from, to: into } of counted) {
        if (to === at || !hope.on.includes(by)) continue;
        from.push(at);
        into.push(to);
      }
    }
  }
  for (const { hope, from, to, reached } of counted) {
    const lost = firstWithout(codes.length, from, to, reached);
    if (lost !== undefined) return violation(lost, hope.name);
  }
  return { states: codes.length };
}

/** Returns the first state from which no steps lead to one that is reached. */
function firstWithout(
  states: number,
  from: Integers,
  to: Integers,
  reached: Integers,
): number | undefined {
  // The steps that lead to each state, as linked lists.
  const first = new Int32Array(states).fill(-1);
  const following = new Int32Array(from.length);
  for (let step = 0; step < from.length; step++) {
    following[step] = first[to.at(step)] ?? -1;
    first[to.at(step)] = step;
  }
  const isGood = new Uint8Array(states);
  const waiting = new Integers();
  for (let i = 0; i < reached.length; i++) {
    isGood[reached.at(i)] = 1;
    waiting.push(reached.at(i));
  }
  for (let i = 0; i < waiting.length; i++) {
    for (let step = first[waiting.at(i)] ?? -1; step >= 0; step = following[step] ?? -1) {
      const state = from.at(step);
      if (isGood[state] === 1) continue;
      isGood[state] = 1;
      waiting.push(state);
    }
  }
  const lost = isGood.indexOf(0);
  return lost < 0 ? undefined : lost;
}
