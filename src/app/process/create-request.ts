import { CoreError } from '../../base/errors.ts';
import { type Flow, isRecord, refuseMember } from '../../domain/flow/index.ts';
import { newKey, type RandomOctets } from '../../domain/keys.ts';
import { isMailAddress, languages, normalPhoneNumber } from '../../domain/message/index.ts';
import { digitsOf, isSamePerson } from '../../domain/person/index.ts';
import {
  type DeliveryType,
  type SignatureType,
  type Signee,
  type SigneeChange,
  signeesMax,
} from '../../domain/process/index.ts';
import type { SigneeRequest } from './requests.types.ts';

/** Characters of one text of a signee at most. */
const TEXT_MAX = 400;
const SMS_TEXT_MAX = 200;

/**
 * The signees of a new process, in their order, with keys.
 *
 * @throws validation.error for what a signee of its type lacks, for a person named twice
 */
export function buildSignees(
  requests: readonly SigneeRequest[],
  flow: Flow,
  random: RandomOctets,
): readonly Signee[] {
  if (requests.length > signeesMax) {
    invalid('signees', `expected at most ${signeesMax} signees, found ${requests.length}`);
  }
  const signees = requests.map((request, order) => buildSignee(request, order, flow, random));
  signees.forEach((signee, at) => {
    const twin = signees.findIndex((other) => isSamePerson(other, signee));
    if (twin < at) invalid(`signees[${at}]`, `the same person as signees[${twin}]`);
  });
  return signees;
}

/** One signee with a new key. @throws validation.error */
export function buildSignee(
  request: SigneeRequest,
  order: number,
  flow: Pick<Flow, 'settings'>,
  random: RandomOctets,
): Signee {
  const where = `signees[${order}]`;
  const { signatureType = flow.settings.signatureType, delivery = 'None' } = request;
  const contact = readContact(request, where);
  requireReach(contact, signatureType, delivery, where);
  const { customSmsText, language } = request;
  if (customSmsText !== undefined && [...customSmsText].length > SMS_TEXT_MAX) {
    invalid(`${where}.customSmsText`, `expected at most ${SMS_TEXT_MAX} characters`);
  }
  return {
    ...contact,
    key: newKey('signee', random),
    order,
    state: 'Pending',
    signatureType,
    delivery,
    hidePersonalCode: request.hidePersonalCode === true,
    ...given('reason', text(request.reason, `${where}.reason`)),
    ...given('user', line(request.user, `${where}.user`)),
    ...given('customSmsText', text(customSmsText, `${where}.customSmsText`)),
    ...given('language', readLanguage(language, where)),
  };
}

/**
 * What of a signee may be changed, each member as a new signee could have it. Members that are
 * left out or empty stay as they are, and others are not taken.
 *
 * @throws validation.error
 */
export function readSigneeChange(change: SigneeChange): SigneeChange {
  if (!isRecord(change)) return refuseMember('change', 'an object', change);
  const { email } = change;
  if (email !== undefined && !isMailAddress(String(email).trim())) {
    invalid('email', 'expected an e-mail address');
  }
  const names = ['email', 'address', 'postalCode', 'city', 'user'] as const;
  const lines = names.map((name) => given(name, line(change[name], name)));
  return Object.assign({}, ...lines, given('reason', text(change.reason, 'reason')));
}

// `NotSet` is a published value: the flow decides.
function readLanguage(code: string | undefined, where: string): string | undefined {
  if (isBlank(code) || code?.toLowerCase() === 'notset') return undefined;
  const known = languages.find((each) => each.toLowerCase() === code?.toLowerCase());
  return known ?? invalid(`${where}.language`, `expected one of ${languages.join(', ')}`);
}

function readContact(request: SigneeRequest, where: string) {
  const name = line(request.name, `${where}.name`);
  if (name === undefined) return invalid(`${where}.name`, 'expected a name, found none');
  const { ssn, phoneNumber, email } = request;
  const digits = isBlank(ssn) ? undefined : digitsOf(ssn as string);
  if (digits !== undefined && (digits.length !== 10 || /[^\d\s-]/.test(ssn as string))) {
    invalid(`${where}.ssn`, 'expected ten digits');
  }
  const isCalled = !isBlank(phoneNumber);
  const phone = isCalled ? normalPhoneNumber(phoneNumber as string) : undefined;
  if (isCalled && phone === undefined) {
    invalid(`${where}.phoneNumber`, 'expected seven digits, or + with the number of a country');
  }
  const mail = isBlank(email) ? undefined : (email as string).trim();
  if (mail !== undefined && !isMailAddress(mail)) {
    invalid(`${where}.email`, 'expected an e-mail address');
  }
  return {
    name,
    ...given('ssn', digits),
    ...given('phoneNumber', phone),
    ...given('email', mail),
    ...given('address', line(request.address, `${where}.address`)),
    ...given('postalCode', line(request.postalCode, `${where}.postalCode`)),
    ...given('city', line(request.city, `${where}.city`)),
  };
}

// What each kind of signature and delivery cannot do without.
function requireReach(
  { ssn, phoneNumber, email }: Pick<Signee, 'ssn' | 'phoneNumber' | 'email'>,
  type: SignatureType,
  delivery: DeliveryType,
  where: string,
): void {
  if (type === 'Qualified' && ssn === undefined && phoneNumber === undefined) {
    invalid(where, 'a Qualified signature needs ssn or phoneNumber, found neither');
  }
  if (type === 'Simple' && (phoneNumber === undefined || email === undefined)) {
    invalid(where, 'a Simple signature needs phoneNumber and email');
  }
  if (type === 'ClickToSign' && email === undefined) {
    invalid(where, 'a ClickToSign signature needs email');
  }
  if (delivery === 'Sms' && type !== 'Qualified') {
    invalid(where, `Sms cannot be used with ${type}: expected None or Email`);
  }
  if (delivery === 'Email' && email === undefined) {
    invalid(where, 'delivery by Email needs email');
  }
  if (delivery === 'Sms' && phoneNumber === undefined) {
    invalid(where, 'delivery by Sms needs phoneNumber');
  }
}

/** `value` trimmed; undefined when there is none. @throws validation.error when it is too long */
export function text(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  if (isBlank(value)) return undefined;
  if (typeof value !== 'string') invalid(name, `expected text, found ${typeof value}`);
  const trimmed = value.trim();
  if (trimmed.length > max) invalid(name, `expected at most ${max} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(trimmed)) {
    invalid(name, 'expected text, found control characters');
  }
  return trimmed;
}

/** As {@link text} on one line: what goes into headers, subjects and names of files. */
export function line(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  const known = text(value, name, max);
  if (known !== undefined && /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(known)) {
    invalid(name, 'expected one line of text, found a line break or tab, or half a character');
  }
  return known;
}

/** Refuses a value of a request. @throws validation.error always */
export function invalid(field: string, why: string, hint?: string): never {
  throw new CoreError('validation.error', `${field}: ${why}`, {
    details: { field },
    ...(hint === undefined ? {} : { hint }),
  });
}

/** An object with the one member, or none when there is no value. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}

function isBlank(value: string | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}
