import { CoreError, isCoreError } from '../../base/errors.ts';
import { systemWords } from '../../base/system-words.ts';

/** What nodemailer tells of a failure. */
interface SmtpFailure {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

const loginCodes = new Set([454, 530, 534, 535, 538]);
const messageCommands = /^(MAIL FROM|RCPT TO|DATA|API)/;

/**
 * The error for a failure of SMTP: `mail.refused` when the server says for good (5xx) that it will
 * not take this mail, else `mail.failed`: what is wrong with the server or the login may be put
 * right. It quotes codes and no text of the server, which may hold addresses.
 *
 * @spec RFC 5321 §4.2.1, RFC 3463 §2
 */
export function smtpError(error: unknown): CoreError {
  if (isCoreError(error)) return error;
  const failure = (typeof error === 'object' && error !== null ? error : {}) as SmtpFailure;
  const status = typeof failure.responseCode === 'number' ? failure.responseCode : undefined;
  const command = typeof failure.command === 'string' ? failure.command : '';
  const name = typeof failure.code === 'string' ? failure.code : 'unknown';
  if (status !== undefined && status >= 500 && !isAboutLogin(status, name)) {
    if (messageCommands.test(command)) {
      const answer = `${status}${enhancedCode(failure.response)}`;
      return new CoreError('mail.refused', `the mail server answered ${answer} to ${command}`, {
        details: { status },
      });
    }
  }
  if (status !== undefined) return temporary(status, command, name, failure.response);
  if (name === 'EENVELOPE' || name === 'EMESSAGE') {
    return new CoreError('mail.refused', 'the mail has no address or content that can be sent');
  }
  const message = String((error as { message?: unknown })?.message ?? '');
  const hint = hintFor(name, message);
  const why = causeOf(name, message);
  return new CoreError('mail.failed', `the mail server cannot be used now: ${why}`, {
    ...(hint === undefined ? {} : { hint }),
  });
}

function temporary(status: number, command: string, name: string, response: unknown): CoreError {
  const answer = `${status}${enhancedCode(response)}`;
  const step = command === '' ? '' : ` to ${command.split(' ')[0]}`;
  const isLogin = isAboutLogin(status, name);
  const why = isLogin ? ', it does not accept the login' : '';
  return new CoreError('mail.failed', `the mail server answered ${answer}${step}${why}`, {
    details: { status },
    ...(isLogin ? { hint: 'check user and password of the mail server' } : {}),
  });
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

function isAboutLogin(status: number, name: string): boolean {
  return name === 'EAUTH' || name === 'ENOAUTH' || loginCodes.has(status);
}

function enhancedCode(response: unknown): string {
  const found = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? ''));
  return found === null ? '' : ` ${found[1]}`;
}

function hintFor(name: string, message: string): string | undefined {
  if (/certificate|self.signed|altnames/i.test(message)) {
    return 'the certificate of the server is not trusted: name its authority, or mend it';
  }
  if (name === 'ETLS') return 'the server does not offer STARTTLS: check port and kind of TLS';
  if (name === 'EDNS') return 'check the name of the mail server';
  if (name === 'ECONNECTION' || name === 'ESOCKET' || name === 'ETIMEDOUT') {
    return 'check host, port and kind of TLS';
  }
  return undefined;
}
