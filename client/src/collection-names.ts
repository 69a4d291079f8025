/** The path of a collection, and the keys of its envelopes. */
export interface CollectionNames {
  readonly path: string;
  readonly one: string;
  readonly many: string;
  readonly deletedMany: string;
}
