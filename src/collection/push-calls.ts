import type { BrandSession } from '../db/brand-session.ts';
import { packItems } from '../db/json-items.ts';
import type { BoundStatement, Row, SqlValue } from '../db/statement.ts';
import { IdempotencyKeyReused, Unavailable } from '../errors.ts';
import type { Collection } from './collection.ts';
import { requireEntry } from './collection.ts';
import { checkedRow } from './row-limit.ts';
import type { ReadLarge } from './large-resources.ts';
import { inlineLength, jsonsById, largeResources } from './large-resources.ts';
import type { PushItem, ReadItems } from './push-items.ts';
import { isRefusal } from './push-items.ts';
import { itemText } from './push-merge.ts';
import type { PushForm, PushStatements } from './push-statements.ts';
import { pushStatements } from './push-statements.ts';
import type { ListedResource } from './representation.ts';
import { listedResource } from './representation.ts';

/** A push to run. */
export interface Push {
  /** The field that items match by. */
  readonly match: string;
  readonly items: ReadItems;
  /** Whether to write the accepted items even if others are refused. */
  readonly lenient: boolean;
  /** Whether to omit the resources from the response. */
  readonly minimal: boolean;
}

/** What the database reports about an item. */
export interface ItemReport {
  /** How many resources match it. */
  readonly matches: number;
  /** The id of the matching or created resource; null if there is none yet. */
  readonly id: string | null;
  /** Whether another resource has the item's unique value. */
  readonly isTaken: boolean;
  /** Whether the item would change the resource, or has changed it. */
  readonly differs: boolean;
  /** Whether an earlier try of this call created the resource. */
  readonly wasCreated: boolean;
}

/** The outcome of a push or of a dry run. */
export interface PushOutcome {
  /** The reports, by item index. */
  readonly reports: ReadonlyMap<number, ItemReport>;
  /** Returns an item's resource; undefined if it no longer exists. */
  readonly resource: (mark: string, report: ItemReport) => ListedResource | undefined;
  /** Reads the JSON texts of large resources, by id. */
  readonly readLarge: ReadLarge;
  /** Whether an earlier request with the same Idempotency-Key did the work. */
  readonly isReplay: boolean;
  /** Whether the request's Idempotency-Key has no record after the call, so nothing was written. */
  readonly isUnrecorded?: true;
}

/** An `Idempotency-Key` and the fingerprint of its request. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/** The ways to run a push. Each makes one call to D1. */
export interface PushCalls {
  /** Reports the outcome without writing. */
  report(session: BrandSession, push: Push): Promise<PushOutcome>;
  write(session: BrandSession, push: Push): Promise<PushOutcome>;
  /** Like `write`, but once per Idempotency-Key. Throws IdempotencyKeyReused. */
  writeOnce(session: BrandSession, push: Push, idempotency: Idempotency): Promise<PushOutcome>;
}

/** Returns the push calls of a collection. */
export function pushCalls(collection: Collection): PushCalls {
  const largeOf = largeResources(collection);
  const made = new Map<string, PushStatements>();
  const statementsFor = ({ match }: Push): PushStatements => {
    const statements =
      made.get(match) ?? pushStatements(collection, requireEntry(collection.matches, match));
    made.set(match, statements);
    return statements;
  };

  const dryRun = async (session: BrandSession, push: Push, inline: number): Promise<Row[]> => {
    const { form, values: items } = parametersOf(collection, push, (item, n) =>
      itemText(collection, n, item, withoutId(item)),
    );
    const values = { ...items, isDryRun: 1, time: null, inline };
    const { rows } = await session.run([{ statement: statementsFor(push).report(form), values }]);
    return [...(rows[0] ?? [])];
  };

  return {
    async report(session, push) {
      // The limits are those of the write, whose texts are longer.
      for (const [n, item] of push.items.entries()) {
        if (!isRefusal(item)) checkedText(collection, item, n);
      }
      const rows = await dryRun(session, push, inlineLengthOf(push));
      return outcomeOf(rows, {
        // The large resources as the push would change them.
        readLarge: async (lengths, room) => {
          const idOf = new Map(rows.map((row) => [row['mark'], String(row['old_id'])]));
          const items = push.items.flatMap((item) => {
            const value = isRefusal(item) ? '' : (idOf.get(item.mark) ?? '');
            return lengths.has(value) ? { ...item, value } : [];
          });
          const inline = inlineLength(lengths.size, room);
          return jsonsById(
            await dryRun(session, { ...push, match: 'id', items }, inline),
            'old_id',
          );
        },
      });
    },

    async write(session, push) {
      const { report, write, written } = statementsFor(push);
      const { form, values: items } = parametersOf(collection, push);
      // D1's clock sets the time of the write. Until the write is done, this placeholder stands for it.
      const time = crypto.randomUUID();
      const values = { ...items, isDryRun: 0, time, inline: inlineLengthOf(push) };
      const work: BoundStatement[] = [{ statement: report(form), values }];
      if (mayWrite(push)) work.push({ statement: write(form), values });
      const { rows, last, isRetry } = await session.run(work, { statement: written, values });
      const [reports = []] = rows;
      // An earlier try may have written what is refused now, or what is not written again because the key has ended:
      // others may have changed it since. Nothing shows it. A lenient push still reports what it refuses: as a rule that
      // was refused before, and the results of the other items are worth more.
      const isUnknown = ({ is_refused, matches, differs }: Row): unknown =>
        is_refused ? !push.lenient : last['ended'] && (matches === 0 || differs);
      // Nor can one resource be two results: others gave what this push created the value of another of its items.
      const isTwice = (): boolean =>
        new Set(reports.map(({ old_id, mark }) => old_id ?? mark)).size < reports.length;
      if (isRetry && mayWrite(push) && (isTwice() || reports.some(isUnknown))) {
        throw new Unavailable();
      }
      return outcomeOf(reports, {
        readLarge: largeOf(session),
        insertTime: (json) => json.replaceAll(time, String(last['time'])),
      });
    },

    async writeOnce(session, push, { key, fingerprint }) {
      const statements = statementsFor(push);
      const { form, values: items } = parametersOf(collection, push);
      const request = crypto.randomUUID();
      const inline = inlineLengthOf(push);
      const values = { ...items, idempotencyKey: key, fingerprint, request, inline };
      const { rows, last } = await session.run(
        [
          { statement: statements.record(form), values },
          { statement: statements.writeRecorded(form), values },
          // With `return=minimal` the response omits the resources.
          ...(push.minimal ? [] : [{ statement: statements.resources, values }]),
          { statement: statements.reportUnrecorded(form), values },
        ],
        { statement: statements.recorded, values },
      );
      const readLarge = largeOf(session);
      if (last['request'] == null) {
        return { ...outcomeOf(rows.at(-1) ?? [], { readLarge }), isUnrecorded: true };
      }
      const isReplay = last['request'] !== request;
      if (isReplay && last['fingerprint'] !== fingerprint) throw new IdempotencyKeyReused();
      const resources = new Map(rows[2]?.map((row) => [row['id'], listedResource(row)]));
      return {
        reports: reportsOfRecord(last['results'] ?? null),
        resource: (_mark, { id }) => resources.get(id),
        readLarge,
        isReplay,
      };
    },
  };
}

/** Returns the value of the placeholder `inline`: with `return=minimal`, no resource is short enough to be read. */
function inlineLengthOf({ minimal, items }: Push): number {
  return minimal ? -1 : inlineLength(items.length);
}

/** Whether anything may be written: always if lenient, otherwise only if no item was refused. */
function mayWrite({ items, lenient }: Push): boolean {
  return lenient || !items.some(isRefusal);
}

/** @throws PayloadTooLarge */
function checkedText(collection: Collection, item: PushItem, n: number): string {
  return checkedRow(collection, n, itemText(collection, n, item, item.defaults));
}

/**
 * Returns the defaults of an item for a dry run. The new resource has no id yet, so a default that is the id is null.
 */
function withoutId({ defaults, mark }: PushItem): PushItem['defaults'] {
  if (defaults === undefined) return undefined;
  const entries = Object.entries(defaults);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === mark ? null : value]));
}

/**
 * Returns the items as statement parameters, and the other values that the statements take.
 * @param textOf returns the text of an item, if it is not that of a write
 * @throws PayloadTooLarge if an item is too long for a parameter
 */
function parametersOf(
  collection: Collection,
  push: Push,
  textOf = (item: PushItem, n: number): string => checkedText(collection, item, n),
): {
  readonly form: PushForm;
  readonly values: Readonly<Record<string, SqlValue>>;
} {
  const texts: string[] = [];
  const marks: string[] = [];
  const sought: string[] = [];
  const names = new Set<string>();
  for (const [n, item] of push.items.entries()) {
    if (isRefusal(item)) continue;
    texts.push(textOf(item, n));
    for (const name of Object.keys(item.named)) names.add(name);
    marks.push(item.mark);
    sought.push(item.value);
  }
  const { count, values } = packItems(texts);
  return {
    form: { parameters: count, named: [...names].sort() },
    values: {
      ...values,
      marks: marks.join(),
      sought: JSON.stringify(sought),
      lenient: push.lenient ? 1 : 0,
      mayWrite: mayWrite(push) ? 1 : 0,
    },
  };
}

/**
 * @param rows the rows of `report`
 * @param insertTime replaces the placeholder in a JSON text by the time of the write
 */
function outcomeOf(
  rows: readonly Row[],
  {
    readLarge,
    insertTime = (json) => json,
  }: Pick<PushOutcome, 'readLarge'> & { readonly insertTime?: (json: string) => string },
): PushOutcome {
  const jsons = new Map(rows.map((row) => [row['mark'], row['json']]));
  return {
    reports: new Map(rows.map((row) => [Number(row['n']), reportOfRow(row)])),
    resource: (mark, { id }) => {
      const json = jsons.get(mark);
      return {
        id: id ?? mark,
        json: typeof json === 'number' ? json : insertTime(String(json)),
      };
    },
    readLarge,
    isReplay: false,
  };
}

function reportOfRow(row: Row): ItemReport {
  const id = row['old_id'];
  return {
    matches: Number(row['matches']),
    id: typeof id === 'string' ? id : null,
    isTaken: row['taken'] === 1,
    // A resource that an earlier try changed no longer differs, but its revision is of this call.
    differs: row['differs'] === 1 || row['ours'] === 1,
    wasCreated: id === row['mark'],
  };
}

/** Parses the reports of a record: JSON that this service wrote. */
function reportsOfRecord(results: SqlValue): Map<number, ItemReport> {
  return new Map(
    asList(JSON.parse(String(results))).map((entry) => {
      const [n, matches, id, taken, differs] = asList(entry);
      return [
        Number(n),
        {
          matches: Number(matches),
          id: String(id),
          isTaken: taken === 1,
          differs: differs === 1,
          wasCreated: matches === 0,
        },
      ];
    }),
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
