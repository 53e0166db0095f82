import { defined } from '../../base/defined.ts';
import { audienceOf } from '../../domain/access.ts';
import {
  type Attachment,
  type Signee,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import { attachmentUrl } from '../../domain/webhook/index.ts';
import { type ActivityEntry, descriptionText } from './activity-entry.ts';

/** The published SigningProcessActivityLogWrapper: a process with its log. */
export interface ActivityLogWrapper {
  readonly processKey: string;
  readonly activityDisplayName?: string;
  /** Oldest first. */
  readonly activityLog: readonly ActivityLogEntry[];
  readonly signees: readonly SigneeActivityLog[];
  readonly sequenceSignees: readonly SequenceSigneeActivityLog[];
  readonly attachmentReferences: readonly AttachmentReference[];
}

/** The published SigningProcessActivityLog. */
export interface ActivityLogEntry {
  readonly flowKey: string;
  readonly processKey: string;
  readonly signeeKey?: string;
  readonly status: string;
  readonly description?: string;
  readonly userAgent?: string;
  readonly fileName?: string;
  /** UTC, seven fractional digits. */
  readonly createdAt: string;
  readonly createdBy: string;
  readonly requiresAuth: boolean;
  readonly signInOrder: boolean;
  readonly signatureLocation: string;
  readonly sequenceKey?: string;
}

/** The published SigneeActivityLog: its member for the phone number is `phone`. */
export interface SigneeActivityLog {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly ssn?: string;
  readonly name: string;
  readonly address?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly phone?: string;
  readonly email?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly signatureType: string;
}

/** The published SequentialSigningSigneeActivityLog. */
export interface SequenceSigneeActivityLog {
  readonly sequenceKey: string;
  readonly signeeKey: string;
  readonly url: string;
  readonly signingKeys: readonly { readonly signeeKey: string; readonly processKey: string }[];
}

/** The published AttachmentReference. */
export interface AttachmentReference {
  readonly id: string;
  readonly fileName: string;
  readonly contentLength: number;
  readonly contentType: string;
  readonly url: string;
  readonly description?: string;
  readonly processKey: string;
  readonly attachmentType: string;
  readonly signeeKey?: string;
}

/** A wrapper as a caller sees it: some callers see no signee keys. */
export interface ShownLog extends Omit<ActivityLogWrapper, 'signees'> {
  readonly signees: readonly Omit<SigneeActivityLog, 'signeeKey'>[];
}

/** Returns a wrapper without the keys and links that permit signing, for readers. */
export function withoutSigneeKeys(log: ActivityLogWrapper): ShownLog {
  const keyless = <T extends { readonly signeeKey?: string }>({ signeeKey: _key, ...rest }: T) =>
    rest;
  return {
    ...log,
    activityLog: log.activityLog.map(keyless),
    signees: log.signees.map(keyless),
    sequenceSignees: [],
    attachmentReferences: log.attachmentReferences.map(keyless),
  };
}

/** Flow types whose processes are named after their signee unless another name is set. */
const smartFlowTypes: readonly string[] = ['RenderFlow', 'FillAndSign'];

/** Formats a time as the log publishes it: UTC with seven fractional digits. */
export function logTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, -1)}0000Z`;
}

/** Builds the wrapper of a process. */
export function buildLogWrapper(
  process: SigningProcess,
  entries: readonly ActivityEntry[],
  sequenceSignees: readonly SequenceSigneeActivityLog[],
  frontEnd: string,
): ActivityLogWrapper {
  const activityDisplayName = process.activityDisplayName ?? smartFlowName(process);
  return {
    processKey: process.key,
    ...defined({ activityDisplayName }),
    activityLog: entries.map((entry) => logEntry(process, entry)),
    signees: process.signees.map((signee) => signeeLog(process, signee, entries)),
    sequenceSignees,
    attachmentReferences: process.attachments
      .filter((each) => audienceOf(each) !== 'signees')
      .map((each) => attachmentReferenceOf(process, each, frontEnd)),
  };
}

function smartFlowName({ flowType, flowName, signees }: SigningProcess): string | undefined {
  const name = signees[0]?.name ?? '';
  return smartFlowTypes.includes(flowType) && name !== '' ? `${flowName} (${name})` : undefined;
}

// Members are assigned one by one: a list has tens of thousands of entries, and spreads are slower.
function logEntry(process: SigningProcess, entry: ActivityEntry): ActivityLogEntry {
  const { signeeKey, fileName, sequenceKey } = entry;
  const { userAgent } = entry.personal;
  const description = descriptionText(entry);
  const log: { -readonly [Name in keyof ActivityLogEntry]: ActivityLogEntry[Name] } = {
    flowKey: entry.flowKey,
    processKey: entry.processKey,
    status: entry.status,
    createdAt: logTime(entry.createdAtMs),
    createdBy: entry.createdBy,
    requiresAuth: process.requiresAuth,
    signInOrder: process.signInOrder,
    signatureLocation: process.signatureLocation,
  };
  if (signeeKey !== undefined) log.signeeKey = signeeKey;
  if (description !== undefined) log.description = description;
  if (userAgent !== undefined) log.userAgent = userAgent;
  if (fileName !== undefined) log.fileName = fileName;
  if (sequenceKey !== undefined) log.sequenceKey = sequenceKey;
  return log;
}

function signeeLog(
  process: SigningProcess,
  signee: Signee,
  entries: readonly ActivityEntry[],
): SigneeActivityLog {
  const own = entries.filter((entry) => entry.signeeKey === signee.key);
  const added = own.find((entry) => entry.status === 'SigneeAdded') ?? own[0];
  const { ssn, address, postalCode, city, phoneNumber: phone, email } = signee;
  return {
    processKey: process.key,
    signeeKey: signee.key,
    name: signee.name,
    createdAt: logTime(added?.createdAtMs ?? process.createdAtMs),
    createdBy: added?.createdBy ?? systemActor,
    updatedAt: logTime(own.at(-1)?.createdAtMs ?? process.createdAtMs),
    signatureType: signee.signatureType,
    ...defined({ ssn, address, postalCode, city, phone, email }),
  };
}

/** An attachment as the interface publishes it, with its download address. */
export function attachmentReferenceOf(
  process: SigningProcess,
  attachment: Attachment,
  frontEnd: string,
): AttachmentReference {
  const { key, fileName, contentType, document, description, type, signeeKey } = attachment;
  return {
    id: key,
    fileName,
    contentLength: document.lengthBytes,
    contentType,
    url: attachmentUrl(process.key, attachment, frontEnd),
    ...defined({ description }),
    processKey: process.key,
    attachmentType: type,
    ...defined({ signeeKey }),
  };
}
