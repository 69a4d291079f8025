/** What the comment above a field says. */
export interface Meaning {
  /** What the field is, in one or two sentences for people. */
  readonly text: string;
  /** What a derived field is if it is left out; undefined for another field, whose default is in its rule. */
  readonly derivedDefault: string | undefined;
  readonly example: unknown;
}

/** What the comments of a resource say. */
export interface ResourceMeanings {
  /** The file that they are in. */
  readonly file: string;
  /** What the resource is. */
  readonly text: string;
  readonly fields: Readonly<Record<string, Meaning>>;
}

/** The comments of all resources: of a collection by its path, of a half of the profile by its name. */
export type Meanings = Readonly<Record<string, ResourceMeanings>>;
