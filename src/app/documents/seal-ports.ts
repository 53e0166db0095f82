import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import type {
  RandomSource,
  RevocationSource,
  Signer,
  TimestampAuthority,
} from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import type { IsListedResponder } from '../../trust/revocation/index.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';

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
  /** Expiry dates of algorithms. Default: the table of `trust`. */
  readonly algorithms?: AlgorithmTable | undefined;
  /** Whose OCSP responses count by trusted lists. Default: nobody's. */
  readonly isListedResponder?: IsListedResponder | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
  /** Called with each time-stamp that was made. */
  stamped?(verdict: TimestampVerdict): void;
}

/** The outside parties of sealing. */
export interface SealPorts extends ArchivePorts {
  readonly signer: Signer;
  /** Fonts for a visible seal; asked for when one is drawn. */
  readonly fonts?: () => Promise<StampFonts>;
}

/** The source of revocation data that a level above B-T needs. @throws revocation.missing */
export function requireRevocation({ revocation }: ArchivePorts): RevocationSource {
  if (revocation !== undefined) return revocation;
  throw new InnsigliError('revocation.missing', 'no source of revocation data is configured');
}

/** The certificates for building paths: those that the caller gives, and the anchors. */
export function poolOf({
  anchors,
  certificates = [],
}: Pick<ArchivePorts, 'anchors' | 'certificates'>): CertificatePool {
  return createCertificatePool([...certificates, ...anchors.map(({ der }) => der)]);
}

/** The context for verifying a document in progress. Default: at the present. */
export function checkContext(
  ports: Pick<ArchivePorts, 'anchors' | 'algorithms' | 'isListedResponder' | 'now'>,
  pool: CertificatePool,
  nowMs = ports.now(),
) {
  const { anchors, algorithms, isListedResponder } = ports;
  return { anchors, pool, nowMs, ...defined({ algorithms, isListedResponder }) };
}
