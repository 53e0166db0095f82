import { InnsigliError } from '../../base/errors.ts';
import { der, readDer, readIntegerBytes, readOid, readSequence } from '../asn1/index.ts';
import { curveRows } from './algorithms.table.ts';

const lengthByCurve = new Map(curveRows);
const LONGEST = Math.max(...lengthByCurve.values());

/** Length in bytes of r and of s for the named curve of a public key; undefined if unknown. */
export function curveLengthBytes(spkiDer: Uint8Array): number | undefined {
  const [algorithm] = readSequence(readDer(spkiDer), 'public key');
  const [, curve] = readSequence(algorithm, 'key algorithm');
  return curve?.tag === 0x06 ? lengthByCurve.get(readOid(curve)) : undefined;
}

/**
 * The signature value in XML form: r and s, each of `lengthBytes`, concatenated.
 *
 * @throws asn1.invalid if it is not a SEQUENCE of two non-negative integers that fit
 * @spec RFC 9231 §2.3.6
 */
export function ecdsaRawFromDer(signature: Uint8Array, lengthBytes: number): Uint8Array {
  const raw = new Uint8Array(2 * lengthBytes);
  const numbers = readSequence(readDer(signature), 'ECDSA signature');
  if (numbers.length !== 2)
    throw new InnsigliError('asn1.invalid', 'ECDSA signature without r and s');
  for (const [place, node] of numbers.entries()) {
    const bytes = withoutZeros(readIntegerBytes(node, 'ECDSA signature'));
    if (bytes.length > lengthBytes) {
      const said = `expected at most ${lengthBytes} bytes of r and s, found ${bytes.length}`;
      throw new InnsigliError('asn1.invalid', said);
    }
    raw.set(bytes, (place + 1) * lengthBytes - bytes.length);
  }
  return raw;
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 0) start++;
  return bytes.subarray(start);
}

/**
 * The signature value as used by `Signer` and node:crypto: `SEQUENCE { r, s }`, DER. Undefined if
 * the length is odd, or far greater than any curve needs even with padding.
 */
export function ecdsaDerFromRaw(raw: Uint8Array): Uint8Array | undefined {
  const half = raw.length / 2;
  if (!Number.isInteger(half) || half < 1 || half > 2 * LONGEST) return undefined;
  return der.sequence(
    der.unsignedInteger(raw.subarray(0, half)),
    der.unsignedInteger(raw.subarray(half)),
  );
}
