/** Revisions of a resource, which are its entity tags; `any` stands for every revision. */
export type Revisions = 'any' | readonly string[];

export function isAmong(revision: string, revisions: Revisions): boolean {
  return revisions === 'any' || revisions.includes(revision);
}
