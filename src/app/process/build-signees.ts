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

/** One who shall sign, as the caller names them. */
export interface SigneeRequest {
  readonly name: string;
  /** National number: ten digits, or twelve for Sweden, with or without a dash. */
  readonly ssn?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly address?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly city?: string | undefined;
  /** Shown in the visible signature. */
  readonly reason?: string | undefined;
  readonly hidePersonalCode?: boolean | undefined;
  /** `None` when left out. */
  readonly delivery?: DeliveryType | undefined;
  /** Default: the value of the flow. */
  readonly signatureType?: SignatureType | undefined;
  readonly language?: string | undefined;
  /** At most 200 characters; the link is appended. */
  readonly customSmsText?: string | undefined;
  readonly user?: string | undefined;
  /** Opens the documents of a sequence for this person; kept as a hash. */
  readonly passcode?: string | undefined;
}

/** A {@link SigneeRequest}, as its type promises it. */
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
    if (twin >= at) return;
    const field = `signees[${at}]`;
    const message = `${field}: the same person as number ${twin + 1} of the list`;
    // The flow adds signees of its own, which nobody named: the first of the two may be the fault.
    throw new InnsigliError('validation.error', message, { details: { field, twin } });
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

// `NotSet` is a published value: the flow decides.
function readLanguage(code: string | undefined, where: string): string | undefined {
  if (isBlank(code) || code?.toLowerCase() === 'notset') return undefined;
  const known = languages.find((each) => each.toLowerCase() === code?.toLowerCase());
  return known ?? invalid(`${where}.language`, `expected one of ${languages.join(', ')}`);
}

/** Ten digits; a Swedish number has the century before them, so that it is nobody else's. */
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

/** Signees of one process at most, with those that the flow adds itself. */
export function mostSignees({ settings }: Flow): number {
  const { defaultSignees, maxAdditionalSignees: more = signeesMax } = settings;
  return 1 + more + defaultSignees.length;
}

/**
 * Refuses signees who would wait for messages that never leave: their invitation, or the code of a
 * Simple signature, which goes to the phone.
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
 * Refuses a signee who could never log in.
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
  /** False where nobody can say who a signee is: no e-ID provider is configured. */
  readonly canIdentify: boolean;
}

/**
 * Refuses what nobody could ever do: without an e-ID provider no signee can log in, and none can
 * put a Qualified signature.
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

/** The signees with those that the flow adds. @throws validation.error for too many or few */
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
