import type { BrandSession } from '../db/brand-session.ts';
import type { Values } from '../db/columns.ts';
import { encode } from '../db/columns.ts';
import { assertMet, newRevision } from '../db/guarded-update.ts';
import type { Row } from '../db/statement.ts';
import type { Precondition } from '../db/precondition.ts';
import { preconditionValues } from '../db/precondition.ts';
import { AlreadyExists, NotFound, PreconditionFailed } from '../errors.ts';
import type { Collection, Completion } from './collection.ts';
import type { Idempotency } from '../http/idempotency.ts';
import type { Created } from './create.ts';
import { create } from './create.ts';
import type { Chunk, Page, Place } from './page.ts';
import { pages } from './page.ts';
import type { Listed, Stored } from './representation.ts';
import { toStored } from './representation.ts';
import { collectionStatements } from './statements.ts';

/** What can be done with the resources of a collection; each is one call to D1 on behalf of the session's brand. */
export interface CollectionStore {
  /** @throws NotFound */
  find(session: BrandSession, id: string): Promise<Stored>;
  /** Reads some of the resources, oldest first. */
  page(session: BrandSession, page: Page): Promise<Listed[]>;
  /** Reads as many of the resources as are good to have in memory, oldest first. */
  chunk(session: BrandSession, place: Place): Promise<Chunk>;
  /** @throws AlreadyExists, IdempotencyKeyReused */
  create(
    session: BrandSession,
    completions: readonly Completion[],
    idempotency: Idempotency | undefined,
  ): Promise<Created>;
  /**
   * Changes the fields that `values` names, or nothing where they are so already.
   * @throws NotFound, PreconditionFailed, AlreadyExists
   */
  change(
    session: BrandSession,
    id: string,
    values: Values,
    precondition: Precondition,
  ): Promise<Stored>;
  /** @throws NotFound, PreconditionFailed */
  remove(session: BrandSession, id: string, precondition: Precondition): Promise<void>;
}

/** Makes the store of a collection. */
export function collectionStore(collection: Collection): CollectionStore {
  const { noun, writable, unique } = collection;
  const statements = collectionStatements(collection);
  const found = (answer: Row): Stored => {
    if (answer['revision'] === null) throw new NotFound(noun);
    return toStored(answer);
  };

  return {
    ...pages(collection),

    async find(session, id) {
      const { answer } = await session.run([], { statement: statements.find, values: { id } });
      return found(answer);
    },

    create: (session, completions, idempotency) =>
      create(session, collection, statements, completions, idempotency),

    async change(session, id, values, precondition) {
      const changes = encode(writable, values);
      const change = { changes, revision: newRevision(), precondition, values: { id } };
      const value = (unique && changes[unique.column.name]) ?? null;
      const { answer } = await session.run(statements.update(change), {
        statement: statements.updated,
        values: { id, unique: value },
      });
      const stored = found(answer);
      assertMet(stored.revision, change);
      if (answer['taken']) throw new AlreadyExists(noun, String(value));
      return stored;
    },

    async remove(session, id, precondition) {
      const { rows, answer } = await session.run(
        [{ statement: statements.remove, values: { id, ...preconditionValues(precondition) } }],
        { statement: statements.kept, values: { id } },
      );
      if (rows[0]?.length) return;
      if (answer['revision'] !== null) throw new PreconditionFailed();
      // Gone after a repeated call means gone by the first try, whose answer was lost.
      if (!session.mayHaveRunBefore) throw new NotFound(noun);
    },
  };
}
