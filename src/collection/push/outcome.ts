/** What happens to an item, by its number in SQL. The last three are refusals. */
export const OUTCOMES = [
  'unchanged',
  'stale',
  'created',
  'updated',
  'deleted',
  'several',
  'missing',
  'taken',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface PlanEntry {
  /** The place of the item among those that were sent to the database. */
  readonly place: number;
  readonly outcome: number;
  /** The id of the resource that the item matches or, if the plan is recorded, has created. A row has `id` for what it shows. */
  readonly plannedId: string | null;
  /** How many resources it matches. */
  readonly matchCount: number;
}
