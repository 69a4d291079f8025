import * as z from 'zod';

/** The schema of a stored table. */
export const tableSchema = z.object({
  title: z.string(),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
});

/** A table of figures. */
export type Table = z.infer<typeof tableSchema>;
/** A row of a table: cells by column heading. */
export type Row = Table['rows'][number];
