import type { Content } from '../../src/stores/source.ts';

/** A content with its doubts as a person reads them. */
export interface ContentSaid extends Omit<Content, 'doubts'> {
  readonly doubts: readonly string[];
}

export function said(content: Content): ContentSaid {
  return { ...content, doubts: content.doubts.map(({ sentence }) => sentence) };
}
