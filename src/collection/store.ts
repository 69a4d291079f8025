import type { BrandSession } from '../db/brand-session.ts';
import type { Values } from '../db/columns.ts';
import { decode, encode } from '../db/columns.ts';
import { newRevision, WRITE_TIME } from '../db/guarded-update.ts';
import type { Row, SqlValue } from '../db/statement.ts';
import { AlreadyExists, NotFound } from '../errors.ts';
import type { Collection, Completion } from './collection.ts';
import { newId } from './identifier.ts';
import { collectionStatements } from './statements.ts';

/** What can be done with the resources of a collection; each is one call to D1 on behalf of the session's brand. */
export interface CollectionStore {
  /** @throws NotFound */
  find(session: BrandSession, id: string): Promise<Values>;
  /** Up to `limit` resources that come after the id `after`, oldest first; an empty `after` begins. */
  page(session: BrandSession, after: string, limit: number): Promise<Values[]>;
  /** @throws AlreadyExists */
  create(session: BrandSession, complete: Completion): Promise<Values>;
  /**
   * Changes the fields that `values` names, or nothing where they are so already.
   * @throws NotFound, AlreadyExists
   */
  change(session: BrandSession, id: string, values: Values): Promise<Values>;
  /** @throws NotFound */
  remove(session: BrandSession, id: string): Promise<void>;
}

/** Makes the store of a collection. */
export function collectionStore(collection: Collection): CollectionStore {
  const { noun, shown, writable, unique } = collection;
  const statements = collectionStatements(collection);
  const represent = (row: Row): Values => decode(shown, row);

  return {
    async find(session, id) {
      const [[row] = []] = await session.run({ statement: statements.find, values: { id } });
      if (row === undefined) throw new NotFound(noun);
      return represent(row);
    },

    async page(session, after, limit) {
      const [rows = []] = await session.run({
        statement: statements.page,
        values: { after, limit },
      });
      return rows.map(represent);
    },

    async create(session, complete) {
      const id = newId();
      const values = complete(id);
      // A new resource's first revision is its id: unique already, and it saves making another.
      const row = { id, revision: id, ...encode(writable, values) };
      const items = JSON.stringify([row]);
      const [, [outcome] = []] = await session.run(
        { statement: statements.insert, values: { items } },
        { statement: statements.inserted, values: { items, id } },
      );
      if (unique && outcome?.['taken'] != null) {
        throw new AlreadyExists(noun, String(values[unique.field]));
      }
      return represent(stamp(row, outcome?.['created_at'] ?? null));
    },

    async change(session, id, values) {
      const changes = encode(writable, values);
      const revision = { to: newRevision(), from: null };
      const value = (unique && changes[unique.column.name]) ?? null;
      const rows = await session.run(...statements.update(changes, revision, { id }), {
        statement: statements.updated,
        values: { id, unique: value },
      });
      const row = rows.at(-1)?.[0];
      if (row === undefined) throw new NotFound(noun);
      if (row['taken']) throw new AlreadyExists(noun, String(value));
      return represent(row);
    },

    async remove(session, id) {
      const [[row] = []] = await session.run({ statement: statements.remove, values: { id } });
      // Gone after a repeated call means gone by the first try, whose answer was lost.
      if (row === undefined && !session.mayHaveRunBefore) throw new NotFound(noun);
    },
  };
}

/** A row as it was inserted at that time, without reading it again. */
function stamp(row: Row, time: SqlValue): Row {
  return {
    ...row,
    created_at: time,
    updated_at: time,
    last_synced_at: row['last_synced_at'] === WRITE_TIME ? time : (row['last_synced_at'] ?? null),
  };
}
