import type { Service } from './service.ts';

/** The context of a check. */
export interface CheckContext {
  readonly service: Service;
  /** Reports a failure. The check continues. */
  readonly fail: (problem: string) => void;
  /** Reports a remark. */
  readonly note: (remark: string) => void;
  /** Marks the resources that the run creates: the `storeProductId` of products, the `code` of coupon codes. */
  readonly mark: string;
}

/** A check, one line of the report. An error that it throws counts as a failure. */
export interface Check {
  readonly name: string;
  /** Whether it writes, and so needs a key with the scope `write`. */
  readonly writes?: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Ends a check that does not apply, with the reason. */
export class NotApplicable extends Error {}

/** The result of a check. */
export interface Result {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The failures, or why the check was skipped. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly milliseconds: number;
}
