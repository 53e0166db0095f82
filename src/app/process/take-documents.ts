import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError, restated } from '../../base/errors.ts';
import {
  bytes,
  invalid,
  line,
  type Members,
  object,
  optional,
  type Read,
  string,
} from '../../base/input.ts';
import { audienceOf } from '../../domain/access.ts';
import {
  type Flow,
  fieldDataMember,
  isDeviceName,
  makesDocuments,
  valueLimits,
} from '../../domain/flow/index.ts';
import { asKey, type CompanyKey, newKey } from '../../domain/keys.ts';
import type { Attachment } from '../../domain/process/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** Maximum size of a document in bytes, 50 MB as published in the API. */
const DOCUMENT_BYTES_MAX = 50 * 1024 * 1024;
const ATTACHMENTS_MAX = 50;
const META_MAX = 200;
const META_TEXT_MAX = 20_000;

/** An attachment of a new process. */
export interface AttachmentRequest {
  readonly fileName: string;
  readonly content: Uint8Array;
  readonly contentType?: string | undefined;
}

/** Validates an {@link AttachmentRequest}. */
export const readAttachmentRequest: Read<AttachmentRequest> = object({
  fileName: string,
  content: bytes,
  contentType: optional(string),
} satisfies Members<AttachmentRequest>);

/** A reference to an attachment of an earlier process of the company. */
export interface AttachmentReferenceRequest {
  readonly processKey: string;
  readonly id: string;
  /** Default: the description of the attachment. */
  readonly description?: string | undefined;
}

/** Validates an {@link AttachmentReferenceRequest}. */
export const readAttachmentReferenceRequest: Read<AttachmentReferenceRequest> = object({
  processKey: string,
  id: string,
  description: optional(string),
} satisfies Members<AttachmentReferenceRequest>);

/** Members of a request for a new process that concern its document. */
interface RequestedDocument {
  readonly pdf?: Uint8Array | undefined;
  readonly fileName?: string | undefined;
  readonly flattenDocument?: boolean | undefined;
}

/** Dependencies of {@link requireDocument}. */
export interface DocumentPorts {
  /**
   * Returns the document as it is shown and signed. Rejects a document that could not be sealed
   * after the last signature, and a seal key that cannot seal it, so that no one signs for nothing.
   *
   * @throws pdf.*, key.*, config.*, limit.exceeded
   */
  prepareDocument(
    pdf: Uint8Array,
    options: { readonly flatten: boolean; readonly isByCustomer?: boolean },
  ): Promise<{ readonly content: Uint8Array; readonly active: readonly string[] }>;
  /** Creates the document from the values. Undefined if the flow creates none. */
  makeDocument(
    flow: Flow,
    values: Readonly<Record<string, string>>,
  ): Promise<{ readonly pdf: Uint8Array; readonly fileName: string } | undefined>;
}

/**
 * The document of a new process, from the request or created by its flow, as it is shown and
 * signed.
 *
 * @throws validation.error, limit.exceeded, pdf.*, key.*
 */
export async function requireDocument(
  ports: DocumentPorts,
  flow: Flow,
  request: RequestedDocument,
  meta: Readonly<Record<string, string>>,
  { isByCustomer = false }: { readonly isByCustomer?: boolean },
) {
  if (request.pdf !== undefined && makesDocuments(flow)) {
    invalid('pdf', `expected none: flow ${flow.key} renders the document from values`);
  }
  const made = request.pdf === undefined ? await ports.makeDocument(flow, meta) : undefined;
  const pdf = request.pdf ?? made?.pdf;
  if (pdf === undefined) {
    return invalid('pdf', `required, because flow ${flow.key} renders no document`);
  }
  if (pdf.length > DOCUMENT_BYTES_MAX) {
    throw new InnsigliError('limit.exceeded', `expected at most ${DOCUMENT_BYTES_MAX} bytes`);
  }
  const fileName = readFileName(request.fileName ?? made?.fileName, 'fileName');
  const flatten = request.flattenDocument === true;
  try {
    // A document created by the flow belongs to the company, whoever submits the values.
    const isBrought = isByCustomer && made === undefined;
    const options = { flatten, ...(isBrought ? { isByCustomer } : {}) };
    const { content, active } = await ports.prepareDocument(pdf, options);
    return { pdf: content, active, fileName };
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    const isLocked = error.code.startsWith('pdf.password.');
    throw namedError(isLocked ? lockedError(error) : error, fileName);
  }
}

// Adds the file name: one of several documents may be rejected.
function namedError(error: InnsigliError, fileName: string): InnsigliError {
  const { code, details } = error;
  const isActive = code === 'pdf.content.active';
  const content = isActive ? { content: `${fileName}: ${String(details['content'])}` } : {};
  return restated(error, { details: { ...details, fileName, ...content } });
}

// A password cannot be passed, and signees could not open the document either.
function lockedError(error: InnsigliError): InnsigliError {
  return restated(error, { hint: 'signees could not open it: remove its password first' });
}

// Used in mails, headers and client-side paths: it must be a single file name, not a path.
function readFileName(name: string | undefined, field: string): string {
  const known = line(name, field, 200) ?? 'document.pdf';
  if (/[/\\:*?"<>|]/.test(known) || /^\.+$/.test(known)) {
    return invalid(field, 'expected a file name, found one with / \\ : * ? " < > |');
  }
  // Some scripts need the joiners. Other format characters reorder the text or are invisible.
  if (/(?![\u200c\u200d])\p{Cf}/u.test(known)) {
    return invalid(field, 'expected a file name, found invisible characters');
  }
  if (isDeviceName(known)) {
    return invalid(field, `expected a file name, found a device name: ${known}`);
  }
  return known;
}

/** Validates the metadata of a request, including its size. @throws validation.error */
export function readMeta(
  meta: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const entries = Object.entries(meta);
  if (entries.length > META_MAX) invalid('meta', `expected at most ${META_MAX} members`);
  for (const [name, value] of entries) {
    // The values of a form are one text with its own limit.
    const max = name === fieldDataMember ? valueLimits.jsonCharacters : META_TEXT_MAX;
    if (typeof value !== 'string' || value.length > max || name.length > 200) {
      invalid(`meta.${name.slice(0, 60)}`, `expected a text of at most ${max} characters`);
    }
  }
  return Object.fromEntries(entries);
}

/** Rejects too many attachments for one process. @throws validation.error */
export function requireFewAttachments(count: number): void {
  if (count <= ATTACHMENTS_MAX) return;
  invalid('attachments', `expected at most ${ATTACHMENTS_MAX}, found ${count}`);
}

/** Stores the attachments of a process. @throws validation.error, limit.exceeded */
export async function storeAttachments(
  ports: ServicePorts,
  requests: readonly AttachmentRequest[],
): Promise<readonly Attachment[]> {
  const stored: Attachment[] = [];
  for (const [at, { fileName, content, contentType }] of requests.entries()) {
    if (content.length > DOCUMENT_BYTES_MAX) {
      throw new InnsigliError('limit.exceeded', `expected at most ${DOCUMENT_BYTES_MAX} bytes`);
    }
    const sha256 = await ports.blobs.put(content);
    stored.push({
      key: newKey('attachment', ports.random),
      fileName: readFileName(fileName, `attachments[${at}].fileName`),
      contentType:
        readMediaType(contentType, `attachments[${at}].contentType`) ?? guessType(fileName),
      document: { sha256, lengthBytes: content.length },
      type: 'Unspecified',
    });
  }
  return stored;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const mediaTypeForm = new RegExp(`^${token}/${token}( *; *${token}=(${token}|"[ !#-~]*"))*$`);

// The type becomes a header of the download: a media type with parameters and no line breaks.
function readMediaType(type: string | undefined, field: string): string | undefined {
  const known = line(type, field, 200);
  if (known !== undefined && !mediaTypeForm.test(known)) {
    invalid(field, 'expected a media type such as application/pdf');
  }
  return known;
}

function guessType(fileName: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const types: Readonly<Record<string, string>> = {
    pdf: 'application/pdf',
    xml: 'application/xml',
    json: 'application/json',
    txt: 'text/plain; charset=utf-8',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
  };
  return types[ending] ?? 'application/octet-stream';
}

/**
 * Copies attachments of earlier processes of the company to a new one. Each copy gets its own key
 * and survives when the earlier process is purged. Its audience stays the same: evidence with full
 * national numbers is for the company only, and so is an attachment about one signee of that
 * process.
 *
 * @throws validation.error if the company has no such attachment
 * @throws blob.missing
 */
export async function copyReferences(
  ports: ServicePorts,
  companyKey: CompanyKey,
  references: readonly AttachmentReferenceRequest[],
): Promise<readonly Attachment[]> {
  const taken: Attachment[] = [];
  for (const [at, reference] of references.entries()) {
    const where = `attachmentReferences[${at}]`;
    const found = await findAttachment(ports, companyKey, reference, where);
    const description = line(reference.description, `${where}.description`) ?? found.description;
    taken.push({
      key: newKey('attachment', ports.random),
      fileName: found.fileName,
      contentType: found.contentType,
      document: found.document,
      type: 'Unspecified',
      ...defined({ description, audience: audienceOf(found), signeeKey: found.signeeKey }),
    });
  }
  return taken;
}

async function findAttachment(
  { store, blobs }: Pick<ServicePorts, 'store' | 'blobs'>,
  companyKey: CompanyKey,
  { processKey, id }: AttachmentReferenceRequest,
  where: string,
): Promise<Attachment> {
  const process = await store.read(({ processes }) => processes.find(asKey('process', processKey)));
  const isOurs = process?.companyKey === companyKey;
  const found = isOurs ? process.attachments.find(({ key }) => key === id) : undefined;
  if (found === undefined) {
    return invalid(`${where}.id`, 'expected an attachment of a process of the company');
  }
  // Stored again, so that it is not garbage-collected before the new process is written.
  await blobs.put(await blobs.get(found.document.sha256));
  return found;
}
