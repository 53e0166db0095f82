import type { SigneeKey } from '../keys.ts';
import type { ProvedIdentity } from '../person/index.ts';
import type { MessageTemplate } from './consequences.ts';
import type {
  Attachment,
  Circumstances,
  DeliveryType,
  DocumentRef,
  SignatureProof,
  Signee,
} from './process.ts';

/** Changeable members of a signee. */
export type SigneeChange = Partial<
  Pick<Signee, 'email' | 'address' | 'postalCode' | 'city' | 'reason' | 'user'>
>;

/** Commands to an existing process. `by` is the actor: a user's e-mail address or `System`. */
export type ProcessCommand =
  /** The sequence has reached signees of this process. */
  | { readonly type: 'start'; readonly by: string }
  /** Appends a new signee. Its position in the order is assigned by the process. */
  | {
      readonly type: 'addSignee';
      readonly signee: Omit<Signee, 'order'>;
      /** Maximum number of signees that the flow permits, including the new one. */
      readonly most: number;
      /** Maximum signees added this way; set if the request had no credentials of the company. */
      readonly mostByLink?: number;
      readonly by: string;
    }
  | {
      readonly type: 'updateSignee';
      readonly signeeKey: SigneeKey;
      readonly change: SigneeChange;
      readonly by: string;
      /** The request had no credentials of the company. */
      readonly isByLink?: boolean;
    }
  /** Repeats the invitation of a signee. */
  | { readonly type: 'invite'; readonly signeeKey: SigneeKey; readonly by: string }
  /** The link of the signee was opened for the first time; no document has been shown yet. */
  | {
      readonly type: 'openLink';
      readonly signeeKey: SigneeKey;
      readonly circumstances: Circumstances;
    }
  /** The signee viewed the document, either for the first time or after others signed. */
  | {
      readonly type: 'view';
      readonly signeeKey: SigneeKey;
      readonly sha256: string;
      readonly circumstances: Circumstances;
    }
  /** An identity provider has identified a person. */
  | {
      readonly type: 'authenticate';
      readonly signeeKey: SigneeKey;
      readonly login: ProvedIdentity;
      readonly circumstances: Circumstances;
    }
  /** Acquires the lease for a signature that takes time. */
  | { readonly type: 'startSigning'; readonly signeeKey: SigneeKey; readonly leaseMs: number }
  /** Releases the lease. */
  | {
      readonly type: 'abandonSigning';
      readonly signeeKey: SigneeKey;
      readonly token: number;
      readonly cause: string;
    }
  /** Stores the signed document. */
  | {
      readonly type: 'sign';
      readonly signeeKey: SigneeKey;
      /** Digest of the document signed. If it is not the current one, the signature is too late. */
      readonly seenSha256: string;
      readonly document: DocumentRef;
      /** Fencing token, for a signature under a lease. */
      readonly token?: number;
      readonly proof: SignatureProof;
      /** Identity in the signing certificate, if it is the signee's own. */
      readonly own?: ProvedIdentity;
      /** Identifier of the login on which the signature is based, if any. */
      readonly who?: string;
    }
  /** The signee declines, if the flow permits it. */
  | {
      readonly type: 'decline';
      readonly signeeKey: SigneeKey;
      readonly reason: string;
      readonly circumstances: Circumstances;
    }
  /** The sealed document has been verified. */
  | {
      readonly type: 'complete';
      readonly document: DocumentRef;
      readonly level: string;
      readonly evidence: readonly Attachment[];
    }
  | {
      readonly type: 'finalizeFailed';
      readonly errorCode: string;
      readonly errorMessage: string;
      /** No further attempt is planned. */
      readonly isFinal: boolean;
      readonly retryAtMs: number;
    }
  | { readonly type: 'retryFinalize'; readonly by: string }
  | { readonly type: 'expire' }
  | { readonly type: 'cancel'; readonly by: string; readonly reason?: string }
  | { readonly type: 'block'; readonly by: string; readonly reason?: string }
  | { readonly type: 'unblock'; readonly by: string }
  | { readonly type: 'extend'; readonly expiresAtMs: number; readonly by: string }
  /** A person requests a reminder. */
  | {
      readonly type: 'remind';
      readonly signeeKey: SigneeKey;
      readonly delivery: DeliveryType;
      readonly includeUnsubscribe: boolean;
      readonly by: string;
    }
  /** Scheduled reminders are due; each signee with a due reminder gets one. */
  | { readonly type: 'remindDue' }
  | { readonly type: 'cancelReminders'; readonly signeeKey: SigneeKey; readonly by: string }
  | { readonly type: 'unsubscribe'; readonly signeeKey: SigneeKey }
  /** A transport accepted or rejected a message about this process. */
  | {
      readonly type: 'messageSent';
      readonly template: MessageTemplate;
      readonly channel: 'Email' | 'Sms';
      readonly signeeKey?: SigneeKey;
      readonly isAccepted: boolean;
      /** The transport's identifier for the message. */
      readonly messageId?: string;
      readonly errorCode?: string;
    }
  /** A provider reports the fate of a message after accepting it. */
  | {
      readonly type: 'messageReceipt';
      readonly template: MessageTemplate;
      readonly channel: 'Email' | 'Sms';
      readonly signeeKey?: SigneeKey;
      /** `delivered`, `bounced` and similar. */
      readonly event: string;
    }
  | { readonly type: 'deleteAttachment'; readonly attachmentKey: string; readonly by: string }
  /** `contents`: the digests of every blob of the process. */
  | { readonly type: 'purge'; readonly contents: readonly string[]; readonly by: string }
  /** The retention period of the process has ended. */
  | { readonly type: 'purgeDue'; readonly contents: readonly string[] };

/** The command of type `Type`. */
export type CommandOf<Type extends ProcessCommand['type']> = Extract<
  ProcessCommand,
  { readonly type: Type }
>;
