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
 * Phase of the document: draft, waiting for its turn in a sequence, open for signatures, being
 * finalised after the last signature, or done.
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

/** Kind of signature of a signee. */
export const signatureTypes = ['Qualified', 'Simple', 'ClickToSign'] as const;

/** One of {@link signatureTypes}. */
export type SignatureType = (typeof signatureTypes)[number];

/** Channels to a signee; `None`: the owner informs the signee. */
export const deliveryTypes = ['None', 'Email', 'Sms'] as const;

/** One of {@link deliveryTypes}. */
export type DeliveryType = (typeof deliveryTypes)[number];

/** Places of the visible stamps: from the top of the first page, or the bottom of the last. */
export const signatureLocations = ['TopFirstPage', 'BottomLastPage'] as const;

/** One of {@link signatureLocations}. */
export type SignatureLocation = (typeof signatureLocations)[number];

/** A stored document: its content is found by its digest. */
export interface DocumentRef {
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string;
  readonly lengthBytes: number;
}

/** Kinds of attachments, with the integers of webhook payloads in {@link attachmentTypes}. */
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

/** A file that goes with a process. */
export interface Attachment {
  readonly key: AttachmentKey;
  readonly fileName: string;
  readonly contentType: string;
  readonly document: DocumentRef;
  readonly description?: string;
  readonly type: AttachmentType;
  readonly signeeKey?: SigneeKey;
  /** Set for one that stands elsewhere and was only named. */
  readonly url?: string;
  /** Audience of the attachment; absent: everybody who sees the document. */
  readonly audience?: Audience;
  /** Language code of a copy of the evidence page. */
  readonly language?: string;
}

/**
 * The evidence of the company names numbers and addresses of all signees: their copies mask them.
 */
export type Audience = 'company' | 'signees';

/** Schedule of automatic reminders to a signee. */
export interface ReminderPlan {
  /** Due time of the next one in epoch milliseconds; absent: there are no more. */
  readonly nextAtMs?: number;
  /** Reminders that the plan asked for; where one still waited no second one was written. */
  readonly sentCount: number;
  /** Planned reminders were switched off: more time does not bring them back. */
  readonly isOff?: true;
}

/** Observations about an act of a person: facts for the evidence, all personal data. */
export interface Circumstances {
  /** Address of the client, when there was one. */
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Proof of the identity of a signee, and of what they saw. */
export interface SignatureProof extends Circumstances {
  /** `click`, `code` (one-time code) or the name of an e-ID provider. */
  readonly method: string;
  /** Channel of a one-time code, never the code; `TestNumber` when any code was right. */
  readonly channel?: string;
  /** Digest of the bytes that the service showed to the signee, SHA-256; absent: none. */
  readonly shownSha256?: string;
  /** Digest of the document that was signed, SHA-256 hexadecimal. */
  readonly signedSha256?: string;
  /** Name of the field of the signature in the document. */
  readonly field?: string;
  /** Reference of the e-ID or code session. */
  readonly sessionId?: string;
  /** Subject of the certificate that signed, for people. */
  readonly certificate?: string;
}

/** A message that could not be delivered. */
export interface Undelivered {
  readonly template: 'Signup' | 'Reminder';
  readonly channel: 'Email' | 'Sms';
  readonly errorCode?: string;
}

/** Changes of a signee made without credentials of the company: limits for links count them. */
export interface LinkUse {
  /** The signee was added so. */
  readonly isAdded?: true;
  /** It was by the form of a flow, with which the process began. */
  readonly isByForm?: true;
  /** Changes that were made so, and those of them that changed the mail address. */
  readonly changes?: number;
  readonly addresses?: number;
}

/** Duration for which the document was held, up to `untilMs`: since the last rest, and in total. */
export interface HeldTime {
  readonly runMs: number;
  readonly totalMs: number;
  readonly untilMs: number;
}

/** Signees of one process at most. */
export const signeesMax = 200;

/** One who signs. */
export interface Signee extends Contact {
  readonly key: SigneeKey;
  /** Place in the order, from 0 on; signees of the same number may sign at the same time. */
  readonly order: number;
  readonly state: SigneeState;
  readonly signatureType: SignatureType;
  readonly delivery: DeliveryType;
  /** Short code of the interface language, such as `Is`; absent: that of the flow. */
  readonly language?: string;
  /** Shown in the visible signature. */
  readonly reason?: string;
  readonly hidePersonalCode: boolean;
  readonly customSmsText?: string;
  /** E-mail of the owner who added the signee. */
  readonly user?: string;
  /** Changes of the signee made without credentials of the company. */
  readonly byLink?: LinkUse;
  /** Time for which the signee kept others from signing, without a signature. */
  readonly held?: HeldTime;
  readonly reminder?: ReminderPlan;
  /** The newest invitation or reminder, when no transport took it. */
  readonly undelivered?: Undelivered;
  /** The signee asked not to be reminded by mail. */
  readonly unsubscribed?: boolean;
  readonly invitedAtMs?: number;
  /**
   * Time when the link of the signee was first opened, with or without the document, in epoch
   * milliseconds.
   */
  readonly openedAtMs?: number;
  readonly viewedAtMs?: number;
  /** Digest of the bytes that were shown first. */
  readonly viewedSha256?: string;
  /** Digest of the bytes that were shown last, where they were others than the first. */
  readonly shownSha256?: string;
  readonly authenticatedAtMs?: number;
  /**
   * The newest login, whatever the sender said of the signee; that of a person who has signed
   * stays. Processes of earlier versions have none.
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

/** State of the work after the last signature. */
export interface Finalization {
  readonly attempts: number;
  /** Code of the last failure. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  /** Level that the sealed result was verified to have. */
  readonly level?: string;
  /** Digest of the document with all signatures, before the seal. */
  readonly signedSha256?: string;
}

/** Settings of the flow when the process was created; later changes of the flow have no effect. */
export interface ProcessPolicy {
  /** Level of the seal after the last signature. */
  readonly sealLevel: SealLevel;
  /** Attach the evidence page also where all signatures are qualified. */
  readonly evidencePage: boolean;
  readonly mayDecline: boolean;
  /** True if the holder of one signee's link may see and do everything that any signee may. */
  readonly openLinks?: true;
  /** Somebody unknown began it, by a form: the values and names are their claims. */
  readonly isByCustomer?: true;
  /** They brought the document, too: the first signee did. */
  readonly isBrought?: true;
  /** Assessments that its completion answers for the signees; absent: none. */
  readonly complianceTypes?: readonly ComplianceType[];
  /** Days that documents are kept after the end. */
  readonly retentionDays: number;
  /** Mail the result to the signees; to the owner; to this address. */
  readonly confirmSignees: boolean;
  readonly confirmUser: boolean;
  readonly notifyAddress?: string;
  /** Short code of the language for signees that name none. */
  readonly language: string;
  /** Rule for logins as a signee without a known number; absent: `name`. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Time zone of evidence and mails: an IANA name; absent: UTC. */
  readonly timeZone?: string;
}

/** One document on its way through its signatures: the aggregate that every command changes. */
export interface SigningProcess {
  readonly key: ProcessKey;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly flowType: string;
  readonly flowName: string;
  readonly status: ProcessStatus;
  readonly phase: ProcessPhase;
  /** Grows by 1 with each change; a change names the one it saw. */
  readonly rev: number;
  readonly fileName: string;
  /** The document as it was handed in; absent while it is being made. */
  readonly original?: DocumentRef;
  /** The document with the signatures so far; begins with the bytes of the one before. */
  readonly document?: DocumentRef;
  /** Signatures in {@link document}. */
  readonly documentRev: number;
  readonly signees: readonly Signee[];
  readonly requiresAuth: boolean;
  readonly signInOrder: boolean;
  readonly signatureLocation: SignatureLocation;
  readonly flattenDocument: boolean;
  /** E-mail of the owner. */
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
  /** Token of the newest lease ever; survives its release. */
  readonly leaseToken: number;
  /** The status before it was blocked. */
  readonly blockedFrom?: 'InActive' | 'Active';
  /** Reason for cancelling or blocking it. */
  readonly reason?: string;
  readonly finalization: Finalization;
  /** Invitations caused without credentials of the company. */
  readonly invitationsByLink?: number;
  readonly policy: ProcessPolicy;
  /** Content and personal data are gone; only the tombstone stays. */
  readonly purgedAtMs?: number;
}
