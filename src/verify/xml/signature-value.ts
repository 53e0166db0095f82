import { attempt, attemptAny } from '../../base/errors.ts';
import type { SignatureAlgorithm } from '../../formats/x509/index.ts';
import {
  curveLengthBytes,
  ecdsaDerFromRaw,
  type XmlSignature,
} from '../../formats/xmldsig/index.ts';
import { type KeyHolder, publicKeyOf, verifySignature } from '../../trust/signature.ts';
import type { KeyCandidate } from './signing-key.ts';

/**
 * Whether the key verifies an XML signature value over `data`. For ECDSA and DSA, r and s should
 * each have exactly the length of the order of the curve or subgroup. Padded and shortened ones are
 * the same numbers, and {@link describeValueForm} reports them. The ASN.1 encoding of other formats
 * is not a signature value in XML: programs do not read it.
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
  const der = numberLength(algorithm, key) === undefined ? undefined : ecdsaDerFromRaw(value);
  return der !== undefined && verifySignature(algorithm, key, data, der);
}

/** Describes the form of r and s if it is not that of XML. Undefined otherwise. */
export function describeValueForm(
  { signedInfo, signatureValue }: XmlSignature,
  { key }: KeyCandidate,
): string | undefined {
  const { algorithm } = signedInfo.signatureMethod;
  const lengthBytes = algorithm && numberLength(algorithm, key);
  const found = signatureValue.bytes.length;
  if (lengthBytes === undefined || found === 2 * lengthBytes) return undefined;
  return `expected r and s of ${lengthBytes} bytes each, found ${found} bytes`;
}

/** Length of r and of s in bytes. Undefined for a scheme without such numbers. */
function numberLength({ scheme }: SignatureAlgorithm, key: KeyHolder): number | undefined {
  if (scheme === 'dsa') return subgroupLength(key);
  return scheme === 'ecdsa' ? orderLength(key) : undefined;
}

function subgroupLength(key: KeyHolder): number | undefined {
  const { divisorLength } = attemptAny(() => publicKeyOf(key).asymmetricKeyDetails) ?? {};
  return divisorLength === undefined ? undefined : Math.ceil(divisorLength / 8);
}

function orderLength({ spkiDer }: KeyHolder): number | undefined {
  return attempt(() => curveLengthBytes(spkiDer));
}
