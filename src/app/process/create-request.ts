import { defined } from '../../base/defined.ts';
import { isRecord, refuse } from '../../base/input.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { newKey, type RandomBytes } from '../../domain/keys.ts';
import { isMailAddress, languages, withoutWebAddresses } from '../../domain/message/index.ts';
import { dialledPhone, digitsOf, isSamePerson } from '../../domain/person/index.ts';
import {
  reachFault,
  type Signee,
  type SigneeChange,
  signeesMax,
} from '../../domain/process/index.ts';
import { given, invalid, isBlank, line, text } from '../request-texts.ts';
import type { SigneeRequest } from './requests.ts';

const SMS_TEXT_MAX = 200;

/**
 * The signees of a new process, in their order, with keys.
 *
 * @throws validation.error for what a signee of its type lacks, for a person named twice
 */
export function buildSignees(
  requests: readonly SigneeRequest[],
  flow: Flow,
  random: RandomBytes,
): readonly Signee[] {
  if (requests.length > signeesMax) {
    invalid('signees', `expected at most ${signeesMax} signees, found ${requests.length}`);
  }
  const signees = requests.map((request, order) =>
    buildSignee(request, { order, path: `signees[${order}]` }, flow, random),
  );
  signees.forEach((signee, at) => {
    const twin = signees.findIndex((other) => isSamePerson(other, signee));
    if (twin < at) invalid(`signees[${at}]`, `the same person as number ${twin + 1} of the list`);
  });
  return signees;
}

/** One signee with a new key. @throws validation.error */
export function buildSignee(
  request: SigneeRequest,
  { order, path: where }: { readonly order: number; readonly path: string },
  flow: Pick<Flow, 'settings'>,
  random: RandomBytes,
): Signee {
  const { signatureType = flow.settings.signatureType, delivery = 'None' } = request;
  const contact = readContact(request, where);
  const fault = reachFault(contact, signatureType, delivery);
  if (fault !== undefined) invalid(where, fault);
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
    ...defined({
      reason: text(request.reason, `${where}.reason`),
      user: line(request.user, `${where}.user`),
      customSmsText: text(customSmsText, `${where}.customSmsText`),
      language: readLanguage(language, where),
    }),
  };
}

/**
 * What of a signee may be changed, each member as a new signee could have it. Members that are
 * left out or empty stay as they are, and others are not taken.
 *
 * @throws validation.error
 */
export function readSigneeChange(value: unknown, path: string): SigneeChange {
  if (!isRecord(value)) return refuse(path, 'an object', value);
  const change = value as SigneeChange;
  const { email } = change;
  if (email !== undefined && !isMailAddress(String(email).trim())) {
    invalid(`${path}.email`, 'expected an e-mail address');
  }
  const names = ['email', 'address', 'postalCode', 'city', 'user'] as const;
  const lines = names.map((name) => given(name, line(change[name], `${path}.${name}`)));
  return Object.assign({}, ...lines, given('reason', text(change.reason, `${path}.reason`)));
}

/**
 * A signee as somebody with a link may add them: no owner is taken from there. Messages of the
 * company have no words of theirs, and no name that mail programs make a link of.
 *
 * @throws validation.error
 */
export function readLinkRequest({ user: _owner, ...request }: SigneeRequest): SigneeRequest {
  const { name, customSmsText } = request;
  if (!isBlank(customSmsText)) {
    invalid('signee.customSmsText', 'only the company words its messages: expected none');
  }
  if (withoutWebAddresses(name) === name) return request;
  const found = 'found a dot, colon or slash as web addresses have it';
  return invalid('signee.name', `expected a name, ${found}`, 'write a space behind it');
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
  const phone = isCalled ? dialledPhone(phoneNumber as string) : undefined;
  if (isCalled && phone === undefined) {
    invalid(`${where}.phoneNumber`, 'expected seven digits, or + with the number of a country');
  }
  const mail = isBlank(email) ? undefined : (email as string).trim();
  if (mail !== undefined && !isMailAddress(mail)) {
    invalid(`${where}.email`, 'expected an e-mail address');
  }
  return {
    name,
    ...defined({
      ssn: digits,
      phoneNumber: phone,
      email: mail,
      address: line(request.address, `${where}.address`),
      postalCode: line(request.postalCode, `${where}.postalCode`),
      city: line(request.city, `${where}.city`),
    }),
  };
}
