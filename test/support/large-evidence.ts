import { createSign, randomFillSync } from 'node:crypto';
import { der } from '../../src/formats/asn1/index.ts';
import { serializeSignatureAlgorithm } from '../../src/formats/x509/index.ts';
import type { TestMember } from './pki.ts';

/** An element of any length: the writer of the sources stops at 16 MiB. */
export function largeElement(tag: number, parts: readonly Uint8Array[]): Buffer {
  const lengthBytes = parts.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.of(tag, 0x84, 0, 0, 0, 0);
  header.writeUInt32BE(lengthBytes, 2);
  return Buffer.concat([header, ...parts]);
}

const entryBytes = 31;

/** A CRL of about so many bytes by the issuer, in order but for its size; revokes random numbers. */
export function largeCrl(issuer: TestMember, nowMs: number, lengthBytes: number): Buffer {
  const day = 24 * 3_600_000;
  const entries = Buffer.alloc(entryBytes * Math.floor(lengthBytes / entryBytes));
  randomFillSync(entries);
  const date = Buffer.from('250101000000Z', 'latin1');
  for (let at = 0; at < entries.length; at += entryBytes) {
    entries.writeUInt32BE(0x301d020c, at);
    // A serial number is positive, and not that of a member of a test PKI.
    entries[at + 4] = 0x11;
    entries.writeUInt16BE(0x170d, at + 16);
    date.copy(entries, at + 18);
  }
  const algorithm = serializeSignatureAlgorithm(issuer.algorithm);
  const tbs = largeElement(0x30, [
    der.smallInteger(1),
    algorithm,
    issuer.certificate.subjectDer,
    der.certificateTime(nowMs - day),
    der.certificateTime(nowMs + 7 * day),
    largeElement(0x30, [entries]),
  ]);
  const signature = createSign('sha256').update(tbs).sign(issuer.privateKey);
  return largeElement(0x30, [tbs, algorithm, der.bitString(signature)]);
}
