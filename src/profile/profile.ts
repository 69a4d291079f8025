import type * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import { columnsOf, encode } from '../db/columns.ts';
import type { SqlValue } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import type { Shape } from '../fields/schema.ts';
import { partial, resource } from '../fields/schema.ts';
import { lazy } from '../lazy.ts';

/** One half of the profile. */
interface Half<S extends Shape> {
  /** The writable fields with their rules and constant defaults, in display order. */
  readonly fields: S;
  /** The columns, by field name; others may be among them. */
  readonly columns: Readonly<Record<keyof S, Columns[string]>>;
}

/** The values of a profile, or the values to change. */
export interface ProfileValues {
  readonly brand?: Values | undefined;
  readonly connection?: Values | undefined;
}

/** The definition of the profile, with everything derived from it. */
export interface Profile {
  readonly brand: Half<Shape>;
  readonly connection: Half<Shape>;
  /** The columns of a representation, in order. */
  readonly shown: { readonly brand: Columns; readonly connection: Columns };
  /** The schema of a PUT body. */
  readonly putBody: z.ZodMiniType<ProfileValues>;
  /** The schema of a PATCH body (RFC 7396, nested). */
  readonly patchBody: z.ZodMiniType<ProfileValues>;
  /** Returns the columns that these values set. */
  readonly encode: (values: ProfileValues) => Record<string, SqlValue>;
}

/** Declares the profile. It is built on first use. */
export function defineProfile<B extends Shape, C extends Shape>(
  define: () => { readonly brand: Half<B>; readonly connection: Half<C> },
): () => Profile {
  return lazy(() => {
    const { brand, connection } = define();
    const { createdAt, updatedAt } = brands;
    const columns = {
      brand: columnsOf(brand.fields, brand.columns),
      connection: columnsOf(connection.fields, connection.columns),
    };
    return {
      brand,
      connection,
      shown: { ...columns, brand: { ...columns.brand, createdAt, updatedAt } },
      putBody: resource({ brand: resource(brand.fields), connection: resource(connection.fields) }),
      patchBody: partial({ brand: partial(brand.fields), connection: partial(connection.fields) }),
      encode: (values) => ({
        ...encode(columns.brand, values.brand ?? {}),
        ...encode(columns.connection, values.connection ?? {}),
      }),
    };
  });
}
