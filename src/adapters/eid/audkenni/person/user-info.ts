import { isDay } from '../../../../base/time/day.ts';
import {
  findText,
  type ResponseObject,
  requireText,
  responseFault,
} from '../../provider-answer.ts';

/** What the provider states about a person. */
export interface UserInfo {
  readonly sub: string;
  readonly name: string;
  /** Ten digits. */
  readonly number: string;
  /** Base64: a CMS from a SIM card, a signature value from the app. */
  readonly signature: string | undefined;
  /** Base64 DER; undefined if the CMS contains it. */
  readonly certificate: string | undefined;
  /** Identifies the certificate and device of the app. */
  readonly documentNr: string | undefined;
}

const what = 'the user information';

/** Value of a member that does not apply. */
const NOT_APPLICABLE = 'na';

/** Claims that the ID token may contain as well. */
const repeated = ['sub', 'name', 'nationalRegisterId', 'signature', 'certificate', 'documentNr'];

const MOST_SIGNATURE = 64 * 1024;

/**
 * Reads the user information of a session. The ID token, whose signature was verified, must be
 * about the same person, and every claim it repeats must have the same value.
 *
 * @throws EidError `invalidResponse`
 * @spec OpenID Connect Core §5.3.2, §5.3.4
 */
export function readUserInfo(body: ResponseObject, idToken: ResponseObject): UserInfo {
  const sub = requireText(body, 'sub', what, 256);
  if (findText(idToken, 'sub') !== sub) throw responseFault(`${what}: expected the same subject`);
  for (const claim of repeated) {
    if (!Object.hasOwn(idToken, claim) || idToken[claim] === body[claim]) continue;
    throw responseFault(`${what}: expected the same ${claim} as in the ID token`);
  }
  const number = nationalNumber(requireText(body, 'nationalRegisterId', what, 32));
  if (number === undefined) throw responseFault(`${what}: expected a national number`);
  return {
    sub,
    name: requireText(body, 'name', what, 256),
    number,
    signature: applicable(body, 'signature'),
    certificate: applicable(body, 'certificate'),
    documentNr: applicable(body, 'documentNr'),
  };
}

function applicable(body: ResponseObject, member: string): string | undefined {
  const text = findText(body, member, MOST_SIGNATURE);
  return text?.toLowerCase() === NOT_APPLICABLE ? undefined : text;
}

const digitsOnly = /^(?:PNOIS-|IS)?(\d{6})-?(\d{4})$/;

/**
 * Returns the ten digits of an Icelandic national number, which may have a hyphen or the form used
 * in certificates (`PNOIS-…`); undefined for anything else. The check digit is not verified:
 * numbers issued from 2026 on have none.
 *
 * @spec ETSI EN 319 412-1 §5.1.3
 */
export function nationalNumber(text: string): string | undefined {
  const found = digitsOnly.exec(text.trim());
  return found === null ? undefined : `${found[1]}${found[2]}`;
}

const centuries: Readonly<Record<string, number>> = { 8: 1800, 9: 1900, 0: 2000 };

/** Date of birth (`YYYY-MM-DD`) in a national number of ten digits; undefined if it has none. */
export function birthDateOf(number: string): string | undefined {
  const century = centuries[number.slice(9)];
  const day = number.slice(0, 2);
  const month = number.slice(2, 4);
  if (century === undefined) return undefined;
  const year = century + Number(number.slice(4, 6));
  const text = `${year}-${month}-${day}`;
  return isDay(text) ? text : undefined;
}
