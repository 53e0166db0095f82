import { CoreError, isCoreError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { systemWords } from '../../base/system-words.ts';

/** What nodemailer tells of a failure. */
interface SmtpFailure {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
  readonly timeoutType?: unknown;
}

/** What the server answered to which command. */
interface SmtpAnswer {
  readonly status: number;
  /** Enhanced status code such as `5.7.1`; empty without one. */
  readonly enhanced: string;
  /** `AUTH PLAIN`, `MAIL FROM` …; `CONN` for the greeting. */
  readonly command: string;
  /** Name of nodemailer for the failure. */
  readonly name: string;
  /** The words of the server, which may hold addresses: looked at and never told. */
  readonly words: string;
  /** What to do about TLS. */
  readonly tlsHint: string;
}

const loginStatuses: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** Neither a size nor a number of recipients is a matter of settings. RFC 3463 §3.3, §3.4 */
const aboutSize = /^5\.(2\.3|3\.4)$/;
/** DKIM, SPF, reverse DNS and the right to send under an address. RFC 7372 §3 */
const aboutSender = /^5\.7\.(2\d|60)$/;
const beforeMail: ReadonlySet<unknown> = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);
const absence = /\b(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EAI_AGAIN)\b/;

/**
 * The error for a failure of SMTP, by who can put it right: `mail.refused` when the server will
 * never take this mail for this recipient, `mail.configuration` when settings or the rules of the
 * server keep it from taking any, `mail.unavailable` when it cannot be reached or takes none at the
 * moment, and `mail.failed` for what may pass with this mail. It quotes codes and no text of the
 * server, which may hold addresses.
 *
 * @param server the one that was talked to: without TLS only that of this machine is used
 * @spec RFC 5321 §4.2.1, RFC 3463 §2
 */
export function smtpError(error: unknown, server: { readonly host: string }): CoreError {
  if (isCoreError(error)) return error;
  const failure = (typeof error === 'object' && error !== null ? error : {}) as SmtpFailure;
  const name = typeof failure.code === 'string' ? failure.code : 'unknown';
  const command = typeof failure.command === 'string' ? failure.command : '';
  if (typeof failure.responseCode === 'number') {
    const words = String(failure.response ?? '');
    const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1] ?? '';
    const status = failure.responseCode;
    return answerError({ status, enhanced, command, name, words, tlsHint: tlsHintFor(server) });
  }
  if (name === 'EENVELOPE' || name === 'EMESSAGE') {
    return new CoreError('mail.refused', 'the mail has no address or content that can be sent');
  }
  const message = String((error as { message?: unknown })?.message ?? '');
  return connectionError(name, message, failure, tlsHintFor(server));
}

function answerError(answer: SmtpAnswer): CoreError {
  const { status, enhanced, command } = answer;
  const [code, why, hint] = judgeAnswer(answer);
  const shown = `${status}${enhanced === '' ? '' : ` ${enhanced}`}`;
  const step = commandWords(command);
  const to = step === 'CONN' ? '' : ` to ${step}`;
  const reason = why === '' ? '' : `, ${why}`;
  return new CoreError(code, `the mail server answered ${shown}${to}${reason}`, {
    details: { status, step },
    ...(hint === undefined ? {} : { hint }),
  });
}

type MailCode = 'mail.refused' | 'mail.configuration' | 'mail.unavailable' | 'mail.failed';
type Judgement = readonly [code: MailCode, why: string, hint?: string];

function judgeAnswer(answer: SmtpAnswer): Judgement {
  const { status, enhanced, command, name, words, tlsHint } = answer;
  const isFinal = status >= 500;
  // At the address or the text of one mail it is about that mail: relays slow down single readers.
  const isOwn = command === 'RCPT TO' || command === 'DATA';
  if (status === 421)
    return [isOwn ? 'mail.failed' : 'mail.unavailable', 'it closes the connection'];
  if (command === 'STARTTLS') {
    return ['mail.configuration', 'expected STARTTLS, found none', tlsHint];
  }
  if (name === 'EAUTH' || name === 'ENOAUTH' || loginStatuses.has(status)) {
    if (!isFinal) return ['mail.unavailable', 'it cannot check the login now'];
    return ['mail.configuration', 'it does not accept the login', loginHint];
  }
  switch (command) {
    case 'MAIL FROM':
      if (!isFinal) return ['mail.unavailable', 'it takes no mail now'];
      if (status === 552 || aboutSize.test(enhanced)) return ['mail.refused', ''];
      return ['mail.configuration', 'it does not accept the sender', senderHint];
    case 'RCPT TO':
      if (!isFinal) return ['mail.failed', ''];
      if (/^5\.7\./.test(enhanced) || /\brelay|rcpthosts/i.test(words)) {
        return ['mail.configuration', 'it does not let us send to that address', relayHint];
      }
      return ['mail.refused', ''];
    case 'DATA':
      if (!isFinal) return ['mail.failed', ''];
      if (!aboutSender.test(enhanced)) return ['mail.refused', ''];
      return ['mail.configuration', 'it does not accept the sender', senderHint];
    default:
      if (!isFinal) return ['mail.unavailable', ''];
      return ['mail.configuration', 'it does not serve this machine', 'ask who runs it'];
  }
}

const loginHint = 'check mail.user and the file of mail.passwordFile';
const senderHint = 'check mail.from, and SPF and DKIM of its domain';
const relayHint = 'check mail.user, mail.from and whether the server may send for this machine';

function tlsHintFor({ host }: { readonly host: string }): string {
  const hint = 'check port and kind of TLS: smtps:// for TLS from the start, mostly port 465';
  if (!isLoopbackHost(host)) return hint;
  const without = 'smtp:// and ?tls=none at the end of mail.server';
  return `${hint}; a server of this machine may do without: ${without}`;
}

/** `AUTH PLAIN` carries what must not be told behind its first word. */
function commandWords(command: string): string {
  const known = /^(MAIL FROM|RCPT TO)/.exec(command)?.[1];
  return known ?? (command.split(' ')[0] || 'CONN');
}

function connectionError(
  name: string,
  message: string,
  { timeoutType }: SmtpFailure,
  tlsHint: string,
): CoreError {
  const why = causeOf(name, message);
  const text = `the mail server cannot be used now: ${why}`;
  const fault = settingFault(name, message, tlsHint);
  if (fault !== undefined) return new CoreError('mail.configuration', text, { hint: fault });
  const hint = 'check host, port and kind of TLS';
  // Of a connection that breaks later nobody knows whether the mail was taken.
  const isAbsent = absence.test(message) || absence.test(name) || beforeMail.has(timeoutType);
  return new CoreError(isAbsent ? 'mail.unavailable' : 'mail.failed', text, { hint });
}

/** What to look at when a setting must be wrong, whatever becomes of the server. */
function settingFault(name: string, message: string, tlsHint: string): string | undefined {
  if (/certificate|self.signed|altnames/i.test(message)) {
    return 'the certificate of the server is not trusted: name its authority, or mend it';
  }
  if (/ENOTFOUND/.test(message) || name === 'ENOTFOUND') return 'check the name of the mail server';
  if (/wrong version number/i.test(message)) return tlsHint;
  if (name === 'ETLS' && !/closed unexpectedly/i.test(message)) return tlsHint;
  if (name === 'EAUTH' || name === 'ENOAUTH') return loginHint;
  return undefined;
}

/** The code of the system stands in the message only: that of nodemailer took its place. */
function causeOf(name: string, message: string): string {
  const [code] = /\bE(?:AI_)?[A-Z]{4,}\b/.exec(message) ?? [];
  if (code !== undefined) return systemWords(code);
  if (/altnames/i.test(message)) return systemWords('ERR_TLS_CERT_ALTNAME_INVALID');
  if (/certificate|self.signed/i.test(message)) return `its certificate is not trusted (${name})`;
  if (/wrong version number/i.test(message)) return systemWords('ERR_SSL_WRONG_VERSION_NUMBER');
  if (name === 'ETLS') return 'it offers no TLS (ETLS)';
  return systemWords(name);
}
