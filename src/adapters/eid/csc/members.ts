import { asBuffer } from '../../../base/bytes.ts';
import { isRecord } from '../../../base/input.ts';
import { readOr, responseFault } from '../provider-answer.ts';

/** Members of a JSON object of the provider, not validated. */
export type Members = Readonly<Record<string, unknown>>;

/** Maximum length of a string; certificates and tokens are the longest. */
const MOST_TEXT = 64 * 1024;

/** Parses a body as a JSON object. @throws EidError `invalidResponse` */
export function parseMembers(body: Uint8Array): Members {
  const value = readOr('the response is not JSON', () =>
    JSON.parse(asBuffer(body).toString('utf8')),
  );
  return asMembers(value, 'the response');
}

/** @throws EidError `invalidResponse` if the value is not an object */
export function asMembers(value: unknown, what: string): Members {
  if (isRecord(value)) return value;
  throw responseFault(`${what}: expected an object`);
}

/** An own member; null counts as undefined. */
export function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined;
}

/** @throws EidError `invalidResponse` if it exists but is not a string, or is too long */
export function textOf(members: Members, name: string): string | undefined {
  const value = memberOf(members, name);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length <= MOST_TEXT) return value;
  throw responseFault(`member ${name}: expected a text`);
}

/** @throws EidError `invalidResponse` if it is missing or not a string */
export function requireText(members: Members, name: string): string {
  const value = textOf(members, name);
  if (value === undefined || value === '') throw responseFault(`member ${name} is missing`);
  return value;
}

/** A number of seconds. @throws EidError `invalidResponse` if it exists but is no valid number */
export function secondsOf(members: Members, name: string): number | undefined {
  const value = memberOf(members, name);
  if (value === undefined) return undefined;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  throw responseFault(`member ${name}: expected a number of seconds`);
}

/** @throws EidError `invalidResponse` if it exists but is not an object */
export function objectOf(members: Members, name: string): Members | undefined {
  const value = memberOf(members, name);
  return value === undefined ? undefined : asMembers(value, `member ${name}`);
}

/** @throws EidError `invalidResponse` if it exists but is not a list, or is too long */
export function listOf(members: Members, name: string, most = 256): readonly unknown[] | undefined {
  const value = memberOf(members, name);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length <= most) return value;
  throw responseFault(`member ${name}: expected a list of at most ${most}`);
}

/** @throws EidError `invalidResponse` if it exists but is not a list of strings */
export function textsOf(members: Members, name: string): readonly string[] | undefined {
  return listOf(members, name)?.map((value) => {
    if (typeof value === 'string' && value.length <= MOST_TEXT) return value;
    throw responseFault(`member ${name}: expected texts`);
  });
}

/** @throws EidError `invalidResponse` if the text is not base64, or is empty */
export function decodeBase64(text: string, what: string): Uint8Array {
  const plain = text.replace(/[\r\n]/g, '');
  if (plain !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return Buffer.from(plain, 'base64');
  throw responseFault(`${what}: expected base64`);
}
