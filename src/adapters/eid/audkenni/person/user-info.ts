import { isDay } from '../../../../base/time/day.ts';
import { type AnswerObject, answerFault, findText, requireText } from '../../provider-answer.ts';

/** What the provider says of a person. */
export interface UserInfo {
  readonly sub: string;
  readonly name: string;
  /** Ten digits. */
  readonly number: string;
  /** Base64: CMS from a SIM card, signature value from the app. */
  readonly signature: string | undefined;
  /** Base64 DER; undefined where the CMS holds it. */
  readonly certificate: string | undefined;
  /** Certificate and device of the app. */
  readonly documentNr: string | undefined;
}

const what = 'the user information';

/** What stands in a member that does not apply. */
const NOT_APPLICABLE = 'na';

/** Claims that the ID token can have as well. */
const repeated = ['sub', 'name', 'nationalRegisterId', 'signature', 'certificate', 'documentNr'];

const MOST_SIGNATURE = 64 * 1024;

/**
 * The user information of a session. The ID token, whose signature was verified, has to be of the
 * same person, and to say the same wherever it says anything.
 *
 * @throws EidError `invalidResponse`
 * @spec OpenID Connect Core §5.3.2, §5.3.4
 */
export function readUserInfo(body: AnswerObject, idToken: AnswerObject): UserInfo {
  const sub = requireText(body, 'sub', what, 256);
  if (findText(idToken, 'sub') !== sub) throw answerFault(`${what}: expected the same subject`);
  for (const claim of repeated) {
    if (!Object.hasOwn(idToken, claim) || idToken[claim] === body[claim]) continue;
    throw answerFault(`${what}: expected the same ${claim} as in the ID token`);
  }
  const number = nationalNumber(requireText(body, 'nationalRegisterId', what, 32));
  if (number === undefined) throw answerFault(`${what}: expected a national number`);
  return {
    sub,
    name: requireText(body, 'name', what, 256),
    number,
    signature: applicable(body, 'signature'),
    certificate: applicable(body, 'certificate'),
    documentNr: applicable(body, 'documentNr'),
  };
}

function applicable(body: AnswerObject, member: string): string | undefined {
  const text = findText(body, member, MOST_SIGNATURE);
  return text?.toLowerCase() === NOT_APPLICABLE ? undefined : text;
}

const digitsOnly = /^(?:PNOIS-|IS)?(\d{6})-?(\d{4})$/;

/**
 * Ten digits of an Icelandic national number, with or without hyphen, or as a certificate writes it
 * (`PNOIS-…`); undefined for anything else. A check digit is not looked at: numbers of 2026 and
 * later have none.
 *
 * @spec ETSI EN 319 412-1 §5.1.3
 */
export function nationalNumber(text: string): string | undefined {
  const found = digitsOnly.exec(text.trim());
  return found === null ? undefined : `${found[1]}${found[2]}`;
}

const centuries: Readonly<Record<string, number>> = { 8: 1800, 9: 1900, 0: 2000 };

/** `YYYY-MM-DD` of the person with that number of ten digits; undefined where it has no date. */
export function birthDateOf(number: string): string | undefined {
  const century = centuries[number.slice(9)];
  const day = number.slice(0, 2);
  const month = number.slice(2, 4);
  if (century === undefined) return undefined;
  const year = century + Number(number.slice(4, 6));
  const text = `${year}-${month}-${day}`;
  return isDay(text) ? text : undefined;
}
