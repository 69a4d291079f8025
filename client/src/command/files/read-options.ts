import type { ContentOptions } from '../../stores/content.ts';

export interface ReadOptions extends ContentOptions {
  /** Whether the file is complete though its last line has no end. */
  readonly whole?: boolean | undefined;
}
