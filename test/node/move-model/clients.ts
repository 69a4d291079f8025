import type { Step } from './explore.ts';
import type { Setup, Write } from './setup.ts';
import { placesOf } from './setup.ts';
import type { Content, Database, Key, Place, State, Writer } from './state.ts';
import { databaseAt, headOf, nameOf, replaced, withDatabase, withWorld } from './state.ts';

/** All that clients can do: writers, writers that retry, a reader. */
export function* clientSteps(setup: Setup, state: State): Iterable<Step<State>> {
  for (const place of placesOf(setup)) yield* writes(setup, state, place);
  for (const [n, writer] of state.writers.entries()) yield* writerSteps(setup, state, n, writer);
  if (setup.hasReader) yield* readerSteps(state);
}

/** Whether a key answers reads in a database. */
export function isLive(key: Key | null | undefined): key is Key {
  return key?.movedTo === null && !key.isRevoked;
}

function mayWrite({ broken }: Setup, key: Key | null | undefined): boolean {
  return isLive(key) && (!key.isFrozen || broken === 'writeFrozen');
}

/** Writers without a state: any number of them, with any key, may reach a database at any time. */
function* writes(setup: Setup, state: State, place: Place): Iterable<Step<State>> {
  const { writesLeft } = state.world;
  const database = databaseAt(state, place);
  if (writesLeft === 0 || !database.keys.some((key) => mayWrite(setup, key))) return;
  for (const write of setup.writes) {
    const content = written(database.content, write);
    if (content === undefined) continue;
    const next = withContent(state, place, content);
    yield {
      says: `A client writes in ${nameOf(place)}: ${write}.`,
      next: withWorld(next, { writesLeft: writesLeft - 1 }),
      by: 'anybody',
    };
  }
}

/** The content after a write; undefined if there is nothing to write to. */
function written(content: Content, write: Write): Content | undefined {
  const { rows, tombstones, profile } = content;
  const number = headOf(content) + 1;
  if (write === 'profile') return { ...content, profile: profile + 1 };
  if (write === 'swap codes') {
    const [first, second] = rows;
    if (first === undefined || second === undefined) return undefined;
    const swapped = [
      { ...first, code: second.code, number },
      { ...second, code: first.code, number: number + 1 },
    ];
    return { ...content, rows: swapped };
  }
  const id = write.endsWith('0') ? 0 : 1;
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  if (row === undefined) return undefined;
  if (write.startsWith('change'))
    return { ...content, rows: replaced(rows, at, { ...row, number }) };
  return { ...content, rows: rows.toSpliced(at, 1), tombstones: [...tombstones, { id, number }] };
}

/** The state after a write: what is written becomes the truth. */
function withContent(state: State, place: Place, content: Content): State {
  const database = databaseAt(state, place);
  const isUsedAgain =
    content.profile === database.content.profile && headOf(content) <= headOf(state.truth);
  const next = { ...withDatabase(state, place, { ...database, content }), truth: content };
  return isUsedAgain ? withWorld(next, { fault: 'A change number is used a second time.' }) : next;
}

/** A reader that begins with its key, and asks one database after another. */
function* readerSteps(state: State): Iterable<Step<State>> {
  const { reader, issued, revoked, deletedAt } = state.world;
  if (reader === null) {
    for (const [key, at] of issued.entries()) {
      if (at === null) continue;
      const next = withWorld(state, { reader: { key, at } });
      yield { says: `A reader takes key ${key}.`, next, by: 'anybody' };
    }
    return;
  }
  const found = databaseAt(state, reader.at).keys[reader.key];
  const who = `The reader asks ${nameOf(reader.at)} with key ${reader.key}`;
  if (found != null && found.movedTo !== null) {
    const next = withWorld(state, { reader: { ...reader, at: found.movedTo } });
    yield { says: `${who}, and is sent to ${nameOf(found.movedTo)}.`, next, by: 'anybody' };
    return;
  }
  const mayBe401 = revoked[reader.key] === true || deletedAt !== null;
  const fault = isLive(found) || mayBe401 ? null : 'A live key got 401.';
  const next = withWorld(state, { reader: null, fault: state.world.fault ?? fault });
  yield { says: `${who}, and gets ${isLive(found) ? 'its answer' : '401'}.`, next, by: 'anybody' };
}

/** A writer that changes row 0 as it has seen it, and repeats what has no answer. */
function* writerSteps(
  setup: Setup,
  state: State,
  n: number,
  writer: Writer | null,
): Iterable<Step<State>> {
  const become = (to: Writer, after = state): State => {
    const isOver = to.at === null && to.late === null;
    const now = isOver ? { at: null, late: null, ifNumber: 0, isRetry: false, wrote: 0 } : to;
    return { ...after, writers: replaced(after.writers, n, now) };
  };
  if (writer === null) {
    const at = state.world.issued[0] ?? 0;
    const ifNumber = state.truth.rows[0]?.number ?? 0;
    const next = become({ at, late: null, ifNumber, isRetry: false, wrote: 0 });
    yield { says: `Writer ${n + 1} begins, for row 0 as it is now.`, next, by: 'anybody' };
    return;
  }
  const { at, late, ifNumber, isRetry, wrote } = writer;
  if (late !== null) {
    const arrived = attempted(setup, databaseAt(state, late), ifNumber);
    const what = arrived ? 'and takes effect' : 'without effect';
    const after = arrived ? withContent(state, late, arrived) : state;
    const now = { ...writer, late: null, wrote: arrived ? headOf(arrived) : wrote };
    const says = `A late call of writer ${n + 1} arrives in ${nameOf(late)}, ${what}.`;
    yield { says, next: become(now, after), by: 'anybody' };
  }
  if (at === null) return;
  const asks = `Writer ${n + 1} asks ${nameOf(at)}`;
  if (!isRetry && late === null) {
    const next = become({ ...writer, late: at, isRetry: true });
    yield { says: `${asks}, but the call is late.`, next, by: 'anybody' };
  }
  const database = databaseAt(state, at);
  const [key] = database.keys;
  if (key != null && key.movedTo !== null) {
    const again = isRetry && setup.broken !== 'forgetTries';
    const next = become({ ...writer, at: key.movedTo, isRetry: again });
    yield { says: `${asks}, and is sent to ${nameOf(key.movedTo)}.`, next, by: 'anybody' };
    return;
  }
  const done = { ...writer, at: null };
  const content = attempted(setup, database, ifNumber);
  if (content !== undefined) {
    const after = withContent(state, at, content);
    const now = { ...writer, wrote: headOf(content) };
    yield {
      says: `${asks}, which writes.`,
      next: become({ ...now, at: null }, after),
      by: 'anybody',
    };
    const lost = become({ ...now, isRetry: true }, after);
    yield { says: `${asks}, which writes. The answer is lost.`, next: lost, by: 'anybody' };
    return;
  }
  if (!mayWrite(setup, key)) {
    yield { says: `${asks}, and gets 401 or 503.`, next: become(done), by: 'anybody' };
    return;
  }
  const isOwn = database.content.rows[0]?.number === wrote;
  const answer = isRetry ? (isOwn ? '200' : '503') : '412';
  const isWrong = answer === '412' && wrote > 0;
  const fault = isWrong ? 'A write that took effect got 412.' : null;
  const next = withWorld(become(done), { fault: state.world.fault ?? fault });
  yield { says: `${asks}, and gets ${answer}.`, next, by: 'anybody' };
}

/** The content after a conditional write; undefined if it has no effect. */
function attempted(
  setup: Setup,
  { keys, content }: Database,
  ifNumber: number,
): Content | undefined {
  if (!mayWrite(setup, keys[0])) return undefined;
  return content.rows[0]?.number === ifNumber ? written(content, 'change 0') : undefined;
}
