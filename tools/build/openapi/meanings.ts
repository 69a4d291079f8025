/** The content of the comment above a field. */
export interface Meaning {
  /** The description of the field, in one or two sentences. */
  readonly text: string;
  /** The derived default in words; undefined for other fields, whose default is in the schema. */
  readonly derivedDefault: string | undefined;
  readonly example: unknown;
}

/** The content of a resource's comments. */
export interface ResourceMeanings {
  /** The file that contains them. */
  readonly file: string;
  /** The description of the resource. */
  readonly text: string;
  readonly fields: Readonly<Record<string, Meaning>>;
}

/** The comments of all resources: collections by path, halves of the profile by name. */
export type Meanings = Readonly<Record<string, ResourceMeanings>>;
