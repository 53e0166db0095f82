import { asBuffer, latin1Text } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { der, oids } from '../asn1/index.ts';

/** Types of content that a file may have; those without a signature are refused by their name. */
const types = [
  oids.signedData,
  oids.envelopedData,
  oids.authEnvelopedData,
  oids.data,
  oids.digestedData,
].map((oid) => asBuffer(der.oid(oid)));
const armour = /^(?:\xef\xbb\xbf)?[ \t\r\n]*-----BEGIN (CMS|PKCS7|PKCS #7 SIGNED DATA)-----\r?\n/;

/**
 * True when a file begins as a SignedData or another content of CMS, in DER, BER or the text form
 * of PEM.
 *
 * @param start the first bytes of the file
 * @spec RFC 5652 §3, RFC 7468 §9, §10
 */
export function looksLikeCms(start: Uint8Array): boolean {
  if (start[0] !== 0x30) return armour.test(latin1Text(start.subarray(0, 256)));
  const first = start[1] ?? 0;
  // 0x80: of indefinite length.
  const typeAt = first <= 0x80 ? 2 : 2 + (first & 0x7f);
  return types.some((type) => type.equals(start.subarray(typeAt, typeAt + type.length)));
}

/**
 * The SignedData of a file, DER or BER: as it stands, or out of the text form of PEM.
 *
 * @throws cms.invalid when the text form is damaged or something follows it
 * @spec RFC 7468 §2, §3
 */
export function readCmsFile(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0x30) return bytes;
  const [opening, label] = armour.exec(latin1Text(bytes.subarray(0, 256))) ?? [];
  if (opening === undefined) throw new InnsigliError('cms.invalid', 'the file is not a SignedData');
  const text = latin1Text(bytes).slice(opening.length).trimEnd();
  const end = `-----END ${label}-----`;
  const body = text.endsWith(end) ? text.slice(0, -end.length).replace(/[ \t\r\n]+/g, '') : '';
  const decoded = Buffer.from(body, 'base64');
  if (body === '' || decoded.toString('base64') !== body) {
    throw new InnsigliError('cms.invalid', `the text of ${label} is damaged`);
  }
  return decoded;
}

/**
 * A SignedData in the form of another file: the text form of PEM with its label, else DER.
 *
 * @spec RFC 7468 §2, §3
 */
export function writeCmsFile(signature: Uint8Array, form: Uint8Array): Uint8Array {
  const [, label] = armour.exec(latin1Text(form.subarray(0, 256))) ?? [];
  if (form[0] === 0x30 || label === undefined) return signature;
  const lines = asBuffer(signature)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return new Uint8Array(Buffer.from(`-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`));
}
