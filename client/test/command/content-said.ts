import { reportedReason } from '../../src/stores/findings.ts';
import type { Content } from '../../src/stores/source.ts';

/** A content with its doubts, and the reasons of what is skipped, as a person reads them. */
export interface ContentSaid extends Omit<Content, 'doubts'> {
  readonly doubts: readonly string[];
}

export function said(content: Content): ContentSaid {
  return {
    ...content,
    skipped: content.skipped.map((one) => ({ ...one, reason: reportedReason(one) })),
    doubts: content.doubts.map(({ sentence }) => sentence),
  };
}
