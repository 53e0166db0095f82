import type { InnsigliError } from '../../base/errors.ts';
import type { FamilyFacts, HomeAddress } from '../../domain/auth/index.ts';
import type { Identity } from '../../domain/person/index.ts';
import type { SecondOpinion } from '../../verify/second-opinion.ts';
import type {
  EidCertificates,
  EidEvidence,
  EidFinding,
  EidShownLogin,
  EidSignature,
  EidSigning,
  EidSignOrder,
} from './eid.ts';

/** A contiguous range of bytes. */
export interface ByteSpan {
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** A blob that is read in chunks, so that it need not be in memory as a whole. */
export interface StoredContent {
  readonly lengthBytes: number;
  /** The whole blob, if it is already in memory. */
  readonly whole?: Uint8Array;
  /**
   * Reads the bytes from the start, or those within `span` that exist. Each call reads them again,
   * from the file that was verified as a whole.
   *
   * @throws blob.missing, blob.corrupt
   */
  pieces(span?: ByteSpan): AsyncIterable<Uint8Array>;
}

/** Stored documents and other blobs, addressed by their digest. */
export interface BlobStore {
  /**
   * Stores `content` durably and returns its SHA-256 (hexadecimal).
   *
   * @throws store.full, store.readonly, store.unavailable
   */
  put(content: Uint8Array): Promise<string>;
  /** Returns the blob, verified against its digest. @throws blob.missing, blob.corrupt */
  get(sha256: string): Promise<Uint8Array>;
  /** Opens the blob, verified before the first chunk. @throws blob.missing, blob.corrupt */
  open(sha256: string): Promise<StoredContent>;
  has(sha256: string): Promise<boolean>;
  /** Returns its length in bytes, without reading it. @throws blob.missing */
  sizeOf(sha256: string): Promise<number>;
  /** Removes the blob. False if the terms exclude it. Succeeds if it does not exist. */
  remove(sha256: string, terms?: RemovalTerms): Promise<boolean>;
  /** Lists every blob with its modification time, to find orphans. */
  list(): AsyncIterable<{ readonly sha256: string; readonly modifiedAtMs: number }>;
}

/** Conditions of {@link BlobStore.remove}. */
export interface RemovalTerms {
  /** Only blobs stored up to this time, in milliseconds since the epoch. */
  readonly storedUntilMs?: number;
  /** Only blobs of at least this age, by the clock of the disk: clocks of hosts differ. */
  readonly ageMs?: number;
}

/** Encrypts secrets and national numbers at rest. */
export interface Vault {
  /** Encrypts `plain`. Decryption requires the same `context` (table, column, key). */
  encrypt(plain: string, context: string): string;
  /** @throws vault.invalid if it was altered, or encrypted under a different key or context */
  decrypt(sealed: string, context: string): string;
  /** Returns a keyed index of a value for look-ups. It reveals nothing without the key. */
  index(value: string): string;
  /** Returns a keyed digest for one-time codes, hexadecimal. */
  mac(value: string, context: string): string;
}

/** An outgoing mail. */
export interface MailMessage {
  /** `<id@host>`, the same for every attempt. */
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly bcc?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly fileName: string;
    readonly contentType: string;
    readonly content: Uint8Array;
    /** Content-ID of an inline picture, referred to as `cid:…`. Undefined for attached files. */
    readonly cid?: string;
  }[];
  /** RFC 8058 one-click unsubscribe URL. */
  readonly unsubscribeUrl?: string;
  readonly sentAtMs: number;
}

/** Receipt of a transport that accepted a message. */
export interface Acceptance {
  /** Identifier of the message at the transport. */
  readonly reference: string;
  /** Error of the blind copy. The message itself was accepted. */
  readonly copyFailure?: InnsigliError;
}

/** Channels over which messages are sent. */
export type Channel = 'Email' | 'Sms';

/** Channels that the operator has closed. */
export interface ChannelPorts {
  /** Channels over which no message is sent. Default: none. */
  readonly closedChannels?: readonly Channel[];
}

/** Sends mail over SMTP or writes it to files of a folder. */
export interface Mailer {
  /**
   * @throws mail.refused if it will never be accepted, mail.failed if it may be accepted later
   * @throws mail.configuration, mail.unavailable if no mail can be sent, whatever its content
   */
  send(message: MailMessage): Promise<Acceptance>;
  /** Removes what is stored of messages with these IDs. Undefined if nothing is stored. */
  forget?(ids: readonly string[]): Promise<void>;
  close(): void;
}

/** Sends text messages through an HTTP gateway or writes them to files of a folder. */
export interface SmsSender {
  /** @throws sms.refused, sms.failed, sms.configuration, sms.unavailable, as {@link Mailer} */
  send(message: {
    readonly id: string;
    readonly to: string;
    readonly text: string;
    readonly sentAtMs: number;
  }): Promise<Acceptance>;
  /** See {@link Mailer.forget}. */
  forget?(ids: readonly string[]): Promise<void>;
}

/** Posts a body to a URL chosen by a user. Internal networks are blocked. */
export interface WebhookTransport {
  /** Returns any response. @throws network.blocked, network.failed, network.offline */
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
    readonly timeoutMs: number;
  }): Promise<{
    readonly status: number;
    readonly retryAfter?: string;
    /** The first bytes of the response body, as text. */
    readonly head: string;
  }>;
  close(): Promise<void>;
}

/** A started session of an e-ID provider. */
export interface IdentitySession {
  readonly ref: string;
  /** Code that the person compares on both devices. Empty if there is none. */
  readonly verificationCode: string;
  readonly pollingIntervalSeconds: number;
  /** Token that opens the app on the same device, if the provider supports it. */
  readonly autoStartToken?: string;
  /** Link that opens the app on the same device; the QR code is for a different device. */
  readonly sameDeviceLink?: string;
  /** Text of the QR code. {@link IdentityProvider.refresh} returns newer ones. */
  readonly qrData?: string;
  /** Page of the provider that the person is redirected to. */
  readonly redirectUrl?: string;
}

/** Status of a session. */
export type IdentityAnswer =
  | {
      readonly state: 'waiting';
      /** The scheme's code for the step, such as `userSign`. */
      readonly hint?: string;
      /** The new reference, if it changed. */
      readonly ref?: string;
      /** The new code for the person to compare, if it changed. */
      readonly verificationCode?: string;
    }
  | {
      readonly state: 'done';
      readonly identity: Identity;
      /** The new reference, if it changed. It yields the same result without the provider. */
      readonly ref?: string;
    }
  /** The person or the provider refused. */
  | {
      readonly state: 'failed';
      readonly hint: string;
      /** The provider's code, verbatim, at most 64 printable characters. */
      readonly providerCode?: string;
    };

/** Request to start a session. */
export interface IdentityRequest {
  readonly purpose: 'auth' | 'certificate' | 'sign';
  readonly channel: 'Sim' | 'App';
  /** Phone number for `Sim`, national number for `App`. Empty if the provider prompts for it. */
  readonly loginHint: string;
  readonly text: string;
  /** Language of the person: `is`, `en`, `sv`, … Default: that of the provider. */
  readonly language?: string;
  readonly includeVerificationCode: boolean;
  /** URL that the person returns to on the same device. */
  readonly returnUrl?: string;
  readonly endUserIp?: string;
  /** Purpose `sign` only. */
  readonly order?: EidSignOrder;
}

/** An e-ID provider: authenticates persons and signs with keys under their sole control. */
export interface IdentityProvider {
  /** Name used in evidence, such as `simulator`. */
  readonly name: string;
  /** Whether responses come from test persons, whose identities and certificates prove nothing. */
  readonly isSimulated: boolean;
  /** Channels whose identities include the phone number. */
  readonly phoneChannels: readonly ('Sim' | 'App')[];
  /**
   * Maximum duration of a poll in milliseconds, so that only one poll at a time reaches the
   * provider. 0 if concurrent polls are harmless.
   */
  readonly pollMs: number;
  /** Properties of its signatures. Undefined if it only identifies persons. */
  readonly signing?: EidSigning;
  /** Whether the number is a published test number of a simulator, which no person has. */
  isTestNumber?(loginHint: string): boolean;
  /**
   * Starts a login or signature.
   *
   * @throws authentication.error.idp.start, eid.provider.error if the provider refuses
   */
  start(request: IdentityRequest): Promise<IdentitySession>;
  poll(ref: string): Promise<IdentityAnswer>;
  /** Returns the latest QR code text or link of a pending session, if the provider changes it. */
  refresh?(ref: string): Promise<string>;
  /** Cancels a session at the provider if possible. Never fails. */
  cancel(ref: string): Promise<void>;
  /**
   * Processes the URL with which the person returned. Returns the new reference.
   *
   * @throws authentication.token.invalid if the URL does not belong to the session
   */
  callback?(ref: string, url: URL): Promise<string>;
  /**
   * Returns the person's signing certificates. For `signing.certificate` `lookup`.
   *
   * @throws authentication.error.idp.start, eid.provider.error
   */
  findCertificates?(request: IdentityRequest): Promise<EidCertificates>;
  /** Checks configuration, certificates, reachability and clock, for the operator. */
  check?(): Promise<readonly EidFinding[]>;
  /** The signature of a completed session. @throws authentication.token.invalid */
  signature(ref: string): Promise<EidSignature>;
  /** Result of a session of purpose `certificate`. @throws authentication.token.invalid */
  certificates(ref: string): Promise<EidCertificates>;
  /** Evidence of the person's response. @throws authentication.token.invalid */
  evidence(ref: string): Promise<EidEvidence>;
  /** The scheme's pseudonym for the person. @throws authentication.token.invalid */
  subject?(ref: string): Promise<string>;
  /** Verifies that the evidence proves the login. @throws EidError if it does not */
  verifyEvidence?(evidence: EidEvidence, login: EidShownLogin): Promise<readonly EidFinding[]>;
}

/** Providers in addition to the one for SIM and app. */
export type ForeignScheme = 'eid-se' | 'eid-dk' | 'device-link';

/** Methods of login and signature that a provider is selected for. */
export type ServedMethod = 'Sim' | 'App' | ForeignScheme;

/** The providers of an installation that has several. */
export interface IdentityProviders {
  /** Returns the provider of a method for the flow, else for its company, else the default. */
  choose(
    method: ServedMethod,
    place: { readonly companyKey?: string | undefined; readonly flowKey?: string | undefined },
  ): IdentityProvider;
  /** Returns the provider with that name, by which a session was started. */
  named(name: string): IdentityProvider | undefined;
}

/**
 * A register of persons, queried by national number. Its methods throw `register.unavailable`,
 * `register.answer.invalid`, `register.configuration`, `register.table.invalid` or
 * `network.offline` if the look-up fails. A person without an entry is not an error.
 */
export interface PersonRegister {
  /** The home address of a person. Undefined if the person has no entry. */
  address(ssn: string): Promise<HomeAddress | undefined>;
  family(ssn: string): Promise<FamilyFacts | undefined>;
  /** Whether a utility meter is registered for the person. */
  hasMeter(ssn: string): Promise<boolean>;
}

/** The entry of a person in a register. */
export interface RegisterEntry {
  readonly address?: HomeAddress;
  readonly family?: FamilyFacts;
  readonly hasMeter: boolean;
}

/** A person of an imported register. */
export interface RegisterPerson extends RegisterEntry {
  /** National number, digits only. */
  readonly ssn: string;
  /** Row number of the person in the imported file. */
  readonly row: number;
}

/** Size and age of an imported register. */
export interface RegisterFigures {
  readonly persons: number;
  /** Time of the import, in milliseconds since the epoch. */
  readonly importedAtMs: number;
}

/** The imported register of persons, encrypted at rest. */
export interface RegisterTable {
  /** Figures of the stored register. Undefined if there is none. @throws register.table.invalid */
  figures(): Promise<RegisterFigures | undefined>;
  /**
   * Replaces the whole register durably and atomically. Changes nothing if it throws.
   *
   * @param accept receives the number of persons before anything is replaced; may throw
   * @throws validation.error if a number occurs twice
   * @throws limit.exceeded, config.datadir.unusable, and whatever `persons` and `accept` throw
   */
  replace(
    persons: AsyncIterable<RegisterPerson>,
    importedAtMs: number,
    accept: (persons: number) => void,
  ): Promise<RegisterFigures>;
}

export type { SecondOpinion };

/** The signature of a document to verify. */
export interface SignatureQuestion {
  /** Index among the `Signature` elements of XML-Signature in document order, from 0. */
  readonly index: number;
  /** Hexadecimal serial number of the certificate whose key must match. Undefined without one. */
  readonly serialNumber?: string;
}

/** An independent implementation of XML signatures. */
export interface XmlSignatureChecker {
  /** Returns one opinion per signature. Never throws for a document that it does not support. */
  check(
    xml: Uint8Array,
    questions: readonly SignatureQuestion[],
  ): Promise<readonly SecondOpinion[]>;
}

/**
 * Small named texts stored next to the blobs, for all programs that share the folder: the store it
 * belongs to, and the programs that use it.
 */
export interface ContentsFolder {
  /** Location of the folder, for messages to the operator. */
  readonly place: string;
  /** The text of a mark. Undefined if there is none. @throws store.unavailable */
  findMark(name: string): Promise<string | undefined>;
  /**
   * Writes a mark durably unless it exists. Returns the stored text.
   *
   * @throws store.full, store.readonly, store.unavailable
   */
  putMarkOnce(name: string, text: string): Promise<string>;
  /** Writes a mark durably, replacing an earlier one. @throws as {@link putMarkOnce} */
  putMark(name: string, text: string): Promise<void>;
  removeMark(name: string): Promise<void>;
}

/** The file that contains the vault key. */
export interface VaultKeyFile {
  /** Path of the file, for messages to the operator. */
  readonly place: string;
  /** Opens the vault with the key. Undefined if there is no file. @throws vault.invalid */
  open(): Promise<Vault | undefined>;
  /** Like {@link open}, but generates a key if there is none. */
  make(): Promise<Vault>;
}
