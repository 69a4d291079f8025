import * as z from 'zod';
import type { Call } from '../client.ts';

/** A product as it is shown. */
export const shownSchema = z.looseObject({ id: z.string(), sku: z.nullable(z.string()) });
export type Shown = z.infer<typeof shownSchema>;

/** The fields that a body sets. */
export type Fields = Readonly<Record<string, unknown>>;

/** A write that was sent and not acknowledged yet. */
export type Pending =
  | {
      readonly kind: 'create' | 'create 20';
      /** Of all that it makes, and of nothing else. */
      readonly sku: string;
      readonly call: Call;
      readonly items: readonly Fields[];
      /** Whether it has an Idempotency-Key, so that it may be repeated. */
      readonly repeatable: boolean;
    }
  | { readonly kind: 'patch'; readonly id: string; readonly call: Call; readonly fields: Fields }
  | { readonly kind: 'delete'; readonly id: string; readonly call: Call };

/** What one connection knows of its own products. */
export interface Ledger {
  /** As the last acknowledged write left them. */
  readonly rows: Map<string, Shown>;
  /** The write that is under way. */
  pending: Pending | undefined;
}
