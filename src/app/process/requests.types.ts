import type { Flow } from '../../domain/flow/index.ts';
import type { DeliveryType, SignatureType } from '../../domain/process/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** One who shall sign, as the caller names them. */
export interface SigneeRequest {
  readonly name: string;
  /** National number, ten digits, with or without a dash. */
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
  /** That of the flow when left out. */
  readonly signatureType?: SignatureType | undefined;
  readonly language?: string | undefined;
  /** At most 200 characters; the link is appended. */
  readonly customSmsText?: string | undefined;
  readonly user?: string | undefined;
  /** Opens the documents of a sequence for this person; kept as a hash. */
  readonly passcode?: string | undefined;
}

/** A file that goes with a new process. */
export interface AttachmentRequest {
  readonly fileName: string;
  readonly content: Uint8Array;
  readonly contentType?: string | undefined;
}

/** An attachment that an earlier process of the company has. */
export interface AttachmentReferenceRequest {
  readonly processKey: string;
  readonly id: string;
  /** That of the attachment when left out. */
  readonly description?: string | undefined;
}

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
  readonly signatureLocation?: 'TopFirstPage' | 'BottomLastPage' | undefined;
  /** E-mail of the owner. */
  readonly user?: string | undefined;
  readonly activityDisplayName?: string | undefined;
  readonly flattenDocument?: boolean | undefined;
  /** `{first}:{interval}` in days. */
  readonly reminderRule?: string | undefined;
}

/** What the making of processes needs besides the service itself. */
export interface CreatePorts extends ServicePorts {
  /**
   * The document as it is shown and signed. Refuses one that could not be sealed after the last
   * signature, and a seal key that cannot: nobody shall sign in vain.
   *
   * @throws pdf.*, key.*, config.*
   */
  prepareDocument(pdf: Uint8Array, wish: { readonly flatten: boolean }): Promise<Uint8Array>;
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
  /** Who starts it; nobody else may cancel it. */
  readonly user: string;
  readonly requiresAuth?: boolean | undefined;
  /** The first person signs all documents before the second is told. */
  readonly signInOrder?: boolean | undefined;
}
