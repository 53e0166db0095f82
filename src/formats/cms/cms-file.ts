import { asBuffer, latin1Text } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { der, oids } from '../asn1/index.ts';

/** Content types that are recognised; those without a signature are rejected by name. */
const types = [
  oids.signedData,
  oids.envelopedData,
  oids.authEnvelopedData,
  oids.data,
  oids.digestedData,
].map((oid) => asBuffer(der.oid(oid)));
const armour = /^(?:\xef\xbb\xbf)?[ \t\r\n]*-----BEGIN (CMS|PKCS7|PKCS #7 SIGNED DATA)-----\r?\n/;

/**
 * Whether a file starts like a SignedData or another CMS content, in DER, BER or PEM.
 *
 * @param start the first bytes of the file
 * @spec RFC 5652 §3, RFC 7468 §9, §10
 */
export function looksLikeCms(start: Uint8Array): boolean {
  if (start[0] !== 0x30) return armour.test(latin1Text(start.subarray(0, 256)));
  const first = start[1] ?? 0;
  // 0x80: indefinite length.
  const typeAt = first <= 0x80 ? 2 : 2 + (first & 0x7f);
  return types.some((type) => type.equals(start.subarray(typeAt, typeAt + type.length)));
}

/**
 * The SignedData of a file in DER, BER or PEM; PEM is decoded.
 *
 * @throws cms.invalid if the PEM text is corrupt or followed by anything
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
 * A SignedData in the encoding of another file: PEM with the same label, otherwise DER.
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
