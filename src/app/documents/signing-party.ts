import { InnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { findPath } from '../../trust/path.ts';
import { requireUsableSigner, type UsableSigner } from './check-signer.ts';
import type { SealPorts } from './seal-ports.ts';

/** Who signs, with what is known of it. */
export interface SigningParty extends UsableSigner {
  readonly nowMs: number;
}

/**
 * The signer, fit to sign now and, from B-LT on, with a path to an anchor.
 *
 * @throws key.*, algorithm.unsupported, certificate.untrusted
 */
export function prepareParty(level: SealLevel, ports: SealPorts): SigningParty {
  const nowMs = ports.now();
  const party = { ...requireUsableSigner(ports, nowMs), nowMs };
  if (reachesLevel(level, 'B-LT')) requireSignerPath(party, ports.anchors);
  return party;
}

/** Requires that a path leads from the signer to an anchor. @throws certificate.untrusted */
export function requireSignerPath(
  { certificate, pool, nowMs }: SigningParty,
  anchors: readonly Certificate[],
): void {
  const result = findPath({ certificate, pool, anchors, atMs: nowMs });
  if (result.valid) return;
  throw new InnsigliError('certificate.untrusted', `the seal certificate: ${result.message}`, {
    hint: 'give its root with --trust and missing issuers with --chain',
  });
}
