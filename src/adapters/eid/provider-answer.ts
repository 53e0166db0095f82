import { createPublicKey, type KeyObject } from 'node:crypto';
import { EidError, type EidHttpAnswer, type EidHttpRequest } from '../../app/ports/index.ts';
import { isRecord } from '../../base/input.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';

/** A JSON object of a response, whose members may have any type. */
export type ResponseObject = { readonly [member: string]: unknown };

/** Maximum length of a response in these protocols; certificates and a CMS take about 15 KiB. */
const MOST_BYTES = 256 * 1024;

/** The error for a response that violates the protocol. */
export function responseFault(message: string): EidError {
  return new EidError('invalidResponse', message);
}

/** The result of `read`. @throws EidError `invalidResponse` with the message if `read` throws */
export function readOr<Value>(message: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw responseFault(message);
  }
}

/**
 * Reads a response as a JSON object, whatever its status.
 *
 * @param what name of the response for the message: `the user information`
 * @throws EidError `invalidResponse` if it is not an object, or is longer than 256 KiB
 */
export function readObject(answer: EidHttpAnswer, what: string): ResponseObject {
  if (answer.body.length > MOST_BYTES)
    throw responseFault(`${what}: more than ${MOST_BYTES} bytes`);
  return parseObject(Buffer.from(answer.body).toString('utf8'), what);
}

/** Parses `text` as a JSON object. @throws EidError `invalidResponse` if it is not one */
export function parseObject(text: string, what: string): ResponseObject {
  const value: unknown = readOr(`${what}: expected JSON`, () => JSON.parse(text));
  if (isRecord(value)) return value;
  throw responseFault(`${what}: expected a JSON object`);
}

/** A string member of 1 to `most` characters; undefined if it is anything else. */
export function findText(object: ResponseObject, member: string, most = 4_096): string | undefined {
  if (!Object.hasOwn(object, member)) return undefined;
  const value = object[member];
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined;
}

/** A required string member. @throws EidError `invalidResponse` if it is missing or malformed */
export function requireText(
  object: ResponseObject,
  member: string,
  what: string,
  most?: number,
): string {
  const text = findText(object, member, most);
  if (text !== undefined) return text;
  throw responseFault(`${what}: expected text in ${member}`);
}

/** A finite number, which may be written as a string; undefined for anything else. */
export function findNumber(object: ResponseObject, member: string): number | undefined {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Decodes base64, which may have line breaks. @throws EidError `invalidResponse` if malformed */
export function decodeBase64(text: string, what: string): Uint8Array {
  const plain = text.replace(/[\r\n]/g, '');
  const isBase64 = plain.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(plain);
  if (!isBase64) throw responseFault(`${what}: expected base64`);
  return new Uint8Array(Buffer.from(plain, 'base64'));
}

/**
 * Rejects a response that says nothing about the session, so that the request may be retried.
 *
 * @throws EidError `providerUnavailable` for 408, 425, 429 and 5xx
 */
export function requireService({ status }: EidHttpAnswer): void {
  if (status >= 500 || [408, 425, 429].includes(status)) {
    throw new EidError('providerUnavailable', `the provider responded with status ${status}`);
  }
}

/** Encodes bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Parses a certificate of a response. @throws EidError `invalidResponse` */
export function readCertificate(der: Uint8Array, what = 'the certificate in the response') {
  return readOr(`${what} cannot be read`, () => parseCertificate(der));
}

/** The public key of a certificate. @throws EidError `invalidResponse` if it is damaged */
export function publicKeyOf({ spkiDer }: Certificate): KeyObject {
  return readOr('the key of the certificate cannot be read', () =>
    createPublicKey({ key: Buffer.from(spkiDer), format: 'der', type: 'spki' }),
  );
}

/** Form fields or headers. */
export type Fields = Readonly<Record<string, string>>;

/** A request that posts a form and expects JSON. */
export function formRequest(
  url: string,
  fields: Fields,
  timeoutMs: number,
  headers: Fields = {},
): EidHttpRequest {
  const types = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const body = new URLSearchParams(fields).toString();
  return { method: 'POST', url, headers: { ...types, ...headers }, body, timeoutMs };
}
