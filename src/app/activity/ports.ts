import type { RandomBytes } from '../../domain/keys.ts';
import type { ArchivePorts } from '../documents/seal-ports.ts';
import type { BlobStore, StorePorts } from '../ports/index.ts';

/** Dependencies of the log. */
export interface ActivityPorts extends StorePorts {
  readonly random: RandomBytes;
  /** Base address of signing pages and downloads, without a slash at the end. */
  readonly frontEnd: string;
  /**
   * Anchors that tokens of daily roots must lead to, and the authority that gives them. Without
   * it roots wait for a time-stamp, and tokens are verified without a path.
   */
  readonly timestamps?: Pick<ArchivePorts, 'anchors' | 'authority'>;
  /** Stored contents; without it the log is not compared with evidence, nor are they looked for. */
  readonly blobs?: Pick<BlobStore, 'get' | 'has'>;
}
