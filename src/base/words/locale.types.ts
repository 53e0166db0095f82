import type { ReportWords } from './report-words.types.ts';

/** Texts of one message in one language, with placeholders in double braces. */
export interface MailWords {
  readonly subject: string;
  /** The event or the request, in one or two sentences. */
  readonly line: string;
}

/** Texts of all mails and text messages in one language. */
export interface LanguageTexts {
  readonly greeting: string;
  /** Greeting for readers whose name is unknown. */
  readonly plainGreeting: string;
  readonly signup: MailWords;
  readonly reminder: MailWords;
  readonly code: MailWords;
  readonly notification: MailWords;
  readonly confirmation: MailWords;
  readonly salesPerson: MailWords;
  /** For a cancelled process: nothing is left to sign. */
  readonly canceled: MailWords;
  /** Validity period of a one-time code, with the advice to keep it secret. */
  readonly codeCare: string;
  /** Label of the link to the signing page. */
  readonly signLabel: string;
  /** Label of the link to the signed documents. */
  readonly openLabel: string;
  readonly until: string;
  /** Note that the link is for the recipient only. */
  readonly personal: string;
  readonly attached: string;
  /** Label of the link to the page that verifies files. */
  readonly checkLabel: string;
  readonly reference: string;
  readonly sender: string;
  readonly unsubscribe: string;
  /** Text messages. The link follows the first two. */
  readonly signupSms: string;
  readonly reminderSms: string;
  readonly codeSms: string;
  /** Same as {@link canceled}, as a text message without a link. */
  readonly canceledSms: string;
  /** For a document supplied by a customer: to be signed, and no longer. */
  readonly brought: MailWords;
  readonly broughtEnded: string;
}

/** Texts of a stamp in one language. */
export interface StampWords {
  /** Term for an organisation's electronic seal, as in this language version of eIDAS. */
  readonly seal: string;
  /** Term for a natural person's electronic signature. */
  readonly signature: string;
  readonly reason: string;
  readonly location: string;
  readonly time: string;
  /** Separator between a label and its value. */
  readonly colon: string;
  /** `YYYY MM DD hh mm ss` with the separators and order of the language; `D`, `M` unpadded. */
  readonly timePattern: string;
}

/** Texts of the evidence page in one language. */
export interface EvidenceWords {
  readonly title: string;
  readonly simulated: string;
  readonly intro: string;
  /** Note that numbers and addresses are masked in copies for signees. */
  readonly copy: string;
  readonly page: string;
  /** Appended to a heading that is repeated from the previous page. */
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
  /** The signed document is the one that was shown. */
  readonly sameAsSigned: string;
  /** The service showed nothing before the signature. */
  readonly notShown: string;
  /** Warning: the name from the login differs from the name of the signee. */
  readonly otherName: string;
  readonly otherThanLink: string;
  readonly byLink: string;
  /** The same for persons named in a public form. */
  readonly otherThanForm: string;
  readonly byForm: string;
  /** Note that a customer supplied the document. */
  readonly brought: string;
  readonly labels: Readonly<Record<EvidenceLabel, string>>;
}

/** Labels of values. */
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

/** Texts shown to a person during a login or signature by electronic identity. */
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
  /** For users who return to a terminal from the page of their provider. */
  readonly returned: string;
  readonly notReturned: string;
}

/** Means of signing. */
export type SigningMethod = 'eid' | 'code' | 'click';

/** All texts of one language: the content of a file in `locales`. */
export interface Locale {
  /** BCP 47 tag, for dates. */
  readonly tag: string;
  /** Texts of visible seals and signatures. */
  readonly seal: StampWords;
  /** Names of the means of signing in visible signatures. */
  readonly methods: Readonly<Record<SigningMethod, string>>;
  /** Texts of logins and signatures by electronic identity. */
  readonly eid: EidWords;
  /** Texts of mails and text messages. */
  readonly messages: LanguageTexts;
  /** Texts of the evidence page. */
  readonly evidence: EvidenceWords;
  /** Texts of validation reports. */
  readonly report: ReportWords;
  /** Texts for boolean values in documents. */
  readonly answers: { readonly yes: string; readonly no: string };
  /** Display names of identifiers in records of the service. Others are shown unchanged. */
  readonly terms: Readonly<Record<string, string>>;
}
