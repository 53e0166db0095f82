import type { RandomBytes } from '../../domain/keys.ts';
import type { ArchivePorts } from '../documents/seal-ports.ts';
import type { BlobStore, StorePorts } from '../ports/index.ts';

/** Dependencies of the log. */
export interface ActivityPorts extends StorePorts {
  readonly random: RandomBytes;
  /** Base URL of signing pages and downloads, without a trailing slash. */
  readonly frontEnd: string;
  /**
   * Trust anchors for the tokens of daily roots, and the authority that issues them. Without it,
   * roots remain without a time-stamp, and tokens are verified without a path.
   */
  readonly timestamps?: Pick<ArchivePorts, 'anchors' | 'authority'>;
  /** Stored contents. Without it, neither evidence nor the existence of contents is checked. */
  readonly blobs?: Pick<BlobStore, 'get' | 'has'>;
}
