import type { RandomBytes } from '../../domain/keys.ts';
import type { BlobStore, ChannelPorts, Store, Vault } from '../ports/index.ts';

/** What every use case of the service stands on. */
export interface ServicePorts extends ChannelPorts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly vault: Vault;
  /** Epoch milliseconds; read once for each command. */
  now(): number;
  readonly random: RandomBytes;
  /** Base address of signing pages and downloads, without a slash at the end. */
  readonly frontEnd: string;
}
