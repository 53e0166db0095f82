/** The words of one message in one language; handles in double braces. */
export interface MailWords {
  readonly subject: string;
  /** What happened or is asked, in one or two sentences. */
  readonly line: string;
}

/** Everything that is said in one language. */
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
  /** Nothing is to be signed any more. */
  readonly canceled: MailWords;
  /** How long a one-time code is good, and that it is secret. */
  readonly codeCare: string;
  /** Label of the link to the signing page. */
  readonly signLabel: string;
  /** Label of the link to the signed documents. */
  readonly openLabel: string;
  readonly until: string;
  /** The link is for the reader alone. */
  readonly personal: string;
  readonly attached: string;
  readonly reference: string;
  readonly sender: string;
  readonly unsubscribe: string;
  /** Text messages; the link follows the first two. */
  readonly signupSms: string;
  readonly reminderSms: string;
  readonly codeSms: string;
  /** Tells the same as {@link canceled}; no link follows. */
  readonly canceledSms: string;
}
