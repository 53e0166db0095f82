import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import type { SMTPConnectionOptions, SMTPEnvelope } from 'nodemailer/lib/smtp-connection/index.js';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { readTextNow } from '../read-file.ts';
import { deadlineError, isAnswered, type SmtpStage, smtpError } from './smtp-error.ts';

/** Options of the SMTP client. */
export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte (465); `starttls`: required upgrade (587, 25). */
  readonly tls: 'implicit' | 'starttls' | 'none';
  /** PEM of authorities that replace the built-in ones. */
  readonly ca?: string;
  readonly user?: string;
  /** File with the password on its first line, read for each connection. */
  readonly passwordFile?: string;
  /** The password itself, from an environment variable. */
  readonly password?: string;
  /**
   * Timeout in milliseconds for connecting, and for the greeting. The login, and the steps before
   * the content of a mail, may each take four times as long.
   */
  readonly timeoutMs?: number;
  /** Timeout in milliseconds for the content of a mail and the reply to it. */
  readonly textTimeoutMs?: number;
  /** Maximum number of connections. */
  readonly connections?: number;
  /** Pause after a failed connection or login, in milliseconds. */
  readonly restMs?: number;
}

/** A mail with its envelope. */
export interface PostedMail {
  readonly envelope: SMTPEnvelope;
  readonly bytes: Uint8Array;
}

/** A connection on which mails are sent one after another. */
export interface SmtpSession {
  /** Whether another mail can be sent. */
  readonly isOpen: boolean;
  /** Number of mails sent or rejected. */
  readonly mails: number;
  /**
   * Resolves when the server has accepted the mail. After a failure that is not a reply, the
   * connection is closed, so that nothing of the mail is sent later.
   *
   * @throws mail.* depending on the remedy
   */
  send(mail: PostedMail): Promise<void>;
  /** Closes the connection immediately. */
  close(): void;
}

const TIMEOUT_MS = 20_000;
/** A server that sends a few bytes now and then could otherwise keep a session open forever. */
const DEADLINE_FACTOR = 4;
/** Timeout for the reply to the complete content of a mail. @spec RFC 5321 §4.5.3.2.6 */
const TEXT_TIMEOUT_MS = 600_000;

/**
 * Connects and logs in.
 *
 * @param mustLogin whether a server that does not offer a login is rejected; otherwise mails are
 * sent without one
 * @throws mail.configuration, mail.unavailable
 */
export async function openSession(options: SmtpOptions, mustLogin = false): Promise<SmtpSession> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection/index.js');
  const { user, timeoutMs = TIMEOUT_MS, textTimeoutMs = TEXT_TIMEOUT_MS } = options;
  const pass = readPassword(options);
  const deadlineMs = DEADLINE_FACTOR * timeoutMs;
  const connection = new Connection(connectionOptions(options, deadlineMs + textTimeoutMs));
  const { within, reach } = withDeadlines(connection, options);
  const connected = async () => {
    await promised((done) => connection.connect(done));
    if (user === undefined || !(connection.allowsAuth || mustLogin)) return;
    await promised((done) => connection.login({ user, credentials: { user, pass } }, done));
  };
  await within(deadlineMs, connected());
  let mails = 0;
  let needsReset = false;
  return {
    get isOpen() {
      return !connection.destroyed;
    },
    get mails() {
      return mails;
    },
    async send({ envelope, bytes }) {
      reach('envelope');
      const reset = needsReset ? promised((done) => connection.reset(done)) : undefined;
      if (reset !== undefined) await within(deadlineMs, reset);
      needsReset = true;
      mails += 1;
      const text = contentStream(bytes);
      const isWanted = text.wanted.then(() => reach('text'));
      const sending = promised((done) => connection.send(envelope, text.stream, done));
      await within(deadlineMs, Promise.race([sending, isWanted]));
      await within(textTimeoutMs, sending);
      needsReset = false;
    },
    close: () => connection.close(),
  };
}

/** Wraps the steps of a session so that each ends at its deadline or with the connection. */
function withDeadlines(connection: SMTPConnection, server: { readonly host: string }) {
  let stage: SmtpStage = 'session';
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    // Lets the last reply of the server take precedence.
    connection.once('end', () => setImmediate(reject, new Error('Connection closed')));
  });
  broken.catch(() => undefined);
  const within = async (timeMs: number, work: Promise<void>): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(deadlineError(timeMs, stage)), timeMs);
    });
    try {
      return await Promise.race([work, broken, late]);
    } catch (error) {
      if (!isAnswered(error)) connection.close();
      throw smtpError(error, stage, server);
    } finally {
      clearTimeout(timer);
    }
  };
  const reach = (next: SmtpStage) => {
    stage = next;
  };
  return { within, reach };
}

/** A stream that is read once the server has requested the content. */
function contentStream(bytes: Uint8Array) {
  let want: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  const stream = new Readable({
    read() {
      want();
      this.push(bytes);
      this.push(null);
    },
  });
  return { stream, wanted };
}

/** Converts a callback to a promise. */
function promised(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    begin((error) => (error ? reject(error) : resolve()));
  });
}

function connectionOptions(options: SmtpOptions, longestMs: number): SMTPConnectionOptions {
  const { host, port, tls, ca, timeoutMs = TIMEOUT_MS } = options;
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...defined({ ca }),
    },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Each step has its own deadline.
    socketTimeout: longestMs,
    socketCloseTimeout: 0,
    logger: false,
  };
}

function readPassword({ password, passwordFile }: SmtpOptions): string {
  if (passwordFile === undefined) return password ?? '';
  try {
    return readTextNow(passwordFile).split(/\r?\n/)[0] ?? '';
  } catch {
    const message = 'the file of the mail password cannot be read (mail.passwordFile)';
    throw new InnsigliError('mail.configuration', message, {
      details: { file: passwordFile },
      hint: 'check its name and permissions',
    });
  }
}
