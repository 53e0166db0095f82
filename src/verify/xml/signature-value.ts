import { isInnsigliError } from '../../base/errors.ts';
import type { SignatureAlgorithm } from '../../formats/x509/index.ts';
import { curveLengthBytes, ecdsaDerFromRaw } from '../../formats/xmldsig/index.ts';
import { type KeyHolder, publicKeyOf, verifySignature } from '../../trust/signature.ts';

/**
 * True when a signature value of XML is one of `data` by the key. Of ECDSA and DSA r and s must
 * each have exactly the length of the order of the curve or subgroup.
 *
 * @spec XML-Signature Syntax and Processing 1.1 §6.4.1, §6.4.3
 */
export function verifyXmlValue(
  algorithm: SignatureAlgorithm,
  key: KeyHolder,
  data: Uint8Array,
  value: Uint8Array,
): boolean {
  const { scheme } = algorithm;
  if (scheme !== 'ecdsa' && scheme !== 'dsa') return verifySignature(algorithm, key, data, value);
  const lengthBytes = scheme === 'dsa' ? subgroupLength(key) : orderLength(key);
  if (lengthBytes === undefined || value.length !== 2 * lengthBytes) return false;
  const der = ecdsaDerFromRaw(value);
  return der !== undefined && verifySignature(algorithm, key, data, der);
}

function subgroupLength(key: KeyHolder): number | undefined {
  try {
    const { divisorLength } = publicKeyOf(key).asymmetricKeyDetails ?? {};
    return divisorLength === undefined ? undefined : Math.ceil(divisorLength / 8);
  } catch {
    return undefined;
  }
}

function orderLength({ spkiDer }: KeyHolder): number | undefined {
  try {
    return curveLengthBytes(spkiDer);
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
