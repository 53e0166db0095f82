import { CoreError } from '../base/errors.ts';
import { reachesLevel, type SealLevel } from '../base/level.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { type CertificatePool, findPath } from '../trust/path.ts';
import { createCertificatePool } from '../trust/pool.ts';
import { requireUsableSigner } from './check-signer.ts';
import type { SealPorts } from './seal-ports.ts';

/** Who signs, with what is known of it. */
export interface SigningParty {
  readonly certificate: Certificate;
  readonly nowMs: number;
  /** Certificates for building paths: of the signer, of the caller, the anchors. */
  readonly pool: CertificatePool;
}

/**
 * The signer, fit to sign now and, from B-LT on, with a path to an anchor.
 *
 * @throws key.*, algorithm.unsupported, certificate.untrusted
 */
export function prepareParty(level: SealLevel, ports: SealPorts): SigningParty {
  const nowMs = ports.now();
  const certificate = requireUsableSigner(ports.signer, nowMs);
  const party = { certificate, nowMs, pool: signerPool(ports, certificate) };
  if (reachesLevel(level, 'B-LT')) requireSignerPath(party, ports.anchors);
  return party;
}

/** The certificates at hand for paths. */
export function signerPool(ports: SealPorts, certificate: Certificate): CertificatePool {
  const { signer, anchors, certificates = [] } = ports;
  const pool = createCertificatePool([certificate.der, ...signer.chain, ...certificates]);
  for (const anchor of anchors) pool.add(anchor.der);
  return pool;
}

/** Requires that a path leads from the signer to an anchor. @throws certificate.untrusted */
export function requireSignerPath(
  { certificate, pool, nowMs }: SigningParty,
  anchors: readonly Certificate[],
): void {
  const result = findPath({ certificate, pool, anchors, atMs: nowMs });
  if (result.valid) return;
  throw new CoreError('certificate.untrusted', `the seal certificate: ${result.message}`, {
    hint: 'give its root with --trust and missing issuers with --chain',
  });
}
