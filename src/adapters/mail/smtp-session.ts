import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import type { SMTPConnectionOptions, SMTPEnvelope } from 'nodemailer/lib/smtp-connection/index.js';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { readTextNow } from '../read-file.ts';
import { deadlineError, isAnswered, type SmtpStage, smtpError } from './smtp-error.ts';

/** Address and credentials of the SMTP server. */
export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte (465); `starttls`: required upgrade (587, 25). */
  readonly tls: 'implicit' | 'starttls' | 'none';
  /** PEM of authorities in the place of the built-in ones. */
  readonly ca?: string;
  readonly user?: string;
  /** File with the password on its first line; read again for each connection. */
  readonly passwordFile?: string;
  /** The password itself, from a variable of the environment. */
  readonly password?: string;
  /** For connecting and for the greeting; four times that up to the login, and up to the text. */
  readonly timeoutMs?: number;
  /** For the text of a mail and the answer to it. */
  readonly textTimeoutMs?: number;
  /** Connections at once. */
  readonly connections?: number;
  /** Pause after a server refused the login or the connection, in milliseconds. */
  readonly restMs?: number;
}

/** Sender and recipient, and the mail itself. */
export interface PostedMail {
  readonly envelope: SMTPEnvelope;
  readonly bytes: Uint8Array;
}

/** A connection over which mails go one after the other. */
export interface SmtpSession {
  /** It may take another mail. */
  readonly isOpen: boolean;
  /** Mails that were handed over or refused. */
  readonly mails: number;
  /**
   * Resolves when the server has taken the mail. After a failure that is no answer the connection
   * is closed: nothing of the mail leaves later.
   *
   * @throws mail.* by who can put it right
   */
  send(mail: PostedMail): Promise<void>;
  /** Ends it at once. */
  close(): void;
}

const TIMEOUT_MS = 20_000;
/** A server that says a word now and then could go on for ever. */
const DEADLINE_FACTOR = 4;
/** Time limit for a server that has received all of a mail. @spec RFC 5321 §4.5.3.2.6 */
const TEXT_TIMEOUT_MS = 600_000;

/**
 * Connects and logs in.
 *
 * @param mustLogin a server that offers no login is refused; otherwise mails go without
 * @throws mail.configuration, mail.unavailable
 */
export async function openSession(options: SmtpOptions, mustLogin = false): Promise<SmtpSession> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection/index.js');
  const { user, timeoutMs = TIMEOUT_MS, textTimeoutMs = TEXT_TIMEOUT_MS } = options;
  const pass = readPassword(options);
  const deadlineMs = DEADLINE_FACTOR * timeoutMs;
  const connection = new Connection(connectionOptions(options, deadlineMs + textTimeoutMs));
  const { within, reach } = followed(connection, options);
  const connected = async () => {
    await called((done) => connection.connect(done));
    if (user === undefined || !(connection.allowsAuth || mustLogin)) return;
    await called((done) => connection.login({ user, credentials: { user, pass } }, done));
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
      const reset = needsReset ? called((done) => connection.reset(done)) : undefined;
      if (reset !== undefined) await within(deadlineMs, reset);
      needsReset = true;
      mails += 1;
      const text = decodeLine(bytes);
      const isWanted = text.wanted.then(() => reach('text'));
      const sending = called((done) => connection.send(envelope, text.stream, done));
      await within(deadlineMs, Promise.race([sending, isWanted]));
      await within(textTimeoutMs, sending);
      needsReset = false;
    },
    close: () => connection.close(),
  };
}

/** The steps of a conversation, each of which ends: in time, or with the connection. */
function followed(connection: SMTPConnection, server: { readonly host: string }) {
  let stage: SmtpStage = 'session';
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    // The last response of the server comes first.
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

/** A stream that is read when the server has said that it wants the text. */
function decodeLine(bytes: Uint8Array) {
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

/** The end of a call that tells it to a callback. */
function called(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
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
    // Each step has its own limit.
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
