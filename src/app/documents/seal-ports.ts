import type { Certificate } from '../../formats/x509/index.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import type {
  RandomSource,
  RevocationSource,
  Signer,
  TimestampAuthority,
} from '../../seal/ports.ts';

/** The outside parties of archiving: everything that sealing needs but the key. */
export interface ArchivePorts {
  /** Needed above level B-B. */
  readonly authority?: TimestampAuthority | undefined;
  /** Needed above level B-T. */
  readonly revocation?: RevocationSource | undefined;
  /** Certificates that the caller trusts. */
  readonly anchors: readonly Certificate[];
  /** Certificates that help to build paths, DER. */
  readonly certificates?: readonly Uint8Array[];
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
}

/** The outside parties of sealing. */
export interface SealPorts extends ArchivePorts {
  readonly signer: Signer;
  /** Fonts for a visible seal; asked for when one is drawn. */
  readonly fonts?: () => Promise<StampFonts>;
}
