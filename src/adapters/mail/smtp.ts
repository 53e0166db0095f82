import { readFileSync } from 'node:fs';
import type { Transporter } from 'nodemailer';
import type { Acceptance, Mailer, MailMessage } from '../../app/ports/index.ts';
import { CoreError } from '../../base/errors.ts';
import { type ComposedMail, composeMail } from './compose.ts';
import { smtpError } from './smtp-error.ts';

/** Which SMTP server takes the mails, and how it is reached. */
export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first octet (465); `starttls`: required upgrade (587, 25). */
  readonly tls: 'implicit' | 'starttls' | 'none';
  /** PEM of authorities in the place of the built-in ones. */
  readonly ca?: string;
  readonly user?: string;
  /** File with the password on its first line. */
  readonly passwordFile?: string;
  /** The password itself, from a variable of the environment. */
  readonly password?: string;
  /** Name that this host gives itself. */
  readonly helloName?: string;
  /** For connecting, for the greeting and for silence in a conversation. */
  readonly timeoutMs?: number;
  /** Connections at once. */
  readonly connections?: number;
}

const timeoutMsDefault = 20_000;
/** A whole conversation takes at most so many times that. */
const deadlineFactor = 4;

/**
 * A mailer over SMTP with a pool of connections. Certificates are verified; a password is never
 * sent over a connection without TLS, except to this machine.
 *
 * @throws config.invalid when a password would go over an open line or its file cannot be read
 */
export function smtpMailer(options: SmtpOptions): Mailer {
  requireSafeLogin(options);
  const deadlineMs = deadlineFactor * (options.timeoutMs ?? timeoutMsDefault);
  let opened: Promise<Transporter> | undefined;
  const transport = () => {
    opened ??= openTransport(options);
    // A file that could not be read may be there for the next mail.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    async send(message: MailMessage): Promise<Acceptance> {
      const mail = composeMail(message);
      const { bcc, ...main } = mail;
      const transporter = await transport();
      const acceptance = await hand(transporter, main, deadlineMs);
      // A copy is no second chance for the reader: it goes when they have theirs, and only then.
      if (message.bcc === undefined) return acceptance;
      const envelope = { ...mail.envelope, to: [message.bcc] };
      try {
        await hand(transporter, { ...main, envelope }, deadlineMs);
        return acceptance;
      } catch (error) {
        return { ...acceptance, copyFailure: smtpError(error) };
      }
    },
    close() {
      void opened?.then(
        (transporter) => transporter.close(),
        () => undefined,
      );
      opened = undefined;
    },
  };
}

type Handed = Omit<ComposedMail, 'bcc'>;

async function hand(
  transporter: Transporter,
  mail: Handed,
  deadlineMs: number,
): Promise<Acceptance> {
  let timer: NodeJS.Timeout | undefined;
  // The other limits are for silence: a server that says a word now and then could go on for ever.
  const late = new Promise<never>((_, reject) => {
    const error = new CoreError('mail.failed', `the mail server took over ${deadlineMs} ms`);
    timer = setTimeout(() => reject(error), deadlineMs);
  });
  try {
    const info = await Promise.race([transporter.sendMail(mail), late]);
    return { reference: String(info.messageId) };
  } catch (error) {
    throw smtpError(error);
  } finally {
    clearTimeout(timer);
  }
}

async function openTransport(options: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, ca, user, helloName, timeoutMs = timeoutMsDefault } = options;
  const password = readPassword(options);
  return createTransport({
    pool: true,
    maxConnections: options.connections ?? 4,
    maxMessages: 100,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    },
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
    ...(helloName === undefined ? {} : { name: helloName }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
}

function readPassword({ password, passwordFile }: SmtpOptions): string {
  if (passwordFile === undefined) return password ?? '';
  try {
    return readFileSync(passwordFile, 'utf8').split(/\r?\n/)[0] ?? '';
  } catch {
    throw new CoreError('config.invalid', `the file of the mail password cannot be read`, {
      details: { file: passwordFile },
      hint: 'check its name and rights',
    });
  }
}

function requireSafeLogin({ host, tls, user }: SmtpOptions): void {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host);
  if (user === undefined || tls !== 'none' || isHere) return;
  throw new CoreError('config.invalid', 'mail: expected TLS where a password is sent, found none', {
    hint: 'use starttls or implicit',
  });
}
