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

/** Dependencies of archiving: everything that sealing needs except the key. */
export interface ArchivePorts {
  /** Required above level B-B. */
  readonly authority?: TimestampAuthority | undefined;
  /** Required above level B-T. */
  readonly revocation?: RevocationSource | undefined;
  /** Certificates trusted by the caller. */
  readonly anchors: readonly Certificate[];
  /** Further certificates for building paths, DER. */
  readonly certificates?: readonly Uint8Array[];
  /** Expiry dates of algorithms. Default: the table of `trust`. */
  readonly algorithms?: AlgorithmTable | undefined;
  /** Whether a trusted list authorises an OCSP responder. Default: none is authorised. */
  readonly isListedResponder?: IsListedResponder | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: RandomSource;
  /** Called with each time-stamp obtained. */
  stamped?(verdict: TimestampVerdict): void;
}

/** Dependencies of sealing. */
export interface SealPorts extends ArchivePorts {
  readonly signer: Signer;
  /** Fonts for a visible seal; loaded when one is drawn. */
  readonly fonts?: () => Promise<StampFonts>;
}

/**
 * The source of revocation data, required above level B-T.
 *
 * @throws revocation.missing
 */
export function requireRevocation({ revocation }: ArchivePorts): RevocationSource {
  if (revocation !== undefined) return revocation;
  throw new InnsigliError('revocation.missing', 'no source of revocation data is configured');
}

/** The certificates for building paths: those given by the caller, and the trust anchors. */
export function poolOf({
  anchors,
  certificates = [],
}: Pick<ArchivePorts, 'anchors' | 'certificates'>): CertificatePool {
  return createCertificatePool([...certificates, ...anchors.map(({ der }) => der)]);
}

/** The context for verifying a document in progress. Default: at the present time. */
export function checkContext(
  ports: Pick<ArchivePorts, 'anchors' | 'algorithms' | 'isListedResponder' | 'now'>,
  pool: CertificatePool,
  nowMs = ports.now(),
) {
  const { anchors, algorithms, isListedResponder } = ports;
  return { anchors, pool, nowMs, ...defined({ algorithms, isListedResponder }) };
}
