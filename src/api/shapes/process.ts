import { attachmentReferenceOf } from '../../app/activity/index.ts';
import type { AttachmentRequest, ProcessRequest, SigneeRequest } from '../../app/process/index.ts';
import { defined } from '../../base/defined.ts';
import type { InnsigliError } from '../../base/errors.ts';
import {
  audienceOf,
  isParty,
  languageOf,
  mayKnow,
  mayOpen,
  seesAll,
  type Viewer,
  withCopyIn,
} from '../../domain/access/index.ts';
import type { Attachment, Signee, SigningProcess } from '../../domain/process/index.ts';
import { formatReminderRule } from '../../domain/reminder/index.ts';
import { invalidField, requireDocumentSize } from '../failure.ts';
import type { CreateProcessBody, CreateSigneeBody } from '../schemas/index.ts';

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
    signInOrder: process.signInOrder,
    signatureLocation: process.signatureLocation,
    sequenceKey: process.sequenceKey,
    flattenDocument: process.flattenDocument,
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

/** Who has the evidence needs no list of the copies in which something is masked. */
function isListed(viewer: Viewer, attachment: Attachment): boolean {
  const isCopy = viewer.sees === 'all' && audienceOf(attachment) === 'signees';
  return !isCopy && isAttachmentOf(viewer, attachment);
}

// What the service adds itself has another type or says what it is.
function isOwners({ type, description }: Attachment): boolean {
  return type === 'Unspecified' && description === undefined;
}

function nameOf({ fileName }: Attachment): { readonly fileName: string } {
  return { fileName };
}

/** The published status: `Created` until anything happens to the process, then `Started`. */
export function showStatus({ rev, status }: Pick<SigningProcess, 'rev' | 'status'>): string {
  if (status === 'InActive') return 'Created';
  if (status !== 'Active') return status;
  return rev === 1 ? 'Created' : 'Started';
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
  const { createSignees, attachments, pdfDocument, pdfFileName } = body;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (isText(pdfDocument) && !isText(pdfFileName)) {
    throw invalidField(at('pdfFileName'), 'expected the name of the document');
  }
  return {
    flowKey: body.flowKey,
    pdf: isText(pdfDocument) ? read(pdfDocument, at('pdfDocument')) : undefined,
    fileName: pdfFileName,
    signees: createSignees.map(readSignee),
    meta: body.meta,
    attachments: attachments?.map(
      ({ fileName, fileContent }, index): AttachmentRequest => ({
        fileName,
        content: read(fileContent, at(`attachments[${index}].fileContent`)),
      }),
    ),
    attachmentReferences: body.attachmentReferences?.map(
      ({ processKey = '', id = '', description }) => ({
        ...{ processKey, id, description },
      }),
    ),
    requiresAuth: body.requiresAuth,
    signInOrder: body.signInOrder,
    signatureLocation: body.signatureLocation,
    user: body.user,
    activityDisplayName: body.activityDisplayName,
    flattenDocument: body.flattenDocument,
    reminderRule: body.reminderRule,
  };
}

/** Members of CreateSigningProcess and CreateSequence that have other names in the library. */
export const createNames = {
  signees: 'createSignees',
  processes: 'createSigningProcesses',
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
  throw notBase64(fieldName);
}

/** The failure of a field that is no document in base64. */
export function notBase64(fieldName: string): InnsigliError {
  return invalidField(fieldName, 'expected base64 without a data URL prefix');
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}
