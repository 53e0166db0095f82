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

/** Some bytes of a content that stand one after another. */
export interface ByteSpan {
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** A content that is read in pieces, so that it need not be in memory as a whole. */
export interface StoredContent {
  readonly lengthBytes: number;
  /** All of it, where it is in memory already. */
  readonly whole?: Uint8Array;
  /**
   * Its bytes from the beginning, or those of `span` that it has; each call reads them anew, of the
   * file that was verified as a whole.
   *
   * @throws blob.missing, blob.corrupt
   */
  pieces(span?: ByteSpan): AsyncIterable<Uint8Array>;
}

/** Contents of documents, found by their digest. */
export interface BlobStore {
  /**
   * Stores `content` durably and gives its SHA-256 (hexadecimal).
   *
   * @throws store.full, store.readonly, store.unavailable
   */
  put(content: Uint8Array): Promise<string>;
  /** The content, verified against its name. @throws blob.missing, blob.corrupt */
  get(sha256: string): Promise<Uint8Array>;
  /** The same in pieces, verified before the first of them. @throws blob.missing, blob.corrupt */
  open(sha256: string): Promise<StoredContent>;
  has(sha256: string): Promise<boolean>;
  /** Its length in bytes, without reading it. @throws blob.missing */
  sizeOf(sha256: string): Promise<number>;
  /** Removes it, unless the terms spare it: false then. It need not be there. */
  remove(sha256: string, terms?: RemovalTerms): Promise<boolean>;
  /** Every content with its age, for the collection of orphans. */
  list(): AsyncIterable<{ readonly sha256: string; readonly modifiedAtMs: number }>;
}

/** The contents of a removal. */
export interface RemovalTerms {
  /** Contents stored until then; epoch milliseconds. */
  readonly storedUntilMs?: number;
  /** Contents of this age, by the clock of the disk: clocks of hosts differ. */
  readonly ageMs?: number;
}

/** Keeps secrets and national numbers unreadable at rest. */
export interface Vault {
  /** `plain` encrypted; `context` (table, column, key) must be the same when it is opened. */
  encrypt(plain: string, context: string): string;
  /** @throws vault.invalid when it was changed, or made under another key or context */
  decrypt(sealed: string, context: string): string;
  /** The same text for the same value, of no use without the key: for look-ups. */
  index(value: string): string;
  /** Keyed digest for one-time codes, hexadecimal. */
  mac(value: string, context: string): string;
}

/** A mail as it goes out. */
export interface MailMessage {
  /** `<id@host>`: the same for every attempt. */
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
    /** A picture of the text, which names it as `cid:…`; it is none of the files. */
    readonly cid?: string;
  }[];
  /** RFC 8058 one-click address. */
  readonly unsubscribeUrl?: string;
  readonly sentAtMs: number;
}

/** The receipt of a transport that has accepted a message. */
export interface Acceptance {
  /** Name under which the transport knows the message. */
  readonly reference: string;
  /** Error of the blind copy; the message itself was accepted. */
  readonly copyFailure?: InnsigliError;
}

/** Ways by which messages leave. */
export type Channel = 'Email' | 'Sms';

/** Channels that the operator has closed. */
export interface ChannelPorts {
  /** Channels on which no message leaves. Absent: all are open. */
  readonly closedChannels?: readonly Channel[];
}

/** Sends mail: SMTP, or files in a folder. */
export interface Mailer {
  /**
   * @throws mail.refused when it will never be accepted, mail.failed when it may be later
   * @throws mail.configuration, mail.unavailable when no mail can leave, whatever it holds
   */
  send(message: MailMessage): Promise<Acceptance>;
  /** Removes what is kept here of messages with these ids; absent where nothing is kept. */
  forget?(ids: readonly string[]): Promise<void>;
  close(): void;
}

/** Sends text messages: an HTTP gateway, or files in a folder. */
export interface SmsSender {
  /** @throws sms.refused, sms.failed, sms.configuration, sms.unavailable: as mail */
  send(message: {
    readonly id: string;
    readonly to: string;
    readonly text: string;
    readonly sentAtMs: number;
  }): Promise<Acceptance>;
  /** As that of {@link Mailer}. */
  forget?(ids: readonly string[]): Promise<void>;
}

/** Posts a body to an address that a user chose: guarded against inner networks. */
export interface WebhookTransport {
  /** The answer, whatever its status. @throws network.blocked, network.failed, network.offline */
  post(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
    readonly timeoutMs: number;
  }): Promise<{
    readonly status: number;
    readonly retryAfter?: string;
    /** The first bytes of the answer, as text. */
    readonly head: string;
  }>;
  close(): Promise<void>;
}

/** A started session of an e-ID provider. */
export interface IdentitySession {
  readonly ref: string;
  /** Shown to the person so that both ends can be compared; empty for none. */
  readonly verificationCode: string;
  readonly pollingIntervalSeconds: number;
  /** Token that opens the app on the same device, for providers that have it. */
  readonly autoStartToken?: string;
  /** Opens the app on the same device, where the QR code is for another one. */
  readonly sameDeviceLink?: string;
  /** Text for a QR code; {@link IdentityProvider.refresh} gives newer ones. */
  readonly qrData?: string;
  /** Page of the provider that the person goes to. */
  readonly redirectUrl?: string;
}

/** State of a session. */
export type IdentityAnswer =
  | {
      readonly state: 'waiting';
      /** Word of the scheme for the step: `userSign`. */
      readonly hint?: string;
      /** Reference from now on, where it has changed. */
      readonly ref?: string;
      /** Code that the person compares from now on, where it has changed. */
      readonly verificationCode?: string;
    }
  | {
      readonly state: 'done';
      readonly identity: Identity;
      /** Reference from now on, where it has changed: it answers the same without the provider. */
      readonly ref?: string;
    }
  /** The person or the provider said no. */
  | {
      readonly state: 'failed';
      readonly hint: string;
      /** Code of the provider as it was given, of at most 64 printable characters. */
      readonly providerCode?: string;
    };

/** Request to start a session. */
export interface IdentityRequest {
  readonly purpose: 'auth' | 'certificate' | 'sign';
  readonly channel: 'Sim' | 'App';
  /** Phone number for `Sim`, national number for `App`; empty where the provider asks itself. */
  readonly loginHint: string;
  readonly text: string;
  /** Language of the person: `is`, `en`, `sv`, …; absent: the usual one of the provider. */
  readonly language?: string;
  readonly includeVerificationCode: boolean;
  /** Where the person comes back to, on the same device. */
  readonly returnUrl?: string;
  readonly endUserIp?: string;
  /** With purpose `sign`. */
  readonly order?: EidSignOrder;
}

/** An electronic identity: logs persons in and signs with keys that only they control. */
export interface IdentityProvider {
  /** Name for the evidence, such as `simulator`. */
  readonly name: string;
  /** Test persons answer, whose identities and certificates prove nothing. */
  readonly isSimulated: boolean;
  /** Ways to reach a person whose identities come with the phone number. */
  readonly phoneChannels: readonly ('Sim' | 'App')[];
  /**
   * Milliseconds that a poll may take, so that only one at a time asks the provider; 0 where polls
   * at the same time do no harm.
   */
  readonly pollMs: number;
  /** How its signatures come; absent: it identifies only. */
  readonly signing?: EidSigning;
  /** True for a number that nobody has: a published one of a simulator. */
  isTestNumber?(loginHint: string): boolean;
  /**
   * Starts a login or signature.
   *
   * @throws authentication.error.idp.start, eid.provider.error when the provider refuses
   */
  start(request: IdentityRequest): Promise<IdentitySession>;
  poll(ref: string): Promise<IdentityAnswer>;
  /** The newest text for a QR code or link of a waiting session, for providers that change it. */
  refresh?(ref: string): Promise<string>;
  /** Ends a session upstream as far as that can be done; quiet whatever becomes of it. */
  cancel(ref: string): Promise<void>;
  /**
   * Takes the address with which the person came back; gives the reference from now on.
   *
   * @throws authentication.token.invalid when the address does not belong to the session
   */
  callback?(ref: string, url: URL): Promise<string>;
  /**
   * Certificates of the person for signatures; with `signing.certificate` `lookup`.
   *
   * @throws authentication.error.idp.start, eid.provider.error
   */
  findCertificates?(request: IdentityRequest): Promise<EidCertificates>;
  /** Configuration, certificates, reachability and clock, for the operator. */
  check?(): Promise<readonly EidFinding[]>;
  /** The signature of a session that is done. @throws authentication.token.invalid */
  signature(ref: string): Promise<EidSignature>;
  /** What a session of purpose `certificate` has given. @throws authentication.token.invalid */
  certificates(ref: string): Promise<EidCertificates>;
  /** What shows that the person has answered. @throws authentication.token.invalid */
  evidence(ref: string): Promise<EidEvidence>;
  /** Pseudonym of the person at the scheme. @throws authentication.token.invalid */
  subject?(ref: string): Promise<string>;
  /** What the evidence of a login shows. @throws EidError when it does not show the login */
  verifyEvidence?(evidence: EidEvidence, login: EidShownLogin): Promise<readonly EidFinding[]>;
}

/** Providers beside the one for SIM and app. */
export type ForeignScheme = 'eid-se' | 'eid-dk' | 'device-link';

/** Ways to log in or sign that a provider is chosen for. */
export type ServedMethod = 'Sim' | 'App' | ForeignScheme;

/** The providers of an installation where there are several. */
export interface IdentityProviders {
  /** The provider of a method for a flow, else for its company, else for all. */
  choose(
    method: ServedMethod,
    place: { readonly companyKey?: string | undefined; readonly flowKey?: string | undefined },
  ): IdentityProvider;
  /** The provider of that name, with which a session was started. */
  named(name: string): IdentityProvider | undefined;
}

/**
 * A register of persons: data about a person by their national number. Its methods throw
 * `register.unavailable`, `register.answer.invalid`, `register.configuration`,
 * `register.table.invalid` or `network.offline` when the look-up cannot be made; a person without
 * an entry is no error.
 */
export interface PersonRegister {
  /** The home address of a person; undefined for a person without an entry. */
  address(ssn: string): Promise<HomeAddress | undefined>;
  family(ssn: string): Promise<FamilyFacts | undefined>;
  /** True when a meter of a utility is known for the person. */
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
  /** Number of their row in the imported file. */
  readonly row: number;
}

/** Figures of an imported register. */
export interface RegisterFigures {
  readonly persons: number;
  /** Time of the import, epoch milliseconds. */
  readonly importedAtMs: number;
}

/** The imported register of persons, encrypted at rest. */
export interface RegisterTable {
  /** Figures of what is stored; undefined for nothing. @throws register.table.invalid */
  figures(): Promise<RegisterFigures | undefined>;
  /**
   * Replaces everything, durably and at once, or nothing when it throws.
   *
   * @param accept gets the number of persons before anything is replaced, and may throw
   * @throws validation.error when a number comes twice
   * @throws limit.exceeded, config.datadir.unusable, and what `persons` and `accept` throw
   */
  replace(
    persons: AsyncIterable<RegisterPerson>,
    importedAtMs: number,
    accept: (persons: number) => void,
  ): Promise<RegisterFigures>;
}

export type { SecondOpinion };

/** The signature of a document to check. */
export interface SignatureQuestion {
  /** Index among the `Signature` elements of XML-Signature, in document order: 0 for the first. */
  readonly index: number;
  /**
   * Serial number of the certificate whose key must match, hexadecimal; absent for a key without a
   * certificate.
   */
  readonly serialNumber?: string;
}

/** Another implementation of XML signatures. */
export interface XmlSignatureChecker {
  /** The answer for each signature; never throws for a document that it does not support. */
  check(
    xml: Uint8Array,
    questions: readonly SignatureQuestion[],
  ): Promise<readonly SecondOpinion[]>;
}

/**
 * Small named texts that lie beside the contents of documents, for all programs that share the
 * folder: which store it belongs to, and who uses it.
 */
export interface ContentsFolder {
  /** Address of the folder, for messages to the operator. */
  readonly place: string;
  /** The text of a mark; undefined for none. @throws store.unavailable */
  findMark(name: string): Promise<string | undefined>;
  /**
   * Writes a mark durably unless there is one, and gives the text that stands.
   *
   * @throws store.full, store.readonly, store.unavailable
   */
  putMarkOnce(name: string, text: string): Promise<string>;
  /** Writes a mark durably, in the place of the one before. @throws as {@link putMarkOnce} */
  putMark(name: string, text: string): Promise<void>;
  removeMark(name: string): Promise<void>;
}

/** The file with the key of the vault. */
export interface VaultKeyFile {
  /** Path of the file, for messages to the operator. */
  readonly place: string;
  /** The vault of the key; undefined when there is no file. @throws vault.invalid */
  open(): Promise<Vault | undefined>;
  /** As {@link open}; a key is made when there is none. */
  make(): Promise<Vault>;
}
