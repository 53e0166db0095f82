import {
  boolean,
  bytes,
  invalid,
  line,
  list,
  type Members,
  object,
  oneOf,
  optional,
  type Read,
  string,
  strings,
} from '../../base/input.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { isMailAddress } from '../../domain/message/index.ts';
import {
  type DeliveryType,
  deliveryTypes,
  type SignatureLocation,
  type SignatureType,
  signatureLocations,
  signatureTypes,
} from '../../domain/process/index.ts';
import type { ServicePorts } from '../service/index.ts';

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

/** A file that goes with a new process. */
export interface AttachmentRequest {
  readonly fileName: string;
  readonly content: Uint8Array;
  readonly contentType?: string | undefined;
}

/** A {@link AttachmentRequest}, as its type promises it. */
const readAttachmentRequest: Read<AttachmentRequest> = object({
  fileName: string,
  content: bytes,
  contentType: optional(string),
} satisfies Members<AttachmentRequest>);

/** An attachment that an earlier process of the company has. */
export interface AttachmentReferenceRequest {
  readonly processKey: string;
  readonly id: string;
  /** Default: the value of the attachment. */
  readonly description?: string | undefined;
}

/** A {@link AttachmentReferenceRequest}, as its type promises it. */
const readAttachmentReferenceRequest: Read<AttachmentReferenceRequest> = object({
  processKey: string,
  id: string,
  description: optional(string),
} satisfies Members<AttachmentReferenceRequest>);

/** A document that shall be signed. */
export interface ProcessRequest {
  readonly flowKey: string;
  /** The document; left out where the flow makes it. */
  readonly pdf?: Uint8Array | undefined;
  readonly fileName?: string | undefined;
  readonly signees: readonly SigneeRequest[];
  readonly meta?: Readonly<Record<string, string>> | undefined;
  readonly attachments?: readonly AttachmentRequest[] | undefined;
  readonly attachmentReferences?: readonly AttachmentReferenceRequest[] | undefined;
  /** The rest is taken from the flow when it is left out. */
  readonly requiresAuth?: boolean | undefined;
  readonly signInOrder?: boolean | undefined;
  readonly signatureLocation?: SignatureLocation | undefined;
  /** E-mail of the owner. */
  readonly user?: string | undefined;
  readonly activityDisplayName?: string | undefined;
  readonly flattenDocument?: boolean | undefined;
  /** `{first}:{interval}` in days. */
  readonly reminderRule?: string | undefined;
}

/** A {@link ProcessRequest}, as its type promises it. */
export const readProcessRequest: Read<ProcessRequest> = object({
  flowKey: string,
  pdf: optional(bytes),
  fileName: optional(string),
  signees: list(readSigneeRequest),
  meta: optional(strings),
  attachments: optional(list(readAttachmentRequest)),
  attachmentReferences: optional(list(readAttachmentReferenceRequest)),
  requiresAuth: optional(boolean),
  signInOrder: optional(boolean),
  signatureLocation: optional(oneOf(signatureLocations)),
  user: optional(string),
  activityDisplayName: optional(string),
  flattenDocument: optional(boolean),
  // Empty means none, whatever the flow says.
  reminderRule: (value, name) =>
    value === undefined || value === null ? undefined : string(value, name),
} satisfies Members<ProcessRequest>);

/** Dependencies of the creation of processes, besides the service itself. */
export interface CreatePorts extends ServicePorts {
  /**
   * The document as it is shown and signed. Refuses one that could not be sealed after the last
   * signature, and a seal key that cannot: nobody shall sign in vain.
   *
   * @throws pdf.*, key.*, config.*, limit.exceeded
   */
  prepareDocument(
    pdf: Uint8Array,
    options: { readonly flatten: boolean; readonly isByCustomer?: boolean },
  ): Promise<{ readonly content: Uint8Array; readonly active: readonly string[] }>;
  /** False where nobody can say who a signee is: no e-ID provider is configured. */
  readonly canIdentify: boolean;
  /** The document that the flow makes from the values; undefined when it makes none. */
  makeDocument(
    flow: Flow,
    values: Readonly<Record<string, string>>,
  ): Promise<{ readonly pdf: Uint8Array; readonly fileName: string } | undefined>;
}

/** Several documents that the same persons sign. */
export interface SequenceRequest {
  readonly processes: readonly ProcessRequest[];
  /** Owner of the sequence; nobody else may cancel it. */
  readonly user: string;
  readonly requiresAuth?: boolean | undefined;
  /** The first person signs all documents before the second is notified. */
  readonly signInOrder?: boolean | undefined;
}

/** A {@link SequenceRequest}, as its type promises it. */
export const readSequenceRequest: Read<SequenceRequest> = object({
  processes: list(readProcessRequest),
  user: string,
  requiresAuth: optional(boolean),
  signInOrder: optional(boolean),
} satisfies Members<SequenceRequest>);

/** The e-mail of an owner in small letters; undefined for none. @throws validation.error */
export function readOwner(user: string | undefined): string | undefined {
  const known = line(user, 'user')?.toLowerCase();
  if (known !== undefined && !isMailAddress(known)) invalid('user', 'expected an e-mail address');
  return known;
}
