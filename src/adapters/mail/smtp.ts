import { readFileSync } from 'node:fs';
import type { Transporter } from 'nodemailer';
import type { Acceptance, Mailer, MailMessage } from '../../app/ports/index.ts';
import { CoreError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
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
  /** File with the password on its first line; read again after a login that failed. */
  readonly passwordFile?: string;
  /** The password itself, from a variable of the environment. */
  readonly password?: string;
  /** Name that this host gives itself. */
  readonly helloName?: string;
  /** For connecting, for the greeting and for silence in a conversation. */
  readonly timeoutMs?: number;
  /** Connections at once. */
  readonly connections?: number;
  /** How long a server is left alone that refused the login or the connection. */
  readonly restMs?: number;
}

const timeoutMsDefault = 20_000;
const restMsDefault = 15_000;
/** A whole conversation takes at most so many times that. */
const deadlineFactor = 4;

/**
 * A mailer over SMTP with a pool of connections. Certificates are verified; a password is never
 * sent over a connection without TLS, except to this machine. When the server cannot be used as it
 * is configured, mails fail for some seconds without another try: a thousand of them must not be a
 * thousand failed logins.
 *
 * @throws config.invalid when a password would go over an open line
 */
export function smtpMailer(options: SmtpOptions): Mailer {
  requireSafeLogin(options);
  const { restMs = restMsDefault } = options;
  let opened: Promise<Transporter> | undefined;
  let rest: { readonly untilMs: number; readonly error: CoreError } | undefined;
  const transport = () => {
    opened ??= openTransport(options);
    // A file that could not be read may be there for the next mail.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  const close = () => {
    const closing = opened;
    opened = undefined;
    void closing?.then(
      (transporter) => transporter.close(),
      () => undefined,
    );
  };
  const hand = async (mail: Handed): Promise<Acceptance> => {
    if (rest !== undefined && performance.now() < rest.untilMs) throw rest.error;
    try {
      const acceptance = await handOver(await transport(), mail, deadlineOf(options));
      rest = undefined;
      return acceptance;
    } catch (thrown) {
      const error = smtpError(thrown, options);
      if (concernsAll(error)) {
        rest = { untilMs: performance.now() + restMs, error };
        // The next one reads the password anew.
        close();
      }
      throw error;
    }
  };
  return {
    async send(message: MailMessage): Promise<Acceptance> {
      const mail = composeMail(message);
      const { bcc, ...main } = mail;
      const acceptance = await hand(main);
      // A copy is no second chance for the reader: it goes when they have theirs, and only then.
      if (message.bcc === undefined) return acceptance;
      const envelope = { ...mail.envelope, to: [message.bcc] };
      try {
        await hand({ ...main, envelope });
        return acceptance;
      } catch (error) {
        return { ...acceptance, copyFailure: smtpError(error, options) };
      }
    },
    close,
  };
}

/**
 * Tries all that a mail needs but the mail: connection, greeting, TLS with its certificate, and
 * the login when there is one. Takes at most four times `timeoutMs`.
 *
 * @throws mail.configuration, mail.unavailable, mail.failed with what was expected and found
 */
export async function checkSmtp(options: SmtpOptions): Promise<void> {
  requireSafeLogin(options);
  const transporter = await openTransport({ ...options, connections: 1 }, true);
  try {
    await withinDeadline(transporter.verify(), deadlineOf(options));
  } catch (error) {
    throw smtpError(error, options);
  } finally {
    transporter.close();
  }
}

type Handed = Omit<ComposedMail, 'bcc'>;

async function handOver(
  transporter: Transporter,
  mail: Handed,
  deadlineMs: number,
): Promise<Acceptance> {
  const info = await withinDeadline(transporter.sendMail(mail), deadlineMs);
  return { reference: String(info.messageId) };
}

/** The next mail would not even come to its sender. */
function concernsAll({ code, details }: CoreError): boolean {
  const isOfAll = code === 'mail.unavailable' || code === 'mail.configuration';
  return isOfAll && !mailSteps.has(details['step']);
}

const mailSteps: ReadonlySet<unknown> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

function deadlineOf({ timeoutMs = timeoutMsDefault }: SmtpOptions): number {
  return deadlineFactor * timeoutMs;
}

async function withinDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  // The other limits are for silence: a server that says a word now and then could go on for ever.
  const late = new Promise<never>((_, reject) => {
    const error = new CoreError('mail.failed', `the mail server took over ${deadlineMs} ms`);
    timer = setTimeout(() => reject(error), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function openTransport(options: SmtpOptions, forceAuth = false): Promise<Transporter> {
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
    ...(user === undefined ? {} : { auth: { user, pass: password }, forceAuth }),
    ...(helloName === undefined ? {} : { name: helloName }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Longer than that of the greeting, which says more: of a silent greeting no mail was taken.
    socketTimeout: timeoutMs + 1000,
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
    const message = 'the file of the mail password cannot be read (mail.passwordFile)';
    throw new CoreError('mail.configuration', message, {
      details: { file: passwordFile },
      hint: 'check its name and rights',
    });
  }
}

function requireSafeLogin({ host, tls, user }: SmtpOptions): void {
  if (user === undefined || tls !== 'none' || isLoopbackHost(host)) return;
  throw new CoreError('config.invalid', 'mail: expected TLS where a password is sent, found none', {
    hint: 'use starttls or implicit',
  });
}
