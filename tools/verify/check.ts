import type { Service } from './service.ts';

/** What a check works with. */
export interface CheckContext {
  readonly service: Service;
  /** Reports something that is not as it must be. The check goes on. */
  readonly fail: (problem: string) => void;
  /** Reports something worth knowing. */
  readonly note: (remark: string) => void;
  /** Marks what the run creates: the `storeProductId` of its products, the code of its coupon code. */
  readonly mark: string;
}

/** One line of the report. It may throw: what it throws is a failure of the check. */
export interface Check {
  readonly name: string;
  /** Whether it writes, so that a read-only key cannot do it. */
  readonly writes?: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Ends a check that does not apply, with the reason. */
export class NotApplicable extends Error {}

/** What came of a check. */
export interface Result {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** What failed, or why it was skipped. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly milliseconds: number;
}
