import { attempt } from '../base/errors.ts';
import { getOrCompute } from '../base/memo.ts';
import type { DerNode } from '../formats/asn1/index.ts';
import { type Certificate, parseSignatureAlgorithm } from '../formats/x509/index.ts';
import { verifySignature } from './signature.ts';

/** A value signed as in X.509: a certificate, CRL or OCSP response. */
export interface SignedValue {
  readonly tbsDer: Uint8Array;
  readonly signatureAlgorithm: DerNode;
  readonly signature: Uint8Array;
}

const checked = new WeakMap<SignedValue, WeakMap<Certificate, boolean>>();

/**
 * Whether `value` was signed with the key of `signer`. The result is cached per pair of values: a
 * check takes 20 to 60 µs, a repeated one less than 0.1 µs.
 */
export function isSignedBy(value: SignedValue, signer: Certificate): boolean {
  // Called hundreds of times per verification: a cached result needs no closure.
  const kept = checked.get(value)?.get(signer);
  if (kept !== undefined) return kept;
  const answers = getOrCompute(checked, value, () => new WeakMap());
  return getOrCompute(answers, signer, () => check(value, signer));
}

/** Whether {@link isSignedBy} has a cached result, so that calling it costs nothing. */
export function isSignatureKnown(value: SignedValue, signer: Certificate): boolean {
  return checked.get(value)?.has(signer) ?? false;
}

function check(value: SignedValue, signer: Certificate): boolean {
  const isRight = attempt(() => {
    const algorithm = parseSignatureAlgorithm(value.signatureAlgorithm);
    return verifySignature(algorithm, signer, value.tbsDer, value.signature);
  });
  return isRight === true;
}
