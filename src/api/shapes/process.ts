import { attachmentReferenceOf } from '../../app/activity/index.ts';
import type {
  AttachmentRequest,
  ProcessRequest,
  SequenceRequest,
  SequenceView,
  SigneeRequest,
} from '../../app/process/index.ts';
import { defined } from '../../base/defined.ts';
import { invalid } from '../../base/input.ts';
import {
  audienceOf,
  isParty,
  languageOf,
  mayKnow,
  mayOpen,
  seesAll,
  type Viewer,
  viewerOfDocument,
  withCopyIn,
} from '../../domain/access.ts';
import {
  type Attachment,
  isProcessStatus,
  type Signee,
  type SigningProcess,
  statusKinds,
  systemActor,
} from '../../domain/process/index.ts';
import { formatReminderRule } from '../../domain/reminder.ts';
import { type SequencePerson, sequenceStatus } from '../../domain/sequence.ts';
import { requireDocumentSize } from '../failure.ts';
import type { CreateProcessBody, CreateSequenceBody, CreateSigneeBody } from '../schemas/index.ts';

/**
 * A process in the names of the API, as far as the viewer may see it. A viewer who signs none of
 * its documents sees neither its key nor its files.
 *
 * @param sent attachments of the request; without them their contents are not shown
 */
export function showProcess(
  process: SigningProcess,
  frontEnd: string,
  viewer: Viewer,
  sent?: CreateProcessBody['attachments'],
): object {
  const { reminderRule, createdAtMs, expiresAtMs } = process;
  const { signInOrder, signatureLocation, sequenceKey, flattenDocument } = process;
  const isShared = isParty(viewer, process);
  const shared = <T>(value: T): T | undefined => (isShared ? value : undefined);
  const files = ownFiles(process, viewer).filter((each) => isShared && isListed(viewer, each));
  return defined({
    key: shared(process.key),
    signees: process.signees.map((each) => showSignee(process, each, frontEnd, viewer)),
    flowKey: shared(process.flowKey),
    status: showStatus(process),
    meta: shared(process.meta) ?? {},
    pdfFileName: shared(process.fileName),
    attachments: sent ?? files.filter(isOwners).map(nameOf),
    attachmentReferences: files.map((each) => showReference(process, each, frontEnd, viewer)),
    requiresAuth: process.requiresAuth,
    user: shared(process.user),
    ...{ signInOrder, signatureLocation, sequenceKey, flattenDocument },
    reminderRule: reminderRule === undefined ? undefined : formatReminderRule(reminderRule),
    activityDisplayName: shared(process.activityDisplayName),
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
  });
}

function showReference(
  process: SigningProcess,
  attachment: Attachment,
  frontEnd: string,
  viewer: Viewer,
): object {
  const { signeeKey, ...rest } = attachmentReferenceOf(process, attachment, frontEnd);
  return signeeKey !== undefined && mayOpen(viewer, signeeKey) ? { ...rest, signeeKey } : rest;
}

/**
 * False for an attachment about a signee other than the viewer, and for the evidence with the
 * numbers and addresses of everyone.
 */
export function isAttachmentOf(viewer: Viewer, attachment: Attachment): boolean {
  const { signeeKey } = attachment;
  if (viewer.sees !== 'all' && audienceOf(attachment) === 'company') return false;
  return signeeKey === undefined || mayKnow(viewer, signeeKey);
}

/** A signee gets one copy of the evidence page, in their own language. */
function ownFiles(process: SigningProcess, viewer: Viewer): readonly Attachment[] {
  if (viewer.sees === 'all') return process.attachments;
  return withCopyIn(process.attachments, languageOf(process, viewer.key));
}

/** True if an attachment is listed: viewers of the full evidence do not need the masked copies. */
function isListed(viewer: Viewer, attachment: Attachment): boolean {
  const isCopy = viewer.sees === 'all' && audienceOf(attachment) === 'signees';
  return !isCopy && isAttachmentOf(viewer, attachment);
}

// Files added by the service have a different type or state their origin.
function isOwners({ type, description }: Attachment): boolean {
  return type === 'Unspecified' && description === undefined;
}

function nameOf({ fileName }: Attachment): { readonly fileName: string } {
  return { fileName };
}

/** The published status: `Created` until the first change of the process, then `Started`. */
function showStatus({ rev, status }: Pick<SigningProcess, 'rev' | 'status'>): string {
  // A list includes rows with an invalid status, so that a corrupt row does not hide the rest.
  if (!isProcessStatus(status)) return status;
  return statusKinds[status === 'Active' && rev === 1 ? 'InActive' : status].published;
}

/** A signee in the API's names. Other signees see name and state only, not contact details. */
export function showSignee(
  process: SigningProcess,
  signee: Signee,
  frontEnd: string,
  viewer: Viewer = seesAll,
): object {
  const { signedAtMs } = signee;
  const isKnown = mayKnow(viewer, signee.key);
  const own = <T>(value: T): T | undefined => (isKnown ? value : undefined);
  return defined({
    name: signee.name,
    ssn: own(signee.ssn),
    phoneNumber: own(signee.phoneNumber),
    email: own(signee.email),
    address: own(signee.address),
    postalCode: own(signee.postalCode),
    city: own(signee.city),
    key: mayOpen(viewer, signee.key) ? signee.key : undefined,
    signed: signee.state === 'Signed',
    signedAt: signedAtMs === undefined ? undefined : new Date(signedAtMs).toISOString(),
    processKey: isParty(viewer, process) ? process.key : undefined,
    reason: own(signee.reason),
    hidePersonalCode: own(signee.hidePersonalCode),
    communicationDeliveryType: own(signee.delivery),
    url: mayOpen(viewer, signee.key) ? `${frontEnd}/s/${process.key}/${signee.key}` : undefined,
    signatureType: signee.signatureType,
    language: own(signee.language),
    customSmsText: own(signee.customSmsText),
  });
}

/** Returns the bytes of a base64 document. @throws validation.error, limit.exceeded */
export type ReadDocument = (text: string, fieldName: string) => Uint8Array;

/**
 * Returns the use case's request for a CreateSigningProcess body.
 *
 * @throws validation.error, limit.exceeded
 */
export function readProcess(
  body: CreateProcessBody,
  read: ReadDocument,
  path = '',
): ProcessRequest {
  const { createSignees, attachments, pdfDocument, pdfFileName, ...rest } = body;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (isText(pdfDocument) && !isText(pdfFileName)) {
    invalid(at('pdfFileName'), 'expected the name of the document');
  }
  return {
    ...rest,
    pdf: isText(pdfDocument) ? read(pdfDocument, at('pdfDocument')) : undefined,
    fileName: pdfFileName,
    signees: createSignees.map(readSignee),
    attachments: attachments?.map(
      ({ fileName, fileContent }, index): AttachmentRequest => ({
        fileName,
        content: read(fileContent, at(`attachments[${index}].fileContent`)),
      }),
    ),
    attachmentReferences: body.attachmentReferences?.map(
      ({ processKey = '', id = '', description }) => ({ processKey, id, description }),
    ),
  };
}

/** Members of CreateSigningProcess and CreateSequence with different names in the library. */
export const createNames = {
  signees: 'createSignees',
  processes: 'createSigningProcesses',
  pdf: 'pdfDocument',
  fileName: 'pdfFileName',
  'attachments.fileName': 'fileName',
} as const;

/** Returns the use case's request for a CreateSignee body. */
export function readSignee(body: CreateSigneeBody): SigneeRequest {
  const { processKey: _key, communicationDeliveryType, language, ...rest } = body;
  return {
    ...rest,
    delivery: communicationDeliveryType,
    language: language === 'NotSet' ? undefined : language,
  };
}

/**
 * Decodes a base64 text; white space is ignored.
 *
 * @throws validation.error, limit.exceeded
 */
export function readBase64(text: string, fieldName: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is not base64, which leaves fewer bytes than digits.
  const digits = text.replace(/[\s=]+/g, '').length;
  if (bytes.length > 0 && bytes.length === Math.floor((digits * 3) / 4)) {
    return requireDocumentSize(bytes);
  }
  notBase64(fieldName);
}

/** Throws the error for a field that is not base64. */
export function notBase64(fieldName: string): never {
  return invalid(fieldName, 'expected base64, without a data URL in front');
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** A sequence in the API's names. Persons see their own entry, and the others' name and state. */
export function showSequence(
  { sequence, processes }: SequenceView,
  frontEnd: string,
  viewer: Viewer,
  sent?: CreateSequenceBody['createSigningProcesses'],
): object {
  const isStranger = viewer.sees === 'own' && viewer.key === undefined;
  const isFresh = sequence.rev === 1 && processes.every(({ rev }) => rev === 1);
  const status = sequenceStatus(
    sequence,
    processes.map((each) => each.status),
  );
  return {
    key: sequence.key,
    status: showStatus({ rev: isFresh ? 1 : 2, status }),
    requiresAuth: sequence.requiresAuth,
    ...(sequence.user === systemActor || isStranger ? {} : { user: sequence.user }),
    signInOrder: sequence.signInOrder,
    signees: sequence.persons.map((person) => {
      const { key, signingKeys } = person;
      const own = { key, url: `${frontEnd}/s/${sequence.key}/${key}`, signingKeys };
      return { ...(mayOpen(viewer, key) ? own : {}), ...stateOf(person, processes) };
    }),
    signingProcesses: processes.map((process, at) =>
      showProcess(
        process,
        frontEnd,
        viewerOfDocument(viewer, sequence, process),
        sent && (sent[at]?.attachments ?? []),
      ),
    ),
  };
}

function stateOf({ signingKeys }: SequencePerson, processes: SequenceView['processes']) {
  const own = new Set<string>(signingKeys.map(({ signeeKey }) => signeeKey));
  const places = processes.flatMap(({ signees }) => signees.filter(({ key }) => own.has(key)));
  return defined({
    name: places[0]?.name,
    signed: places.length > 0 && places.every(({ state }) => state === 'Signed'),
  });
}

/** Returns the use case's request for a CreateSequentialSigning body. @throws validation.error */
export function readSequence(body: CreateSequenceBody, read: ReadDocument): SequenceRequest {
  const { createSigningProcesses, user, requiresAuth, signInOrder } = body;
  if (user.trim() === '') {
    invalid('user', 'expected the owner of the sequence');
  }
  return {
    processes: createSigningProcesses.map((each, at) =>
      readProcess(each, read, `createSigningProcesses[${at}]`),
    ),
    user,
    requiresAuth,
    signInOrder,
  };
}
