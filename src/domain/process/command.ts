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

/** Commands to an existing process. `by` is the author: the e-mail of a user, or `System`. */
export type ProcessCommand =
  /** The sequence says that it is the turn of signees of this process. */
  | { readonly type: 'start'; readonly by: string }
  /** New signees are added after the existing ones: the order in the command is ignored. */
  | {
      readonly type: 'addSignee';
      readonly signee: Omit<Signee, 'order'>;
      /** Signees that the flow permits, the new one included. */
      readonly most: number;
      /** Set where no credentials of the company came: as many may be added so. */
      readonly mostByLink?: number;
      readonly by: string;
    }
  | {
      readonly type: 'updateSignee';
      readonly signeeKey: SigneeKey;
      readonly change: SigneeChange;
      readonly by: string;
      /** No credentials of the company came. */
      readonly isByLink?: boolean;
    }
  /** Sends the invitation of a signee again. */
  | { readonly type: 'invite'; readonly signeeKey: SigneeKey; readonly by: string }
  /** The link of the signee was opened for the first time; no document was shown yet. */
  | {
      readonly type: 'openLink';
      readonly signeeKey: SigneeKey;
      readonly circumstances: Circumstances;
    }
  /** The signee looked at the document, for the first time or as it is after others signed. */
  | {
      readonly type: 'view';
      readonly signeeKey: SigneeKey;
      readonly sha256: string;
      readonly circumstances: Circumstances;
    }
  /** An identity provider says who is there. */
  | {
      readonly type: 'authenticate';
      readonly signeeKey: SigneeKey;
      readonly login: ProvedIdentity;
      readonly circumstances: Circumstances;
    }
  /** Takes the lease for a signature that needs time. */
  | { readonly type: 'startSigning'; readonly signeeKey: SigneeKey; readonly leaseMs: number }
  /** Gives the lease back. */
  | {
      readonly type: 'abandonSigning';
      readonly signeeKey: SigneeKey;
      readonly token: number;
      readonly cause: string;
    }
  /** Puts the signed document in place. */
  | {
      readonly type: 'sign';
      readonly signeeKey: SigneeKey;
      /** Digest of the document that was signed: the current one, or the signature is late. */
      readonly seenSha256: string;
      readonly document: DocumentRef;
      /** Fencing token, for a signature under a lease. */
      readonly token?: number;
      readonly proof: SignatureProof;
      /** Identity in the signing certificate, if it is the signee's own. */
      readonly own?: ProvedIdentity;
      /** The login on which the signature rests, where it rests on one. */
      readonly who?: string;
    }
  /** The signee refuses, where the flow permits it. */
  | {
      readonly type: 'decline';
      readonly signeeKey: SigneeKey;
      readonly reason: string;
      readonly circumstances: Circumstances;
    }
  /** The sealed document was verified. */
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
  /** A person asks for a reminder. */
  | {
      readonly type: 'remind';
      readonly signeeKey: SigneeKey;
      readonly delivery: DeliveryType;
      readonly includeUnsubscribe: boolean;
      readonly by: string;
    }
  /** The plan asks for reminders; each signee whose time has come gets one. */
  | { readonly type: 'remindDue' }
  | { readonly type: 'cancelReminders'; readonly signeeKey: SigneeKey; readonly by: string }
  | { readonly type: 'unsubscribe'; readonly signeeKey: SigneeKey }
  /** A transport accepted or refused a message about this process. */
  | {
      readonly type: 'messageSent';
      readonly template: MessageTemplate;
      readonly channel: 'Email' | 'Sms';
      readonly signeeKey?: SigneeKey;
      readonly isAccepted: boolean;
      /** Name under which the transport knows it. */
      readonly messageId?: string;
      readonly errorCode?: string;
    }
  /** A provider says what became of a message after it was accepted. */
  | {
      readonly type: 'messageReceipt';
      readonly template: MessageTemplate;
      readonly channel: 'Email' | 'Sms';
      readonly signeeKey?: SigneeKey;
      /** `delivered`, `bounced` and so on. */
      readonly event: string;
    }
  | { readonly type: 'deleteAttachment'; readonly attachmentKey: string; readonly by: string }
  /** `contents`: the digests of all that the process needed. */
  | { readonly type: 'purge'; readonly contents: readonly string[]; readonly by: string }
  /** The process was kept long enough. */
  | { readonly type: 'purgeDue'; readonly contents: readonly string[] };

/** The command of that type. */
export type CommandOf<Type extends ProcessCommand['type']> = Extract<
  ProcessCommand,
  { readonly type: Type }
>;
