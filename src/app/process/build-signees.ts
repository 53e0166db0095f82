import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  boolean,
  invalid,
  isBlank,
  line,
  type Members,
  object,
  oneOf,
  optional,
  type Read,
  string,
  text,
} from '../../base/input.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { newKey, type RandomBytes } from '../../domain/keys.ts';
import { isMailAddress, languages } from '../../domain/message/index.ts';
import {
  dialledPhone,
  digitsOf,
  isSamePerson,
  type SigneeIdentity,
} from '../../domain/person/index.ts';
import {
  type DeliveryType,
  deliveryTypes,
  reachFault,
  type SignatureType,
  type Signee,
  signatureTypes,
  signeesMax,
} from '../../domain/process/index.ts';
import { requireChannel } from '../message/index.ts';
import type { ServicePorts } from '../service/index.ts';

const SMS_TEXT_MAX = 200;

/** A signee of a new process, as requested by the caller. */
export interface SigneeRequest {
  readonly name: string;
  /** National number: ten digits, or twelve for Sweden, with or without a dash. */
  readonly ssn?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly address?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly city?: string | undefined;
  /** Reason for signing, shown in the visible signature. */
  readonly reason?: string | undefined;
  readonly hidePersonalCode?: boolean | undefined;
  /** Default: `None`. */
  readonly delivery?: DeliveryType | undefined;
  /** Default: the value of the flow. */
  readonly signatureType?: SignatureType | undefined;
  readonly language?: string | undefined;
  /** Custom text of the SMS, at most 200 characters. The link is appended. */
  readonly customSmsText?: string | undefined;
  readonly user?: string | undefined;
  /** Passcode that opens the documents of a sequence for this person. Stored as a hash. */
  readonly passcode?: string | undefined;
}

/** Validates a {@link SigneeRequest}. */
export const readSigneeRequest: Read<SigneeRequest> = object({
  name: string,
  ssn: optional(string),
  phoneNumber: optional(string),
  email: optional(string),
  address: optional(string),
  postalCode: optional(string),
  city: optional(string),
  reason: optional(string),
  hidePersonalCode: optional(boolean),
  delivery: optional(oneOf(deliveryTypes)),
  signatureType: optional(oneOf(signatureTypes)),
  language: optional(string),
  customSmsText: optional(string),
  user: optional(string),
  passcode: optional(string),
} satisfies Members<SigneeRequest>);

/**
 * Builds the signees of a new process, in order, with new keys.
 *
 * @throws validation.error if a signee lacks what the signature type requires, or a person is named
 * twice
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
    if (twin >= at) return;
    const field = `signees[${at}]`;
    const message = `${field}: the same person as number ${twin + 1} of the list`;
    // The duplicate may come from a default signee of the flow, which the caller did not name.
    throw new InnsigliError('validation.error', message, { details: { field, twin } });
  });
  return signees;
}

/** Builds one signee with a new key. @throws validation.error */
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

// `NotSet` is a published value: the language of the flow applies.
function readLanguage(code: string | undefined, where: string): string | undefined {
  if (isBlank(code) || code?.toLowerCase() === 'notset') return undefined;
  const known = languages.find((each) => each.toLowerCase() === code?.toLowerCase());
  return known ?? invalid(`${where}.language`, `expected one of ${languages.join(', ')}`);
}

/** Ten digits, or twelve for Sweden, where the century prevents matches with other countries. */
function isNumberLength({ length }: string): boolean {
  return length === 10 || length === 12;
}

function readContact(request: SigneeRequest, where: string) {
  const name = line(request.name, `${where}.name`);
  if (name === undefined) return invalid(`${where}.name`, 'expected a name, found none');
  const { ssn, phoneNumber, email } = request;
  const digits = isBlank(ssn) ? undefined : digitsOf(ssn as string);
  if (digits !== undefined && (!isNumberLength(digits) || /[^\d\s-]/.test(ssn as string))) {
    invalid(`${where}.ssn`, 'expected ten digits, or twelve for Sweden');
  }
  const isCalled = !isBlank(phoneNumber);
  const phone = isCalled ? dialledPhone(phoneNumber as string) : undefined;
  if (isCalled && phone === undefined) {
    invalid(`${where}.phoneNumber`, 'expected seven digits, or + with a country code');
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

/** Maximum number of signees of one process, including the default signees of the flow. */
export function mostSignees({ settings }: Flow): number {
  const { defaultSignees, maxAdditionalSignees: more = signeesMax } = settings;
  return 1 + more + defaultSignees.length;
}

/**
 * Rejects signees whose messages could never be sent: their invitation, or the code of a Simple
 * signature, which is sent to the phone.
 *
 * @throws message.channel.none
 */
export function requireChannels(
  ports: Pick<ServicePorts, 'closedChannels'>,
  signees: readonly Pick<Signee, 'signatureType' | 'delivery' | 'order'>[],
): void {
  for (const { signatureType, delivery, order } of signees) {
    if (delivery !== 'None') requireChannel(ports, delivery, `signees[${order}].delivery`);
    if (signatureType === 'Simple') requireChannel(ports, 'Sms', `signees[${order}].signatureType`);
  }
}

/**
 * Rejects a signee who could never log in.
 *
 * @throws validation.error
 */
export function requireNumber(
  { ssn, phoneNumber, order }: Pick<Signee, 'ssn' | 'phoneNumber' | 'order'>,
  requiresAuth: boolean,
  signeeIdentity: SigneeIdentity | undefined,
): void {
  if (!requiresAuth || signeeIdentity !== 'number') return;
  if (ssn !== undefined || phoneNumber !== undefined) return;
  invalid(
    `signees[${order}]`,
    'a login needs ssn or phone, found neither',
    'give a number, or let the flow accept logins by name: signeeIdentity',
  );
}

/** Dependencies of {@link requireIdentity}. */
export interface IdentifyPorts {
  /** False if no e-ID provider is configured, so that no signee can be identified. */
  readonly canIdentify: boolean;
}

/**
 * Rejects requests that could never be completed: without an e-ID provider no signee can log in or
 * create a Qualified signature.
 *
 * @throws validation.error
 */
export function requireIdentity(
  { canIdentify }: IdentifyPorts,
  signees: readonly Pick<Signee, 'signatureType' | 'order'>[],
  requiresAuth: boolean,
): void {
  if (canIdentify) return;
  const missing = 'no identity provider is configured, and production does not allow the simulator';
  if (requiresAuth) invalid('requiresAuth', `a login is not possible: ${missing}`);
  const qualified = signees.find(({ signatureType }) => signatureType === 'Qualified');
  if (qualified === undefined) return;
  invalid(
    `signees[${qualified.order}].signatureType`,
    `Qualified is not possible: ${missing}`,
    'use Simple or ClickToSign',
  );
}

/** Adds the default signees of the flow. @throws validation.error if too many or too few */
export function withDefaults(
  given: readonly SigneeRequest[],
  flow: Flow,
): readonly SigneeRequest[] {
  const { defaultSignees, minAdditionalSignees = 0 } = flow.settings;
  const most = mostSignees(flow) - defaultSignees.length;
  if (given.length > most) {
    invalid('signees', `the flow allows at most ${most} signees, found ${given.length}`);
  }
  if (given.length > 0 && given.length - 1 < minAdditionalSignees) {
    invalid(
      'signees',
      `the flow needs at least ${1 + minAdditionalSignees}, found ${given.length}`,
    );
  }
  return [...given, ...defaultSignees];
}
