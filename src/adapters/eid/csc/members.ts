import { asBuffer } from '../../../base/bytes.ts';
import { isRecord } from '../../../base/input.ts';
import { answerFault, readOr } from '../provider-answer.ts';

/** Members of a JSON object of the provider: nothing of it has been looked at. */
export type Members = Readonly<Record<string, unknown>>;

/** Characters of a text; certificates and tokens are the longest. */
const MOST_TEXT = 64 * 1024;

/** The JSON object of a body. @throws EidError `invalidResponse` */
export function parseMembers(body: Uint8Array): Members {
  const value = readOr('the response is not JSON', () =>
    JSON.parse(asBuffer(body).toString('utf8')),
  );
  return asMembers(value, 'the response');
}

/** @throws EidError `invalidResponse` when the value is no object */
export function asMembers(value: unknown, what: string): Members {
  if (isRecord(value)) return value;
  throw answerFault(`${what}: expected an object`);
}

/** An own member; undefined also for null. */
export function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined;
}

/** @throws EidError `invalidResponse` when it is there and no text, or a very long one */
export function textOf(members: Members, name: string): string | undefined {
  const value = memberOf(members, name);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= MOST_TEXT) return value;
  throw answerFault(`member ${name}: expected a text`);
}

/** @throws EidError `invalidResponse` when it is missing or no text */
export function requireText(members: Members, name: string): string {
  const value = textOf(members, name);
  if (value === undefined || value === '') throw answerFault(`member ${name} is missing`);
  return value;
}

/** A count of seconds. @throws EidError `invalidResponse` when it is there and none */
export function secondsOf(members: Members, name: string): number | undefined {
  const value = memberOf(members, name);
  if (value === undefined) return undefined;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw answerFault(`member ${name}: expected a number of seconds`);
}

/** @throws EidError `invalidResponse` when it is there and no object */
export function objectOf(members: Members, name: string): Members | undefined {
  const value = memberOf(members, name);
  return value === undefined ? undefined : asMembers(value, `member ${name}`);
}

/** @throws EidError `invalidResponse` when it is there and no list, or one that is too long */
export function listOf(members: Members, name: string, most = 256): readonly unknown[] | undefined {
  const value = memberOf(members, name);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length <= most) return value;
  throw answerFault(`member ${name}: expected a list of at most ${most}`);
}

/** @throws EidError `invalidResponse` when it is there and no list of texts */
export function textsOf(members: Members, name: string): readonly string[] | undefined {
  return listOf(members, name)?.map((value) => {
    if (typeof value === 'string' && value.length <= MOST_TEXT) return value;
    throw answerFault(`member ${name}: expected texts`);
  });
}

/** @throws EidError `invalidResponse` when the text is no base64, or empty */
export function decodeBase64(text: string, what: string): Uint8Array {
  const plain = text.replace(/[\r\n]/g, '');
  if (plain !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return Buffer.from(plain, 'base64');
  throw answerFault(`${what}: expected base64`);
}
