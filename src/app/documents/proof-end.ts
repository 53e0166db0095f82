import { isInnsigliError, restated } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { describeName, maskName } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import { type AlgorithmTable, listProofEnds, type ProofEnd } from '../../trust/algorithms/index.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import { requireUsableSigner } from './check-signer.ts';
import type { ArchivePorts, SealPorts } from './seal-ports.ts';
import { type SealedDocument, withMembers } from './sealed-document.ts';

const DAY_MS = 86_400_000;
const SEAL_LOWER = 'a seal at B-T needs none';

/**
 * Days before an end from which users are warned. Renewing a certificate is routine; a different
 * type of key must be planned, and is requested with the next certificate.
 */
const warningDays: Readonly<Record<ProofEnd['cause'], number>> = {
  certificate: 30,
  algorithm: 400,
};

/** The ends of which users must be warned now. */
export function endingSoon(ends: readonly ProofEnd[], nowMs: number): readonly ProofEnd[] {
  return ends.filter(({ endMs, cause }) => endMs - nowMs < warningDays[cause] * DAY_MS);
}

/** Ends of the validity of new signatures of a signer, earliest first. */
export function listSignerEnds(
  { algorithm }: Pick<Signer, 'algorithm'>,
  path: readonly Certificate[],
  nowMs: number,
  table?: AlgorithmTable,
): readonly ProofEnd[] {
  const [certificate] = path;
  if (certificate === undefined) return [];
  const { digest, scheme } = algorithm;
  const digests = scheme === 'ed25519' || scheme === 'ed448' ? [] : [digest];
  return listProofEnds({ certificate, algorithm, digests, path }, nowMs, table);
}

/** Ends of the proof by a time-stamp, earliest first. */
export function listStampEnds(
  { certificate, info, signerInfo, path }: TimestampVerdict,
  nowMs: number,
  table?: AlgorithmTable,
): readonly ProofEnd[] {
  if (certificate === undefined) return [];
  const digests = [info?.digest, signerInfo?.digest];
  const algorithm = signerInfo?.signatureAlgorithm;
  const known = path.length === 0 ? [certificate] : path;
  return listProofEnds({ certificate, algorithm, digests, path: known }, nowMs, table);
}

/** A warning about an algorithm that other validators do not accept yet; undefined otherwise. */
export function findUnacceptedAlgorithm({ algorithm }: Pick<Signer, 'algorithm'>) {
  if (algorithm.scheme !== 'ed25519' && algorithm.scheme !== 'ed448') return undefined;
  const name = algorithm.scheme === 'ed25519' ? 'Ed25519' : 'Ed448';
  return (
    `${name}: ETSI TS 119 312 recommends it, but validators of the EU do not accept it yet: ` +
    'to them the signature proves nothing; they accept P-256 and RSA of 3072 bits'
  );
}

/** Seals a document, and adds the end of its proof and warnings of near ends to the result. */
export async function sealedUntil<Sealed extends SealedDocument>(
  ports: SealPorts,
  seal: (ports: SealPorts) => Promise<Sealed>,
): Promise<Sealed> {
  const { signer, algorithms } = ports;
  const stamps: TimestampVerdict[] = [];
  const sealed = await seal({ ...ports, stamped: noting(stamps, ports) }).catch(offerLowerLevel);
  const nowMs = ports.now();
  const own = listSignerEnds(signer, requireUsableSigner(ports, nowMs).path, nowMs, algorithms);
  const unaccepted = findUnacceptedAlgorithm(signer);
  const warnings = unaccepted === undefined ? [] : [unaccepted];
  // A time-stamp preserves existing seals, but the signer still becomes unable to create new ones.
  const kept = stamps.length > 0;
  for (const { message, cause } of endingSoon(own, nowMs)) {
    const act = cause === 'algorithm' ? 'seal with a stronger key by then' : 'have it renewed';
    warnings.push(`${message}: ${act}${kept ? '' : ', and archive its sealed documents'}`);
  }
  return withEnds(sealed, warnings, stamps, own, { nowMs, ...ports });
}

/** Hints at a lower level: a seal needs no revocation data. Archiving does, so it gets no hint. */
function offerLowerLevel(error: unknown): never {
  if (!isInnsigliError(error) || error.details['missing'] !== 'revocation data') throw error;
  const { hint } = error;
  throw restated(error, { hint: hint === undefined ? SEAL_LOWER : `${hint}; ${SEAL_LOWER}` });
}

/** Like {@link sealedUntil}, for archiving and time-stamping. */
export async function archivedUntil<Sealed extends SealedDocument, Ports extends ArchivePorts>(
  ports: Ports,
  archive: (ports: Ports) => Promise<Sealed>,
): Promise<Sealed> {
  const stamps: TimestampVerdict[] = [];
  const made = await archive({ ...ports, stamped: noting(stamps, ports) });
  return withEnds(made, [], stamps, [], { nowMs: ports.now(), ...ports });
}

function noting(stamps: TimestampVerdict[], { stamped }: Pick<ArchivePorts, 'stamped'>) {
  return (verdict: TimestampVerdict) => {
    stamps.push(verdict);
    stamped?.(verdict);
  };
}

function withEnds<Sealed extends SealedDocument>(
  sealed: Sealed,
  warnings: string[],
  stamps: readonly TimestampVerdict[],
  own: readonly ProofEnd[],
  { nowMs, algorithms }: Pick<ArchivePorts, 'algorithms'> & { readonly nowMs: number },
): Sealed {
  const last = stamps.at(-1);
  const ends = last === undefined ? own : listStampEnds(last, nowMs, algorithms);
  if (last !== undefined) {
    const authority = maskName(describeName(last.certificate?.subjectDer ?? new Uint8Array()));
    for (const { message } of endingSoon(ends, nowMs)) {
      const rest = 'archive the document before then, with an additional time-stamp';
      warnings.push(`the time-stamp of "${authority}": ${message}; ${rest}`);
    }
  }
  const [end] = ends;
  const told = { warnings: [...sealed.warnings, ...warnings] };
  if (end === undefined) return withMembers(sealed, told);
  const { endMs, cause, message: reason } = end;
  return withMembers(sealed, { ...told, provesUntil: { time: isoTime(endMs), cause, reason } });
}
