import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import {
  actor,
  anyKey,
  invalid,
  isBlank,
  isRecord,
  line,
  object,
  oneOf,
  optional,
  refuse,
  string,
  text,
} from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { asKey, newKey, type RandomBytes } from '../../domain/keys.ts';
import { claimedNameFault, isMailAddress, languages } from '../../domain/message/index.ts';
import {
  dialledPhone,
  digitsOf,
  isSamePerson,
  type SigneeIdentity,
} from '../../domain/person/index.ts';
import {
  type Refusal,
  reachFault,
  type Signee,
  type SigneeChange,
  type SigningProcess,
  signeesMax,
  systemActor,
} from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence.ts';
import { requireChannel } from '../message/index.ts';
import { operation } from '../operation.ts';
import { requireProcess } from '../required.ts';
import {
  decideIn,
  outcomeOf,
  type ProcessGroup,
  refusalError,
  requireAccepted,
  requireGroup,
  runCommand,
  type ServicePorts,
  settleGroup,
} from '../service/index.ts';
import { closedErrors } from './change.ts';
import { requireCompanyFlow } from './read.ts';
import { type CreatePorts, readSigneeRequest, type SigneeRequest } from './requests.ts';

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
    if (twin >= at) return;
    const field = `signees[${at}]`;
    const message = `${field}: the same person as number ${twin + 1} of the list`;
    // The flow adds signees of its own, which nobody named: the first of the two may be the fault.
    throw new InnsigliError('validation.error', message, { details: { field, twin } });
  });
  return signees;
}

/** One signee with a new key. @throws validation.error */
function buildSignee(
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
 * A change of a signee, each member as for a new signee. Members that are left out or empty stay
 * unchanged, and unknown ones are ignored.
 *
 * @throws validation.error
 */
function readSigneeChange(value: unknown, path: string): SigneeChange {
  if (!isRecord(value)) return refuse(path, 'an object', value);
  const change = value as SigneeChange;
  const { email } = change;
  if (email !== undefined && !isMailAddress(String(email).trim())) {
    invalid(`${path}.email`, 'expected an e-mail address');
  }
  const read = (name: Exclude<keyof SigneeChange, 'reason'>) =>
    line(change[name], `${path}.${name}`);
  return defined({
    email: read('email'),
    address: read('address'),
    postalCode: read('postalCode'),
    city: read('city'),
    user: read('user'),
    reason: text(change.reason, `${path}.reason`),
  });
}

/**
 * A signee added by the holder of a link: the request sets no owner. Messages of the company
 * contain no text of theirs, and no name that mail programs turn into a link or nobody sees.
 *
 * @throws validation.error
 */
function readLinkRequest({ user: _owner, ...request }: SigneeRequest): SigneeRequest {
  const { name, customSmsText } = request;
  if (!isBlank(customSmsText)) {
    invalid('signee.customSmsText', 'only the company words its messages: expected none');
  }
  const fault = isBlank(name) ? undefined : claimedNameFault(name);
  return fault === undefined ? request : invalid('signee.name', fault);
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

/** Signees of one process at most, with those that the flow adds itself. */
function mostSignees({ settings }: Flow): number {
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
  ports: Pick<CreatePorts, 'closedChannels'>,
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
    'name a number, or let the flow take logins by name: signeeIdentity',
  );
}

/**
 * Refuses what nobody could ever do: without an e-ID provider no signee can log in, and none can
 * put a Qualified signature.
 *
 * @throws validation.error
 */
export function requireIdentity(
  { canIdentify }: Pick<CreatePorts, 'canIdentify'>,
  signees: readonly Pick<Signee, 'signatureType' | 'order'>[],
  requiresAuth: boolean,
): void {
  if (canIdentify) return;
  const missing = 'no identity provider is configured, and production refuses the simulator';
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

/** Origin of a change of signees: the company, or the holder of access to one place. */
export type ChangedFrom = 'company' | 'place';

/** Members of a change of signees; from a link any `by` could come, and it is ignored. */
const ofSignees = {
  key: anyKey,
  by: actor,
  from: optional(oneOf(['company', 'place'] as const)),
} as const;

/** The name for the log: the caller where there are credentials, else the service. */
function actorFrom(from: ChangedFrom | undefined, by: string): string {
  return from === 'place' ? systemActor : by;
}

/** Adds a signee. With `from` 'place' there are bounds, and words for messages are refused. */
export const addSignee = operation(object({ ...ofSignees, signee: readSigneeRequest }), {
  errors: [
    ...closedErrors,
    'error.signee.add.exists',
    'signing.forbidden.canceled',
    'signing.forbidden.document.signed',
    'signing.forbidden.signee.limit',
  ],
  run: async (ports: CreatePorts, companyKey, { key, signee: given, by: user, from }) => {
    const isByLink = from === 'place';
    const request = isByLink ? readLinkRequest(given) : given;
    const { process, flow } = await ports.store.read(async (unit) => {
      const found = await requireProcess(unit, companyKey, key);
      return { process: found, ...(await requireCompanyFlow(unit, companyKey, found.flowKey)) };
    });
    const place = { order: process.signees.length, path: 'signee' };
    const signee = buildSignee(request, place, flow, ports.random);
    requireIdentity(ports, [signee], false);
    requireChannels(ports, [signee]);
    requireNumber(signee, process.requiresAuth, process.policy.signeeIdentity);
    const { maxAdditionalSignees: mostByLink = limits.linkSignees } = flow.settings;
    const bound = isByLink ? { mostByLink } : {};
    const by = actorFrom(from, user);
    const command = { type: 'addSignee', signee, by, most: mostSignees(flow), ...bound } as const;
    return runCommand(ports, process.key, command, process);
  },
});

/**
 * Changes how a signee is reached; members that are left out or empty stay as they are. In a
 * sequence a new mail address is that of the person in all documents that they have not signed:
 * one invitation goes to it, and none to the old one. Only the company changes it so in documents
 * that ask for a login: another place is no key to them. A document that cannot take the address
 * refuses the whole change.
 */
export const updateSignee = operation(
  object({ ...ofSignees, signeeKey: string, change: readSigneeChange }),
  {
    errors: [
      ...closedErrors,
      'error.signee.not_found',
      'error.signee.add.exists',
      'signing.forbidden.canceled',
      'signing.forbidden.signee.signed',
      'signing.forbidden.signee.limit',
    ],
    run: async (ports: ServicePorts, companyKey, { key, signeeKey, change: given, by, from }) => {
      const { user, ...change } = given;
      const known = await ports.store.read((unit) => requireProcess(unit, companyKey, key));
      const place = { processKey: known.key, signeeKey: asKey('signee', signeeKey) };
      const owned = from === 'place' || user === undefined ? change : { ...change, user };
      return changeSignee(ports, place, owned, actorFrom(from, by), from);
    },
  },
);

async function changeSignee(
  ports: ServicePorts,
  place: SigningKey,
  change: SigneeChange,
  by: string,
  from: ChangedFrom | undefined,
): Promise<SigningProcess> {
  const { processKey, signeeKey } = place;
  const outcome = await ports.store.write(async (unit) => {
    const group = await requireGroup(unit, ports, processKey);
    const isByLink = from === 'place';
    const own = { type: 'updateSignee', signeeKey, change, by, isByLink } as const;
    const refusal = await decideIn(unit, ports, group, processKey, own);
    const { email } = change;
    for (const other of refusal === undefined ? otherPlaces(group, place) : []) {
      if (email === undefined) break;
      if (from === 'place' && group.get(other.processKey).requiresAuth) continue;
      const theirs = { ...own, signeeKey: other.signeeKey, change: { email } };
      const no = await decideIn(unit, ports, group, other.processKey, theirs);
      // The keys of one document are not told to who has those of another.
      if (no !== undefined && !isOver(no)) {
        const message = 'another document of the sequence does not allow the change';
        throw refusalError({ ...no, message }, group.nowMs);
      }
    }
    await settleGroup(unit, ports, group);
    return outcomeOf(group, processKey, refusal);
  });
  return requireAccepted(outcome);
}

/** True if the place is signed or has ended: its address stays unchanged. */
function isOver({ code }: Refusal): boolean {
  return overCodes.has(code);
}

const overCodes: ReadonlySet<ErrorCode> = new Set([
  'signing.forbidden.signee.signed',
  'signing.forbidden.canceled',
  'signing.forbidden.expired',
]);

function otherPlaces({ sequence }: ProcessGroup, { signeeKey }: SigningKey): readonly SigningKey[] {
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((each) => each.signeeKey === signeeKey),
  );
  return person?.signingKeys.filter((each) => each.signeeKey !== signeeKey) ?? [];
}
