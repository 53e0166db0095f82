import { attempt } from '../base/errors.ts';
import { getOrCompute } from '../base/memo.ts';
import type { DerNode } from '../formats/asn1/index.ts';
import { type Certificate, parseSignatureAlgorithm } from '../formats/x509/index.ts';
import { verifySignature } from './signature.ts';

/** A value signed as in X.509: certificate, CRL, OCSP response. */
export interface SignedValue {
  readonly tbsDer: Uint8Array;
  readonly signatureAlgorithm: DerNode;
  readonly signature: Uint8Array;
}

const checked = new WeakMap<SignedValue, WeakMap<Certificate, boolean>>();

/**
 * True when the signature of `value` is by the key of `signer`. The answer for a pair of values
 * is kept: a check costs 20 to 60 µs, a repeated one less than 0.1 µs.
 */
export function isSignedBy(value: SignedValue, signer: Certificate): boolean {
  // Asked hundreds of times in a verification: what is kept costs no closure.
  const kept = checked.get(value)?.get(signer);
  if (kept !== undefined) return kept;
  const answers = getOrCompute(checked, value, () => new WeakMap());
  return getOrCompute(answers, signer, () => check(value, signer));
}

/** True when {@link isSignedBy} has the answer already, so that asking costs nothing. */
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
