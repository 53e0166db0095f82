import type { ReportWords } from './report-words.types.ts';

/** The words of one message in one language; handles in double braces. */
export interface MailWords {
  readonly subject: string;
  /** The event or the request, in one or two sentences. */
  readonly line: string;
}

/** All texts of one language. */
export interface LanguageTexts {
  readonly greeting: string;
  /** For readers whose name is not known. */
  readonly plainGreeting: string;
  readonly signup: MailWords;
  readonly reminder: MailWords;
  readonly code: MailWords;
  readonly notification: MailWords;
  readonly confirmation: MailWords;
  readonly salesPerson: MailWords;
  /** For a process that was cancelled: there is nothing left to sign. */
  readonly canceled: MailWords;
  /** Validity period of a one-time code, with the advice to keep it secret. */
  readonly codeCare: string;
  /** Label of the link to the signing page. */
  readonly signLabel: string;
  /** Label of the link to the signed documents. */
  readonly openLabel: string;
  readonly until: string;
  /** The link is for the reader alone. */
  readonly personal: string;
  readonly attached: string;
  /** Label of the link to the page that checks files. */
  readonly checkLabel: string;
  readonly reference: string;
  readonly sender: string;
  readonly unsubscribe: string;
  /** Text messages; the link follows the first two. */
  readonly signupSms: string;
  readonly reminderSms: string;
  readonly codeSms: string;
  /** Tells the same as {@link canceled}; no link follows. */
  readonly canceledSms: string;
  /** Of a document that a customer brought: to be signed, and no longer. */
  readonly brought: MailWords;
  readonly broughtEnded: string;
}

/** The words of a stamp in one language. */
export interface StampWords {
  /** Name of the evidence an organisation creates, in the language version of eIDAS. */
  readonly seal: string;
  /** Name of the evidence a natural person creates. */
  readonly signature: string;
  readonly reason: string;
  readonly location: string;
  readonly time: string;
  /** Between a word and what it announces. */
  readonly colon: string;
  /** `YYYY MM DD hh mm ss` with the separators and order of the language; `D`, `M` unpadded. */
  readonly timePattern: string;
}

/** The words of the evidence page in one language. */
export interface EvidenceWords {
  readonly title: string;
  readonly simulated: string;
  readonly intro: string;
  /** Numbers and addresses are masked in copies for signees. */
  readonly copy: string;
  readonly page: string;
  /** Behind a heading that stood on the page before. */
  readonly continued: string;
  /** Statement that all have signed; the level of the seal follows. */
  readonly result: string;
  readonly document: string;
  readonly signees: string;
  readonly signatures: string;
  readonly steps: string;
  readonly deliveries: string;
  readonly chain: string;
  readonly more: string;
  /** The document that was signed is the one that was shown. */
  readonly sameAsSigned: string;
  /** The service showed nothing before the signature. */
  readonly notShown: string;
  /** Warning: the name from the login differs from the name of the signee. */
  readonly otherName: string;
  readonly otherThanLink: string;
  readonly byLink: string;
  /** The same for persons who were named on a public form. */
  readonly otherThanForm: string;
  readonly byForm: string;
  /** A customer brought the document. */
  readonly brought: string;
  readonly labels: Readonly<Record<EvidenceLabel, string>>;
}

/** Labels in front of values. */
export type EvidenceLabel =
  | 'fileName'
  | 'process'
  | 'flow'
  | 'company'
  | 'createdAt'
  | 'createdBy'
  | 'madeAt'
  | 'timeZone'
  | 'original'
  | 'signed'
  | 'sealed'
  | 'record'
  | 'identity'
  | 'personalCode'
  | 'email'
  | 'phone'
  | 'type'
  | 'reason'
  | 'invitedAt'
  | 'viewedAt'
  | 'authenticatedAt'
  | 'signedAt'
  | 'method'
  | 'shown'
  | 'signedBytes'
  | 'field'
  | 'signee'
  | 'ip'
  | 'userAgent'
  | 'session'
  | 'certificate'
  | 'certificateName'
  | 'issuer'
  | 'serialNumber'
  | 'rows'
  | 'head'
  | 'lastRoot'
  | 'checkUrl';

/** What a person is told while they log in or sign by electronic identity. */
export interface EidWords {
  readonly scan: string;
  readonly openLink: string;
  readonly openPage: string;
  readonly compare: string;
  /** The provider waits for the person to open their app. */
  readonly begin: string;
  readonly started: string;
  readonly confirm: string;
  /** Any other step. */
  readonly waiting: string;
  /** `{{time}}` is minutes and seconds: `2:59`. */
  readonly timeLeft: string;
  readonly loggedIn: string;
  readonly canceled: string;
  readonly expired: string;
  readonly wrongPerson: string;
  readonly noIdentity: string;
  readonly unavailable: string;
  /** Any other failure. */
  readonly failed: string;
  /** For those who come back to a terminal from the page of their provider. */
  readonly returned: string;
  readonly notReturned: string;
}

/** Means by which a signature was made. */
export type SigningMethod = 'eid' | 'code' | 'click';

/** All texts of one language: the content of a file of `locales`. */
export interface Locale {
  /** BCP 47 tag, for dates. */
  readonly tag: string;
  /** Words of visible seals and signatures. */
  readonly seal: StampWords;
  /** Each way to sign, as the visible signature names it. */
  readonly methods: Readonly<Record<SigningMethod, string>>;
  /** Logins and signatures by electronic identity. */
  readonly eid: EidWords;
  /** Mails and text messages. */
  readonly messages: LanguageTexts;
  /** The evidence page. */
  readonly evidence: EvidenceWords;
  /** Validation reports. */
  readonly report: ReportWords;
  /** What documents say of values that are true or false. */
  readonly answers: { readonly yes: string; readonly no: string };
  /** Names of the records of the service; others are shown as they are. */
  readonly terms: Readonly<Record<string, string>>;
}
