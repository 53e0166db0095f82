import { defined } from '../../base/defined.ts';
import { audienceOf } from '../access.ts';
import { storableText } from '../activity/index.ts';
import type { Customer } from '../auth/index.ts';
import { fieldDataMember } from '../flow/index.ts';
import type { CompanyKey, FlowKey, ProcessKey, SequenceKey, SigneeKey } from '../keys.ts';
import type { Contact } from '../person/index.ts';
import {
  type Attachment,
  attachmentTypes,
  type Signee,
  type SigningProcess,
  type WebhookType,
  webhookTypes,
} from '../process/index.ts';
import type { EventSignature } from './event-signature.ts';

interface PayloadInput {
  /** GUID without dashes. */
  readonly id: string;
  readonly type: WebhookType;
  readonly process: PayloadProcess;
  /** Signee of the event. Determines the download URL, and `Customer` for Auth. */
  readonly signeeKey?: SigneeKey;
  /** True if the Base64 of the document is inserted between the two parts. */
  readonly hasDocument: boolean;
  /** For GroupSigned: the documents of the sequence, for their download URLs. */
  readonly downloads?: readonly Download[];
  /** Base URL of signing pages and downloads, without a trailing slash. */
  readonly frontEnd: string;
  readonly signature: EventSignature;
}

/** Published members of a process. */
export interface PayloadProcess
  extends Pick<SigningProcess, 'flowName' | 'signees' | 'attachments' | 'meta'> {
  readonly flowType?: SigningProcess['flowType'];
  readonly key: ProcessKey;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly sequenceKey?: SequenceKey;
  readonly document?: SigningProcess['document'];
}

/** Keys from which the download URL of a document is built. */
export interface Download {
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
}

const slot = '"SignedDocument":"';

/**
 * Builds the published payload as JSON text in two parts. If the event contains the document, its
 * Base64 is inserted between them. Keys of `Meta` are the owner's and are not changed. `TimeStamp`
 * is a number with all its digits, which JSON.stringify cannot produce.
 */
export function buildPayload(input: PayloadInput): readonly [head: string, tail: string] {
  const { process, frontEnd, signature } = input;
  const before = {
    ProcessKey: process.key,
    CompanyKey: process.companyKey,
    Signees: process.signees.map((signee) => signeeOf(signee, process.key)),
    FlowKey: process.flowKey,
    FlowName: process.flowName,
  };
  const after = {
    SignedDocumentDownloadUrl: downloadUrl(input),
    ...(input.downloads === undefined
      ? {}
      : { SignedDocumentDownloadUrls: input.downloads.map((each) => urlOf(frontEnd, each)) }),
    AttachmentReferences: process.attachments
      .filter((each) => audienceOf(each) !== 'signees')
      .map((each) => attachmentOf(each, process, frontEnd)),
    EventType: webhookTypes[input.type],
    Meta: metaOf(input),
    ...defined({ SequenceKey: process.sequenceKey }),
    ...(input.type === 'Auth' ? { Customer: customerOf(input) } : {}),
  };
  const rest = `${JSON.stringify(after).slice(1)},"EventSignature":${signatureText(signature)}}`;
  const id = JSON.stringify(input.id);
  const start = `{"Id":${id},"EventData":${JSON.stringify(before).slice(0, -1)}`;
  return input.hasDocument
    ? [`${start},${slot}`, `",${rest}`]
    : [`${start},"SignedDocument":null,${rest}`, ''];
}

/** Metadata of the event. For a form also the URL of the document and the values as JSON. */
function metaOf(input: PayloadInput): Readonly<Record<string, string>> {
  const { meta, flowType } = input.process;
  if (flowType !== 'FillAndSign') return meta;
  const { pdfUrl: _url, ...values } = meta;
  const pdfUrl = downloadUrl(input);
  const fieldData = JSON.stringify(values);
  return { ...(pdfUrl === null ? {} : { pdfUrl }), [fieldDataMember]: fieldData, ...meta };
}

/** A login at a flow: no process exists yet, and possibly never will. */
interface LoginPayloadInput extends Pick<PayloadInput, 'id' | 'signature'> {
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly flowName: string;
  readonly customer: Customer;
}

/** Like {@link buildPayload}, for a person who has logged in: members about a process are empty. */
export function buildLoginPayload(input: LoginPayloadInput): readonly [head: string, tail: string] {
  const { customer, flowKey } = input;
  const data = {
    ProcessKey: null,
    CompanyKey: input.companyKey,
    Signees: [],
    FlowKey: flowKey,
    FlowName: input.flowName,
    SignedDocument: null,
    SignedDocumentDownloadUrl: null,
    AttachmentReferences: [],
    EventType: webhookTypes.Auth,
    Meta: {},
    Customer: {
      ...personOf(customer),
      Token: customer.token,
      FlowKey: flowKey,
      Meta: customer.meta ?? {},
    },
  };
  const head = `{"Id":${JSON.stringify(input.id)},"EventData":${JSON.stringify(data)}`;
  return [`${head},"EventSignature":${signatureText(input.signature)}}`, ''];
}

/** Formats a time as `yyyy-MM-ddTHH:mm:ss.fffffZ`, with five fractional digits. */
export function webhookDate(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, -1)}00Z`;
}

function signatureText({ timeStamp, guid, signature, signedData }: EventSignature): string {
  const rest = JSON.stringify({ Guid: guid, Signature: signature, SignedData: signedData });
  return `{"TimeStamp":${timeStamp},${rest.slice(1)}`;
}

function personOf(signee: Contact): object {
  return {
    Name: signee.name,
    Ssn: signee.ssn ?? null,
    PhoneNumber: signee.phoneNumber ?? null,
    Email: signee.email ?? null,
    Address: signee.address ?? null,
    PostalCode: signee.postalCode ?? null,
    City: signee.city ?? null,
  };
}

function signeeOf(signee: Signee, processKey: ProcessKey): object {
  const { signedAtMs } = signee;
  return {
    ...personOf(signee),
    Key: signee.key,
    Signed: signee.state === 'Signed',
    SignedAt: signedAtMs === undefined ? null : webhookDate(signedAtMs),
    ProcessKey: processKey,
    CommunicationDeliveryType: signee.delivery,
  };
}

function customerOf(input: PayloadInput): object | null {
  const { process, signeeKey } = input;
  const signee = process.signees.find(({ key }) => key === signeeKey);
  return signee === undefined
    ? null
    : { ...personOf(signee), FlowKey: process.flowKey, Meta: metaOf(input) };
}

/** The download URL of an attachment of a process. */
export function attachmentUrl(
  processKey: ProcessKey,
  { key, fileName, url }: Pick<Attachment, 'key' | 'fileName' | 'url'>,
  frontEnd: string,
): string {
  // A URL cannot contain a lone surrogate.
  const path = [processKey, key, storableText(fileName)].map(encodeURIComponent).join('/');
  return url ?? `${frontEnd}/attachment/${path}`;
}

function attachmentOf(each: Attachment, process: PayloadProcess, frontEnd: string): object {
  return {
    Id: each.key,
    FileName: each.fileName,
    ContentLength: each.document.lengthBytes,
    ContentType: each.contentType,
    Url: attachmentUrl(process.key, each, frontEnd),
    Description: each.description ?? null,
    ProcessKey: process.key,
    AttachmentType: attachmentTypes[each.type],
    SigneeKey: each.signeeKey ?? null,
  };
}

function downloadUrl({ process, signeeKey, frontEnd }: PayloadInput): string | null {
  const key = signeeKey ?? process.signees[0]?.key;
  if (process.document === undefined || key === undefined) return null;
  return urlOf(frontEnd, { processKey: process.key, signeeKey: key });
}

function urlOf(frontEnd: string, { processKey, signeeKey }: Download): string {
  return `${frontEnd}/${encodeURIComponent(processKey)}/${encodeURIComponent(signeeKey)}.pdf`;
}
