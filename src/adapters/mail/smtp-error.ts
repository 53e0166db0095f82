import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { osErrorText } from '../../base/os-errors.ts';

/** Members of an error of nodemailer. */
interface SmtpFailure {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/**
 * Stage of an SMTP session: before the login, before the content of a mail, or in the content. Only
 * after the content has started is it unknown whether the server accepted the mail.
 */
export type SmtpStage = 'session' | 'envelope' | 'text';

/** Status of a server reply, and the command it belongs to. */
interface SmtpAnswer {
  readonly status: number;
  /** Enhanced status code such as `5.7.1`; empty if there is none. */
  readonly enhanced: string;
  /** For example `AUTH PLAIN` or `MAIL FROM`; `CONN` for the greeting. */
  readonly command: string;
  /** nodemailer's error code. */
  readonly name: string;
  /** Text of the reply. It may contain addresses, so it is examined but never shown. */
  readonly words: string;
  readonly tlsHint: string;
}

const loginStatuses: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** A size or number of recipients: no fault of the settings. RFC 3463 §3.3, §3.4 */
const aboutSize = /^5\.(2\.3|3\.4)$/;
const wordsOfSize = /\bsize\b|too (large|big)/i;
/** The mailbox, its domain, or the route to it. RFC 3463 §3.2, §3.3, §3.5 */
const aboutRecipient = /^5\.(1\.([1236]|10)|2\.\d+|4\.4)$/;
/** Terms that indicate a rejection of the sender or client, without a specific enhanced code. */
const clientTerms =
  /sender|\bfrom\b|\bhelo\b|\behlo\b|client|auth|log ?in|relay|rcpthosts|denied|block|listed/i;
/** Sender address, DKIM, SPF, reverse DNS, and sending limits. RFC 3463, RFC 7372 §3 */
const aboutSender = /^5\.(1\.[78]|2\.252|4\.\d+|7\.(0|2\d|60))$/;
const wordsOfSender = /\brelay|verif|limit|quota|\b(spf|dkim|dmarc)\b/i;

/**
 * Converts an SMTP failure to an error that indicates the remedy: `mail.refused` if the server will
 * never accept this mail for this recipient, `mail.configuration` if settings or policies of the
 * server prevent it from accepting any mail, `mail.unavailable` if the server is unreachable or
 * temporarily accepts no mail, and `mail.failed` if this mail may succeed later. The message quotes
 * codes but no text of the server, which may contain addresses.
 *
 * @param server the server contacted; TLS may be disabled only for a server on this machine
 * @spec RFC 5321 §4.2.1, RFC 3463 §2
 */
export function smtpError(
  error: unknown,
  stage: SmtpStage,
  server: { readonly host: string },
): InnsigliError {
  if (isInnsigliError(error)) return error;
  const failure = (typeof error === 'object' && error !== null ? error : {}) as SmtpFailure;
  const name = typeof failure.code === 'string' ? failure.code : 'unknown';
  const command = typeof failure.command === 'string' ? failure.command : '';
  if (typeof failure.responseCode === 'number' && isRefusal(failure.responseCode)) {
    const words = String(failure.response ?? '');
    const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1] ?? '';
    const status = failure.responseCode;
    const tlsHint = tlsHintFor(server);
    return answerError({ status, enhanced, command, name, words, tlsHint }, stage);
  }
  // The mail was not attempted: it has no address, or exceeds the size announced by the server.
  const isOurs = command === 'API' ? name === 'EENVELOPE' : command === 'MAIL FROM';
  if (isOurs && failure.response === undefined) {
    return new InnsigliError('mail.refused', 'the mail has no valid address or content');
  }
  const message = String((error as { message?: unknown })?.message ?? '');
  return connectionError(name, message, stage, tlsHintFor(server));
}

/** The error for a server that keeps responding but does not finish in time. */
export function deadlineError(timeMs: number, stage: SmtpStage): InnsigliError {
  return new InnsigliError(codeOfBreak(stage), `the mail server took more than ${timeMs} ms`, {
    details: { timeMs },
  });
}

/** Whether the server replied and the session can continue. */
export function isAnswered(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: unknown };
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isOfMail && isRefusal(responseCode) && responseCode !== 421;
}

/** Whether the connection was lost before the content of the mail, without a reply. */
export function isCutOff({ code, details }: InnsigliError): boolean {
  return code === 'mail.unavailable' && Object.keys(details).length === 0;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 600;
}

function codeOfBreak(stage: SmtpStage): 'mail.unavailable' | 'mail.failed' {
  return stage === 'text' ? 'mail.failed' : 'mail.unavailable';
}

function answerError(answer: SmtpAnswer, stage: SmtpStage): InnsigliError {
  const { status, enhanced, command } = answer;
  const [code, why, hint] = checkAnswer(answer, stage);
  const shown = `${status}${enhanced === '' ? '' : ` ${enhanced}`}`;
  const step = commandWords(command);
  const to = step === 'CONN' ? '' : ` to ${step}`;
  const reason = why === '' ? '' : `, ${why}`;
  return new InnsigliError(code, `the mail server returned ${shown}${to}${reason}`, {
    details: { status, step },
    ...defined({ hint }),
  });
}

type MailCode = 'mail.refused' | 'mail.configuration' | 'mail.unavailable' | 'mail.failed';
type Conclusion = readonly [code: MailCode, why: string, hint?: string];

function checkAnswer(answer: SmtpAnswer, stage: SmtpStage): Conclusion {
  const { status, enhanced, command, name, tlsHint } = answer;
  const isFinal = status >= 500;
  if (status === 421) return [codeOfBreak(stage), 'it closed the connection'];
  if (command === 'STARTTLS') {
    return ['mail.configuration', 'expected STARTTLS, found none', tlsHint];
  }
  if (name === 'EAUTH' || name === 'ENOAUTH' || loginStatuses.has(status)) {
    if (!isFinal) return ['mail.unavailable', 'it cannot verify the login at the moment'];
    return ['mail.configuration', 'it does not accept the login', loginHint];
  }
  switch (command) {
    case 'MAIL FROM':
      if (!isFinal) return ['mail.unavailable', 'it accepts no mail at the moment'];
      if (status === 552 || aboutSize.test(enhanced)) return ['mail.refused', ''];
      return ['mail.configuration', 'it does not accept the sender', senderHint];
    case 'RCPT TO':
      return checkRecipient(answer);
    case 'DATA':
      return checkText(answer, stage);
    default:
      if (!isFinal) return ['mail.unavailable', ''];
      return ['mail.configuration', 'it does not serve this machine', 'ask its operator'];
  }
}

/** Many servers reject the client, its name or the sender only at this point. */
function checkRecipient({ status, enhanced, words }: SmtpAnswer): Conclusion {
  if (status < 500) return ['mail.failed', ''];
  if (aboutRecipient.test(enhanced)) return ['mail.refused', ''];
  const isBare = enhanced === '' || enhanced === '5.0.0';
  if (isBare && /^55[013]$/.test(`${status}`) && !clientTerms.test(words))
    return ['mail.refused', ''];
  // Same meaning as 452. RFC 5321 §4.5.3.1.10
  if (isBare && status === 552) return ['mail.failed', ''];
  if (/^5\.3\./.test(enhanced)) return ['mail.unavailable', 'it accepts no mail at the moment'];
  return ['mail.configuration', 'it does not allow mail to this address', relayHint];
}

function checkText({ status, enhanced, words }: SmtpAnswer, stage: SmtpStage): Conclusion {
  if (status < 500) return ['mail.failed', ''];
  if (status === 552 || aboutSize.test(enhanced)) return ['mail.refused', ''];
  if (/^5\.3\./.test(enhanced)) return ['mail.unavailable', 'it accepts no mail at the moment'];
  // A rejection before the content cannot be caused by the content.
  if (stage === 'text' && !aboutSender.test(enhanced)) {
    if (wordsOfSize.test(words) || !wordsOfSender.test(words)) return ['mail.refused', ''];
  }
  return ['mail.configuration', 'it does not accept the sender', senderHint];
}

const loginHint = 'check mail.user and the file of mail.passwordFile';
const senderHint =
  'check mail.from, SPF and DKIM of its domain, and the sending limits of the server';
const relayHint = 'check mail.user, mail.from and the relay permissions of this machine';

function tlsHintFor({ host }: { readonly host: string }): string {
  const hint = 'check port and type of TLS: smtps:// for implicit TLS, usually port 465';
  if (!isLoopbackHost(host)) return hint;
  const without = 'smtp:// and ?tls=none at the end of mail.server';
  return `${hint}; for a server on this machine TLS is optional: ${without}`;
}

/** The arguments of `AUTH PLAIN` contain credentials, so only the verb is shown. */
function commandWords(command: string): string {
  const known = /^(MAIL FROM|RCPT TO)/.exec(command)?.[1];
  return known ?? (command.split(' ')[0] || 'CONN');
}

function connectionError(
  name: string,
  message: string,
  stage: SmtpStage,
  tlsHint: string,
): InnsigliError {
  const text = `the mail server cannot be used at the moment: ${causeOf(name, message)}`;
  const fault = settingFault(name, message, tlsHint);
  if (fault !== undefined) return new InnsigliError('mail.configuration', text, { hint: fault });
  return new InnsigliError(codeOfBreak(stage), text, { hint: 'check host, port and type of TLS' });
}

/** Hint for an incorrect setting; undefined if the cause may be the state of the server. */
function settingFault(name: string, message: string, tlsHint: string): string | undefined {
  if (/certificate|self.signed|altnames/i.test(message)) {
    return 'configure the authority of the server certificate, or correct it: it is not trusted';
  }
  if (/ENOTFOUND/.test(message) || name === 'ENOTFOUND') return 'check the name of the mail server';
  if (/wrong version number/i.test(message)) return tlsHint;
  if (name === 'ETLS' && !/closed unexpectedly/i.test(message)) return tlsHint;
  if (name === 'EAUTH' || name === 'ENOAUTH') return loginHint;
  return undefined;
}

/** Only the message has the system error code, because nodemailer replaces `code` with its own. */
function causeOf(name: string, message: string): string {
  const [code] = /\bE(?:AI_)?[A-Z]{4,}\b/.exec(message) ?? [];
  if (code !== undefined) return osErrorText(code);
  if (/altnames/i.test(message)) return osErrorText('ERR_TLS_CERT_ALTNAME_INVALID');
  if (/certificate|self.signed/i.test(message)) return `its certificate is not trusted (${name})`;
  if (/wrong version number/i.test(message)) return osErrorText('ERR_SSL_WRONG_VERSION_NUMBER');
  if (name === 'EDNS') return 'its name cannot be resolved in time (EDNS)';
  if (name === 'ETLS') return 'it does not offer TLS (ETLS)';
  if (name === 'ECONNECTION') return 'it closed the connection (ECONNECTION)';
  if (/^(EPROTOCOL|EENVELOPE|EMESSAGE)$/.test(name))
    return `it sent a malformed response (${name})`;
  return osErrorText(name);
}
