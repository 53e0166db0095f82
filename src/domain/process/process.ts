import type { SealLevel } from '../../base/level.ts';
import type { ComplianceType } from '../compliance/index.ts';
import type {
  AttachmentKey,
  CompanyKey,
  FlowKey,
  ProcessKey,
  SequenceKey,
  SigneeKey,
} from '../keys.ts';
import type { Contact, SigneeIdentity, SigneeLogin } from '../person/index.ts';
import type { ReminderRule } from '../reminder.ts';
import type { ProcessStatus } from './status.table.ts';

export type { ReminderRule } from '../reminder.ts';

/**
 * Phase of the process: draft, waiting for its turn in a sequence, open for signatures, being
 * finalised after the last signature, finalisation failed, or done.
 */
const processPhases = ['Draft', 'Waiting', 'Open', 'Finalizing', 'FinalizeFailed', 'Done'] as const;

/** One of {@link processPhases}. */
export type ProcessPhase = (typeof processPhases)[number];

const signeeStates = [
  'Pending',
  'Invited',
  'Viewed',
  'Authenticated',
  'Signing',
  'Signed',
  'Declined',
] as const;

/** One of {@link signeeStates}. */
export type SigneeState = (typeof signeeStates)[number];

/** Types of signature. */
export const signatureTypes = ['Qualified', 'Simple', 'ClickToSign'] as const;

/** One of {@link signatureTypes}. */
export type SignatureType = (typeof signatureTypes)[number];

/** Channels to a signee. `None`: the owner informs the signee. */
export const deliveryTypes = ['None', 'Email', 'Sms'] as const;

/** One of {@link deliveryTypes}. */
export type DeliveryType = (typeof deliveryTypes)[number];

/** Positions of visible signatures: from the top of the first page or the bottom of the last. */
export const signatureLocations = ['TopFirstPage', 'BottomLastPage'] as const;

/** One of {@link signatureLocations}. */
export type SignatureLocation = (typeof signatureLocations)[number];

/** Reference to a stored document by its digest. */
export interface DocumentRef {
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  readonly lengthBytes: number;
}

/** Types of attachments, with their integers in webhook payloads. */
export const attachmentTypes = {
  Unspecified: 0,
  EvidencePage: 10,
  PepPdf: 20,
  PepJson: 30,
  Verification: 40,
  XmlForSealing: 50,
  VerificationMedia: 60,
  CompanyInfo: 70,
} as const;

/** A name of {@link attachmentTypes}. */
export type AttachmentType = keyof typeof attachmentTypes;

/** A file attached to a process. */
export interface Attachment {
  readonly key: AttachmentKey;
  readonly fileName: string;
  readonly contentType: string;
  readonly document: DocumentRef;
  readonly description?: string;
  readonly type: AttachmentType;
  readonly signeeKey?: SigneeKey;
  /** Set if the file is stored elsewhere and only referenced. */
  readonly url?: string;
  /** Audience of the attachment. Absent: everyone who can see the document. */
  readonly audience?: Audience;
  /** Language code of a copy of the evidence page. */
  readonly language?: string;
}

/**
 * Audience of a copy of the evidence. That of the company contains numbers and addresses of all
 * signees; the copies for signees mask them.
 */
export type Audience = 'company' | 'signees';

/** Schedule of automatic reminders to a signee. */
export interface ReminderPlan {
  /** Due time of the next reminder, in epoch milliseconds. Absent: no more reminders. */
  readonly nextAtMs?: number;
  /** Reminders triggered by the plan. If one was still pending, no second message was written. */
  readonly sentCount: number;
  /** Planned reminders were cancelled: extending the process does not restore them. */
  readonly isOff?: true;
}

/** Circumstances of an action of a person: facts for the evidence, all personal data. */
export interface Circumstances {
  /** Address of the client, if known. */
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Proof of the identity of a signee, and of what they saw. */
export interface SignatureProof extends Circumstances {
  /** `click`, `code` (one-time code) or the name of an e-ID provider. */
  readonly method: string;
  /** Channel of a one-time code, never the code itself; `TestNumber` if any code was accepted. */
  readonly channel?: string;
  /** SHA-256 of the bytes that the service showed to the signee. Absent: none. */
  readonly shownSha256?: string;
  /** SHA-256 of the document that was signed, hexadecimal. */
  readonly signedSha256?: string;
  /** Name of the signature field in the document. */
  readonly field?: string;
  /** Reference of the e-ID or code session. */
  readonly sessionId?: string;
  /** Subject of the signing certificate, for display. */
  readonly certificate?: string;
}

/** A message that could not be delivered. */
export interface Undelivered {
  readonly template: 'Signup' | 'Reminder';
  readonly channel: 'Email' | 'Sms';
  readonly errorCode?: string;
}

/** Changes of a signee made without credentials of the company. Limits for links count them. */
export interface LinkUse {
  /** The signee was added by link. */
  readonly isAdded?: true;
  /** The signee was added by the form with which the process was created. */
  readonly isByForm?: true;
  /** Number of these changes; and, in `addresses`, of those that changed the mail address. */
  readonly changes?: number;
  readonly addresses?: number;
}

/** Time for which the document was held, up to `untilMs`: since the last rest, and in total. */
export interface HeldTime {
  readonly runMs: number;
  readonly totalMs: number;
  readonly untilMs: number;
}

/** Maximum number of signees of one process. */
export const signeesMax = 200;

/** A person who signs, or is to sign, a process. */
export interface Signee extends Contact {
  readonly key: SigneeKey;
  /** Position in the signing order, from 0. Signees with equal numbers may sign concurrently. */
  readonly order: number;
  readonly state: SigneeState;
  readonly signatureType: SignatureType;
  readonly delivery: DeliveryType;
  /** Short code of the interface language, such as `Is`. Absent: that of the flow. */
  readonly language?: string;
  /** Shown in the visible signature. */
  readonly reason?: string;
  readonly hidePersonalCode: boolean;
  readonly customSmsText?: string;
  /** E-mail address of the owner who added the signee. */
  readonly user?: string;
  /** Changes of the signee made without credentials of the company. */
  readonly byLink?: LinkUse;
  /** Time for which the signee kept others from signing without signing. */
  readonly held?: HeldTime;
  readonly reminder?: ReminderPlan;
  /** The newest invitation or reminder, if no transport accepted it. */
  readonly undelivered?: Undelivered;
  /** The signee opted out of reminders by mail. */
  readonly unsubscribed?: boolean;
  readonly invitedAtMs?: number;
  /** First opening of the signee's link, with or without the document, in epoch milliseconds. */
  readonly openedAtMs?: number;
  readonly viewedAtMs?: number;
  /** Digest of the bytes that were shown first. */
  readonly viewedSha256?: string;
  /** Digest of the bytes that were shown last, if they differ from the first. */
  readonly shownSha256?: string;
  readonly authenticatedAtMs?: number;
  /**
   * The newest login, regardless of the data that the sender specified. After the signature it is
   * final. Absent in processes of earlier versions.
   */
  readonly login?: SigneeLogin;
  readonly signedAtMs?: number;
  readonly proof?: SignatureProof;
}

/** Lease of the document for the next signature. */
export interface Lease {
  readonly signeeKey: SigneeKey;
  /** Fencing token: a later lease has a higher one, and only the newest may commit. */
  readonly token: number;
  /** Absent in leases of earlier versions. */
  readonly sinceMs?: number;
  readonly untilMs: number;
}

/** State of the finalisation. */
export interface Finalization {
  readonly attempts: number;
  /** Code of the last failure. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  /** Verified level of the sealed document. */
  readonly level?: string;
  /** Digest of the document with all signatures, before the seal. */
  readonly signedSha256?: string;
}

/** Settings of the flow when the process was created. Later changes of the flow have no effect. */
export interface ProcessPolicy {
  /** Level of the seal applied after the last signature. */
  readonly sealLevel: SealLevel;
  /** Attach the evidence page even if all signatures are qualified. */
  readonly evidencePage: boolean;
  readonly mayDecline: boolean;
  /** True if the holder of one signee's link may see and do everything that any signee may. */
  readonly openLinks?: true;
  /** An unidentified customer created the process with a form: values and names are claims. */
  readonly isByCustomer?: true;
  /** The customer also uploaded the document and is the first signee. */
  readonly isBrought?: true;
  /** Assessments that the completed process answers for its signees. Absent: none. */
  readonly complianceTypes?: readonly ComplianceType[];
  /** Days for which documents are retained after the end. */
  readonly retentionDays: number;
  /** Whether the result is mailed to the signees; below: to the owner, to a company address. */
  readonly confirmSignees: boolean;
  readonly confirmUser: boolean;
  readonly notifyAddress?: string;
  /** Short code of the language for signees that specify none. */
  readonly language: string;
  /** Rule for logins as a signee without a known national number. Absent: `name`. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Time zone of evidence and mails: an IANA name. Absent: UTC. */
  readonly timeZone?: string;
}

/** The process of signing one document: the aggregate that every command changes. */
export interface SigningProcess {
  readonly key: ProcessKey;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly flowType: string;
  readonly flowName: string;
  readonly status: ProcessStatus;
  readonly phase: ProcessPhase;
  /** Incremented by every change. A change states the revision it is based on. */
  readonly rev: number;
  readonly fileName: string;
  /** The document as submitted. Absent until it has been generated or uploaded. */
  readonly original?: DocumentRef;
  /** The document with the signatures so far. Starts with the bytes of the previous revision. */
  readonly document?: DocumentRef;
  /** Number of signatures in {@link document}. */
  readonly documentRev: number;
  readonly signees: readonly Signee[];
  readonly requiresAuth: boolean;
  readonly signInOrder: boolean;
  readonly signatureLocation: SignatureLocation;
  readonly flattenDocument: boolean;
  /** E-mail address of the owner. */
  readonly user?: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
  readonly sequenceKey?: SequenceKey;
  readonly reminderRule?: ReminderRule;
  readonly activityDisplayName?: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs?: number;
  readonly lease?: Lease;
  /** Token of the newest lease ever granted; not reset on release. */
  readonly leaseToken: number;
  /** The status before it was blocked. */
  readonly blockedFrom?: 'InActive' | 'Active';
  /** Reason for cancelling or blocking it. */
  readonly reason?: string;
  readonly finalization: Finalization;
  /** Invitations caused without credentials of the company. */
  readonly invitationsByLink?: number;
  readonly policy: ProcessPolicy;
  /** Contents and personal data have been deleted; only the tombstone remains. */
  readonly purgedAtMs?: number;
}
