import type { Part } from './parts.ts';

/** A row of an exported brand, as the document has it. */
export interface ExportedRow {
  readonly part: Part;
  readonly values: Readonly<Record<string, unknown>>;
}
