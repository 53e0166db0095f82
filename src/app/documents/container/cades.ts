import { equalBytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { SealLevel } from '../../../base/level.ts';
import { der, derOf, readDer, readSet } from '../../../formats/asn1/index.ts';
import { joinSignedData, splitSignedData } from '../../../formats/cms/index.ts';
import { signCades } from '../../../seal/cades/index.ts';
import type { XadesClaims } from '../../../seal/xades/index.ts';
import type { ContentDigest } from '../../../trust/content-digest.ts';
import type { SigningParty } from '../check-signer.ts';
import { timestampContext } from '../long-term-steps.ts';
import type { SealPorts } from '../seal-ports.ts';

/** @throws usage.invalid for claims that CAdES signatures do not get here */
export function requireNoClaims({ roles, place, commitments, policy }: XadesClaims): void {
  const claims = { roles: roles?.length || undefined, place, commitments, policy };
  const lists = { ...claims, commitments: commitments?.length || undefined };
  const given = Object.entries(lists).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new InnsigliError('usage.invalid', `${given[0]}: not for CAdES signatures`, {
    hint: 'use XAdES, or omit it',
  });
}

/** A CAdES signature over content that stays in a file of its own. @throws as `signCades` */
export async function signContent(
  content: ContentDigest,
  level: SealLevel,
  { certificate, pool, nowMs }: SigningParty,
  ports: SealPorts,
): Promise<Uint8Array> {
  const { signer, revocation, isListedResponder } = ports;
  const timestamps = level === 'B-B' ? undefined : timestampContext(ports, pool, level);
  const made = await signCades(content, {
    ...{ signer, certificate, level, signingTimeMs: nowMs, timestamps },
    ...{ revocation, isListedResponder },
  });
  return made.signature;
}

/**
 * One SignedData with the signers of two over the same content; certificates and revocation
 * values are those of both. No archive time-stamp breaks: they list what they cover.
 *
 * @throws cms.invalid when one of them is no SignedData
 */
export function joinSigners(present: Uint8Array, added: Uint8Array): Uint8Array {
  const first = splitSignedData(present);
  const second = splitSignedData(added);
  const digests = union(membersOf(first.digestAlgorithms), membersOf(second.digestAlgorithms));
  return joinSignedData({
    ...first,
    digestAlgorithms: der.setOf(...digests),
    certificates: union(first.certificates, second.certificates),
    revocation: union(first.revocation, second.revocation),
    signers: [...first.signers, ...second.signers],
  });
}

function membersOf(set: Uint8Array): readonly Uint8Array[] {
  return readSet(readDer(set), 'digest algorithms').map(derOf);
}

function union(a: readonly Uint8Array[], b: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...a, ...b.filter((value) => !a.some((known) => equalBytes(known, value)))];
}
