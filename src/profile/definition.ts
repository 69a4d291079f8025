import type * as z from 'zod/mini';
import type { Columns, Values } from '../db/columns.ts';
import { columnsOf, decode, encode, selectionOf } from '../db/columns.ts';
import type { Selection } from '../db/key.ts';
import type { SqlValue } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import type { Shape } from '../fields/schema.ts';
import { partial, resource } from '../fields/schema.ts';

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
  /** The columns that a body may set. No two halves have a field of the same name. */
  readonly writable: Columns;
  /** Selects what a representation shows. */
  readonly selection: Selection;
  /** The schema of a PUT body. */
  readonly putBody: z.ZodMiniType<ProfileValues>;
  /** The schema of a PATCH body (RFC 7396, nested). */
  readonly patchBody: z.ZodMiniType<ProfileValues>;
  /** Returns the fields that these values set, as their columns store them. */
  readonly encode: (values: ProfileValues) => Record<string, SqlValue>;
  /** Returns the profile in a row of `selection`, as clients see it. */
  readonly show: (row: object) => Required<ProfileValues>;
}

/** Declares the profile. */
export function defineProfile<B extends Shape, C extends Shape>({
  brand,
  connection,
}: {
  readonly brand: Half<B>;
  readonly connection: Half<C>;
}): Profile {
  const columns = {
    brand: columnsOf(brand.fields, brand.columns),
    connection: columnsOf(connection.fields, connection.columns),
  };
  const writable = { ...columns.brand, ...columns.connection };
  const shownBrand = {
    ...columns.brand,
    createdAt: brands.createdAt,
    updatedAt: brands.updatedAt,
  };
  return {
    brand,
    connection,
    writable,
    selection: selectionOf({ ...shownBrand, ...columns.connection }),
    putBody: resource({ brand: resource(brand.fields), connection: resource(connection.fields) }),
    patchBody: partial({ brand: partial(brand.fields), connection: partial(connection.fields) }),
    encode: (values) => encode(writable, { ...values.brand, ...values.connection }),
    show: (row) => ({
      brand: decode(shownBrand, row),
      connection: decode(columns.connection, row),
    }),
  };
}
