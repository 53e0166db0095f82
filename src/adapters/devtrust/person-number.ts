import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RandomSource } from '../../seal/ports.ts';

/**
 * Serial numbers of certificates of persons authenticate themselves, so that no list of issued
 * certificates is needed:
 *
 *     | 0x7f | 7 random bytes | first 8 bytes of HMAC-SHA256(CA key, random bytes) |
 */
const FIRST = 0x7f;
const RANDOM_BYTES = 7;
const TAG_BYTES = 8;

/** Creates a serial number for a certificate of a person: 16 bytes, positive. */
export function newPersonNumber(random: RandomSource, issuerKey: KeyObject): Uint8Array {
  const unique = random(RANDOM_BYTES);
  return Buffer.concat([Buffer.of(FIRST), unique, tagOf(unique, issuerKey)]);
}

/** Whether {@link newPersonNumber} created the serial number with this key. */
export function isPersonNumber(serialNumber: Uint8Array, issuerKey: KeyObject): boolean {
  if (serialNumber.length !== 1 + RANDOM_BYTES + TAG_BYTES) return false;
  if (serialNumber[0] !== FIRST) return false;
  const unique = serialNumber.subarray(1, 1 + RANDOM_BYTES);
  return timingSafeEqual(serialNumber.subarray(1 + RANDOM_BYTES), tagOf(unique, issuerKey));
}

function tagOf(unique: Uint8Array, issuerKey: KeyObject): Uint8Array {
  const secret = issuerKey.export({ format: 'der', type: 'pkcs8' });
  const tag = createHmac('sha256', secret).update('innsigli person').update(unique).digest();
  return tag.subarray(0, TAG_BYTES);
}
