import {
  flowTypes,
  isRecord,
  optional,
  refuseMember,
  whole,
  word,
} from '../../domain/flow/index.ts';
import { asKey } from '../../domain/keys.ts';
import { isMailAddress } from '../../domain/message/index.ts';
import { deliveryTypes, processStatuses, signatureTypes } from '../../domain/process/index.ts';
import type { ProcessFilter } from '../ports/index.ts';
import { invalid, line } from '../request-texts.ts';
import type {
  AttachmentReferenceRequest,
  AttachmentRequest,
  ProcessRequest,
  SequenceRequest,
  SigneeRequest,
} from './requests.types.ts';

/** Reads a value that a program hands in; `name` is for the message. @throws validation.error */
type Read<Value> = (value: unknown, name: string) => Value;

/** How each member of a request is read. */
type Shape<T> = { readonly [Name in keyof T]-?: Read<T[Name]> };

const string: Read<string> = (value, name) =>
  typeof value === 'string' ? value : refuseMember(name, 'text', value);
const readBoolean: Read<boolean> = (value, name) =>
  typeof value === 'boolean' ? value : refuseMember(name, 'true or false', value);
const bytes: Read<Uint8Array> = (value, name) =>
  value instanceof Uint8Array ? value : refuseMember(name, 'bytes (Uint8Array)', value);
const texts: Read<Readonly<Record<string, string>>> = (value, name) =>
  isRecord(value)
    ? (value as Readonly<Record<string, string>>)
    : refuseMember(name, 'an object of texts', value);

const signeeShape: Shape<SigneeRequest> = {
  name: string,
  ssn: optional(string),
  phoneNumber: optional(string),
  email: optional(string),
  address: optional(string),
  postalCode: optional(string),
  city: optional(string),
  reason: optional(string),
  hidePersonalCode: optional(readBoolean),
  delivery: optional(word(deliveryTypes)),
  signatureType: optional(word(signatureTypes)),
  language: optional(string),
  customSmsText: optional(string),
  user: optional(string),
  passcode: optional(string),
};

const attachmentShape: Shape<AttachmentRequest> = {
  fileName: string,
  content: bytes,
  contentType: optional(string),
};

const referenceShape: Shape<AttachmentReferenceRequest> = {
  processKey: string,
  id: string,
  description: optional(string),
};

const processShape: Shape<ProcessRequest> = {
  flowKey: string,
  pdf: optional(bytes),
  fileName: optional(string),
  signees: list(shaped(signeeShape)),
  meta: optional(texts),
  attachments: optional(list(shaped(attachmentShape))),
  attachmentReferences: optional(list(shaped(referenceShape))),
  requiresAuth: optional(readBoolean),
  signInOrder: optional(readBoolean),
  signatureLocation: optional(word(['TopFirstPage', 'BottomLastPage'] as const)),
  user: optional(string),
  activityDisplayName: optional(string),
  flattenDocument: optional(readBoolean),
  // Empty means none, whatever the flow says.
  reminderRule: (value, name) =>
    value === undefined || value === null ? undefined : string(value, name),
};

const sequenceShape: Shape<SequenceRequest> = {
  processes: list(shaped(processShape)),
  user: string,
  requiresAuth: optional(readBoolean),
  signInOrder: optional(readBoolean),
};

type Listed = Omit<ProcessFilter, 'companyKey' | 'behind'>;

const epochMs = whole(-8.64e15, 8.64e15);
const filterShape: Shape<Listed> = {
  createdFromMs: optional(epochMs),
  createdToMs: optional(epochMs),
  status: optional(word(processStatuses)),
  user: optional(string),
  processKey: optional((value, name) => asKey('process', string(value, name))),
  flowKey: optional((value, name) => asKey('flow', string(value, name))),
  flowType: optional(word(flowTypes)),
  search: optional(string),
  skip: (value, name) => optional(whole(0, 1e9))(value, name) ?? 0,
  take: (value, name) => optional(whole(0, 1e6))(value, name) ?? takeUnlessSaid,
};

/** Processes of a list when nobody says how many. */
const takeUnlessSaid = 50;

/**
 * A request as the types promise it: plain JavaScript and JSON have no compiler to see to that.
 * Members that nobody knows are left out.
 *
 * @throws validation.error naming the member
 */
export const readProcessRequest = (value: unknown): ProcessRequest =>
  shaped(processShape)(value, 'request');

/** As {@link readProcessRequest}. */
export const readSequenceRequest = (value: unknown): SequenceRequest =>
  shaped(sequenceShape)(value, 'request');

/** As {@link readProcessRequest}. */
export const readSigneeRequest = (value: unknown): SigneeRequest =>
  shaped(signeeShape)(value, 'signee');

/** Which processes are meant; 50 from the first on unless it says otherwise. */
export const readFilter = (value: unknown): Listed => shaped(filterShape)(value ?? {}, 'filter');

/** The e-mail of an owner in small letters; undefined for none. @throws validation.error */
export function readOwner(user: string | undefined): string | undefined {
  const known = line(user, 'user')?.toLowerCase();
  if (known !== undefined && !isMailAddress(known)) invalid('user', 'expected an e-mail address');
  return known;
}

function shaped<T>(shape: Shape<T>): Read<T> {
  const members = Object.entries(shape) as readonly (readonly [string, Read<unknown>])[];
  return (value, name) => {
    if (!isRecord(value)) return refuseMember(name, 'an object', value);
    const prefix = ['request', 'signee', 'filter'].includes(name) ? '' : `${name}.`;
    const read = members.map(([member, one]) => [member, one(value[member], `${prefix}${member}`)]);
    return Object.fromEntries(read.filter(([, each]) => each !== undefined)) as T;
  };
}

function list<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (value, name) => {
    if (!Array.isArray(value)) return refuseMember(name, 'a list', value);
    return value.map((each: unknown, at) => read(each, `${name}[${at}]`));
  };
}
