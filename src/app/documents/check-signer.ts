import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import { getOrCompute } from '../../base/memo.ts';
import { type Certificate, describeName, parseCertificate } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import { type AlgorithmTable, findWeakProof } from '../../trust/algorithms/index.ts';
import { type CertificatePool, findPath } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import { checkSigningPurpose } from '../../trust/purpose.ts';
import type { SealPorts } from './seal-ports.ts';

/** A signer whose certificate permits signing now. */
interface UsableSigner {
  readonly certificate: Certificate;
  /** Certificates for building paths: of the signer, of the caller, and the trust anchors. */
  readonly pool: CertificatePool;
  /** Path to a trust anchor, or as far as it is known; leaf first. */
  readonly path: readonly Certificate[];
}

/** A signer with the known certificates of its issuers. */
type SigningKey = Pick<SealPorts, 'signer' | 'anchors' | 'certificates' | 'algorithms'>;

const parsed = new WeakMap<Signer, Certificate>();

/**
 * Requires a signer that may sign now and whose signatures `verify` accepts as strong enough.
 * Issuers are checked as far as they are known.
 *
 * @throws key.expired, key.notyetvalid, key.usage.forbidden, key.weak, x509.invalid
 */
export function requireUsableSigner(ports: SigningKey, nowMs: number): UsableSigner {
  const certificate = certificateOf(ports.signer);
  const { notBeforeMs, notAfterMs } = certificate;
  if (nowMs > notAfterMs + 999) throw outOfValidity('key.expired', certificate);
  if (nowMs < notBeforeMs) throw outOfValidity('key.notyetvalid', certificate);
  const [finding] = checkSigningPurpose(certificate);
  if (finding !== undefined) {
    const subject = describeName(certificate.subjectDer);
    throw new InnsigliError('key.usage.forbidden', `${subject}: ${finding}`, {
      hint: 'its key usage must allow it: openssl req -x509 … -addext keyUsage=digitalSignature',
    });
  }
  const pool = signerPool(ports, certificate);
  return { certificate, pool, path: requireStrength(ports, { certificate, pool }, nowMs, nowMs) };
}

/**
 * Requires a signer whose signatures `verify` accepts as strong enough, at whatever time they are
 * created.
 *
 * @throws key.weak, key.unreadable
 */
export function requireStrongSigner(signer: Signer, algorithms?: AlgorithmTable): void {
  let certificate: Certificate;
  try {
    certificate = certificateOf(signer);
  } catch (cause) {
    if (!isInnsigliError(cause)) throw cause;
    throw new InnsigliError('key.unreadable', cause.message, { cause });
  }
  const ports = { signer, anchors: [], algorithms };
  const usable = { certificate, pool: signerPool(ports, certificate) };
  requireStrength(ports, usable, certificate.notBeforeMs);
}

function certificateOf(signer: Signer): Certificate {
  return getOrCompute(parsed, signer, () => parseCertificate(signer.certificate));
}

function signerPool(
  { signer, anchors, certificates = [] }: SigningKey,
  certificate: Certificate,
): CertificatePool {
  const pool = createCertificatePool([certificate.der, ...signer.chain, ...certificates]);
  for (const anchor of anchors) pool.add(anchor.der);
  return pool;
}

function requireStrength(
  { signer, anchors, algorithms }: SigningKey,
  { certificate, pool }: Pick<UsableSigner, 'certificate' | 'pool'>,
  nowMs: number,
  strengthAtMs?: number,
): readonly Certificate[] {
  const { algorithm } = signer;
  // Without a trust anchor, the path ends at the last known certificate.
  const { path } = findPath({ certificate, pool, anchors, atMs: nowMs });
  const proof = { certificate, algorithm, digests: [algorithm.digest], path };
  const when = defined({ atMs: strengthAtMs, table: algorithms });
  const weakness = findWeakProof(proof, when);
  if (weakness !== undefined) throw weakKey(`${describeName(certificate.subjectDer)}: ${weakness}`);
  return path;
}

/** Error for a key or signature that proves nothing; `message` names its owner and the reason. */
export function weakKey(message: string): InnsigliError {
  return new InnsigliError('key.weak', message, {
    hint: 'use RSA of 3072 bits or more, P-256 or Ed25519, certified with SHA-256 or better',
  });
}

function outOfValidity(
  code: 'key.expired' | 'key.notyetvalid',
  { subjectDer, notAfterMs, notBeforeMs }: Certificate,
): InnsigliError {
  const subject = describeName(subjectDer);
  const isOver = code === 'key.expired';
  const relation = isOver ? 'expired on' : 'is not valid before';
  const time = new Date(isOver ? notAfterMs : notBeforeMs).toISOString();
  return new InnsigliError(code, `the certificate of ${subject} ${relation} ${time}`, {
    details: { time },
    hint: 'use a certificate that is valid now, or check the clock of this machine',
  });
}

/** A usable signer, and the time of signing. */
export interface SigningParty extends UsableSigner {
  readonly nowMs: number;
}

/**
 * Requires a signer that may sign now and, from B-LT on, has a path to a trust anchor.
 *
 * @throws key.*, algorithm.unsupported, certificate.untrusted
 */
export function prepareParty(level: SealLevel, ports: SealPorts): SigningParty {
  const nowMs = ports.now();
  const party = { ...requireUsableSigner(ports, nowMs), nowMs };
  if (reachesLevel(level, 'B-LT')) requireSignerPath(party, ports.anchors);
  return party;
}

/**
 * Requires a path from the signer to a trust anchor.
 *
 * @throws certificate.untrusted
 */
export function requireSignerPath(
  { certificate, pool, nowMs }: Omit<SigningParty, 'path'>,
  anchors: readonly Certificate[],
): void {
  const result = findPath({ certificate, pool, anchors, atMs: nowMs });
  if (result.valid) return;
  throw new InnsigliError('certificate.untrusted', `the seal certificate: ${result.message}`, {
    hint: 'pass its root with --trust and missing issuers with --chain',
  });
}
