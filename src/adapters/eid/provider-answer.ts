import { createPublicKey, type KeyObject } from 'node:crypto';
import { EidError, type EidHttpAnswer, type EidHttpRequest } from '../../app/ports/index.ts';
import { isRecord } from '../../base/input.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';

/** An object of an answer; its members are what the provider says, of any type. */
export type AnswerObject = { readonly [member: string]: unknown };

/** No answer of these protocols is longer: certificates and a CMS take about 15 KiB. */
const MOST_BYTES = 256 * 1024;

/** The fault of an answer that the protocol does not permit. */
export function answerFault(message: string): EidError {
  return new EidError('invalidResponse', message);
}

/** What `read` gives. @throws EidError `invalidResponse` with the message when it throws */
export function readOr<Value>(message: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw answerFault(message);
  }
}

/**
 * The JSON object of an answer, whatever its status.
 *
 * @param what name of the answer for the message: `the user information`
 * @throws EidError `invalidResponse` when it is none, or longer than 256 KiB
 */
export function readObject(answer: EidHttpAnswer, what: string): AnswerObject {
  if (answer.body.length > MOST_BYTES) throw answerFault(`${what}: more than ${MOST_BYTES} bytes`);
  return parseObject(Buffer.from(answer.body).toString('utf8'), what);
}

/** The JSON object that `text` is. @throws EidError `invalidResponse` when it is none */
export function parseObject(text: string, what: string): AnswerObject {
  const value: unknown = readOr(`${what}: expected JSON`, () => JSON.parse(text));
  if (isRecord(value)) return value;
  throw answerFault(`${what}: expected a JSON object`);
}

/** The text of a member, of 1 to `most` characters; undefined when it is anything else. */
export function findText(object: AnswerObject, member: string, most = 4_096): string | undefined {
  if (!Object.hasOwn(object, member)) return undefined;
  const value = object[member];
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined;
}

/** The text of a member. @throws EidError `invalidResponse` when there is none */
export function requireText(
  object: AnswerObject,
  member: string,
  what: string,
  most?: number,
): string {
  const text = findText(object, member, most);
  if (text !== undefined) return text;
  throw answerFault(`${what}: expected text in ${member}`);
}

/** The finite number of a member, also where it stands as text; undefined for anything else. */
export function findNumber(object: AnswerObject, member: string): number | undefined {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The bytes of base64, line breaks allowed. @throws EidError `invalidResponse` for other text */
export function decodeBase64(text: string, what: string): Uint8Array {
  const plain = text.replace(/[\r\n]/g, '');
  const isBase64 = plain.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(plain);
  if (!isBase64) throw answerFault(`${what}: expected base64`);
  return new Uint8Array(Buffer.from(plain, 'base64'));
}

/**
 * Ends the use of an answer that says nothing of the session, so that it may be asked for again.
 *
 * @throws EidError `providerUnavailable` for 408, 425, 429 and 5xx
 */
export function requireService({ status }: EidHttpAnswer): void {
  if (status >= 500 || [408, 425, 429].includes(status)) {
    throw new EidError('providerUnavailable', `the provider responded with status ${status}`);
  }
}

/** Base64 of bytes. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A certificate of an answer as a value. @throws EidError `invalidResponse` */
export function readCertificate(der: Uint8Array, what = 'the certificate in the response') {
  return readOr(`${what} cannot be read`, () => parseCertificate(der));
}

/** The key of a certificate. @throws EidError `invalidResponse` when it is damaged */
export function publicKeyOf({ spkiDer }: Certificate): KeyObject {
  return readOr('the key of the certificate cannot be read', () =>
    createPublicKey({ key: Buffer.from(spkiDer), format: 'der', type: 'spki' }),
  );
}

/** Fields of a form, or of a header. */
export type Fields = Readonly<Record<string, string>>;

/** A request that posts a form, for an answer in JSON. */
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
