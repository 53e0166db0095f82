import type { RandomBytes } from '../../domain/keys.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import type { BlobStore, Store } from '../ports/index.ts';
import type { FlowWork } from './flow-work.ts';

/** What flows stand on. */
export interface FlowPorts {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Epoch milliseconds. */
  now(): number;
  readonly random: RandomBytes;
  /** Fonts for the documents that flows make; asked for when one is made. */
  readonly fonts: () => Promise<StampFonts>;
  readonly work: FlowWork;
}
