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
 * A process in the words of the interface, as far as the viewer may see it: who signs none of it
 * sees neither its key nor its files.
 *
 * @param sent attachments as they just came; without them their contents are not shown
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
 * False for an attachment that is about another signee than the viewer, and for evidence with the
 * numbers and addresses of all.
 */
export function isAttachmentOf(viewer: Viewer, attachment: Attachment): boolean {
  const { signeeKey } = attachment;
  if (viewer.sees !== 'all' && audienceOf(attachment) === 'company') return false;
  return signeeKey === undefined || mayKnow(viewer, signeeKey);
}

/** A signee has one copy of the evidence page, in their own language. */
function ownFiles(process: SigningProcess, viewer: Viewer): readonly Attachment[] {
  if (viewer.sees === 'all') return process.attachments;
  return withCopyIn(process.attachments, languageOf(process, viewer.key));
}

/**
 * True for an attachment to be listed: a viewer of the whole evidence needs no list of the masked
 * copies.
 */
function isListed(viewer: Viewer, attachment: Attachment): boolean {
  const isCopy = viewer.sees === 'all' && audienceOf(attachment) === 'signees';
  return !isCopy && isAttachmentOf(viewer, attachment);
}

// Files added by the service have another type or state their origin.
function isOwners({ type, description }: Attachment): boolean {
  return type === 'Unspecified' && description === undefined;
}

function nameOf({ fileName }: Attachment): { readonly fileName: string } {
  return { fileName };
}

/** The published status: `Created` until anything happens to the process, then `Started`. */
function showStatus({ rev, status }: Pick<SigningProcess, 'rev' | 'status'>): string {
  // A list shows a row that somebody has changed, too: one that is damaged hides no other.
  if (!isProcessStatus(status)) return status;
  return statusKinds[status === 'Active' && rev === 1 ? 'InActive' : status].published;
}

/**
 * A signee in the words of the interface: to other signees with name and state, and without what
 * leads to them.
 */
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

/** Gives the bytes of a document in base64. @throws validation.error, limit.exceeded */
export type ReadDocument = (text: string, fieldName: string) => Uint8Array;

/**
 * The use case's request for a body of CreateSigningProcess.
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

/** Members of CreateSigningProcess and CreateSequence that have other names in the library. */
export const createNames = {
  signees: 'createSignees',
  processes: 'createSigningProcesses',
  pdf: 'pdfDocument',
  fileName: 'pdfFileName',
  'attachments.fileName': 'fileName',
} as const;

/** The use case's request for a CreateSignee. */
export function readSignee(body: CreateSigneeBody): SigneeRequest {
  const { processKey: _key, communicationDeliveryType, language, ...rest } = body;
  return {
    ...rest,
    delivery: communicationDeliveryType,
    language: language === 'NotSet' ? undefined : language,
  };
}

/**
 * The bytes of a base64 text; white space is left out.
 *
 * @throws validation.error, limit.exceeded
 */
export function readBase64(text: string, fieldName: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is no base64: then there are fewer bytes than digits.
  const digits = text.replace(/[\s=]+/g, '').length;
  if (bytes.length > 0 && bytes.length === Math.floor((digits * 3) / 4)) {
    return requireDocumentSize(bytes);
  }
  notBase64(fieldName);
}

/** The failure of a field that is no document in base64. */
export function notBase64(fieldName: string): never {
  return invalid(fieldName, 'expected base64, without a data URL in front');
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/**
 * A sequence in the words of the interface: a person sees their own entry in full, and of the
 * others name and state.
 */
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

/** The use case's request for a body of CreateSequentialSigning. @throws validation.error */
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
