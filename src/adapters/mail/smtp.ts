import type { Acceptance, Mailer, MailMessage } from '../../app/ports/index.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { composeMail, serializeMail } from './compose.ts';
import { isCutOff, smtpError } from './smtp-error.ts';
import {
  openSession,
  type PostedMail,
  type SmtpOptions,
  type SmtpSession,
} from './smtp-session.ts';

export type { SmtpOptions } from './smtp-session.ts';

const REST_MS = 15_000;

/**
 * Creates an SMTP mailer with shared connections. Certificates are verified, and a password is
 * never sent without TLS, except to this machine. After a failed connection or login, mails fail
 * for some seconds without a new attempt, so that a thousand mails do not cause a thousand failed
 * logins.
 *
 * @throws config.invalid if a password would be sent unencrypted
 */
export function smtpMailer(options: SmtpOptions): Mailer {
  requireSafeLogin(options);
  const { restMs = REST_MS } = options;
  let rest: { readonly untilMs: number; readonly error: unknown } | undefined;
  const open = async () => {
    if (rest !== undefined && performance.now() < rest.untilMs) throw rest.error;
    try {
      return await openSession(options);
    } catch (error) {
      rest = { untilMs: performance.now() + restMs, error };
      throw error;
    }
  };
  const sessions = shareSessions(open, options.connections);
  const hand = async (mail: ReturnType<typeof composeMail>): Promise<void> =>
    sessions.send({ envelope: mail.envelope, bytes: await serializeMail(mail) });
  return {
    async send(message: MailMessage): Promise<Acceptance> {
      const { bcc, ...main } = composeMail(message);
      await hand(main);
      const acceptance = { reference: message.messageId };
      // The blind copy is sent separately, and only after the server has accepted the mail itself,
      // so that a failed copy never causes the recipient's mail to be repeated.
      if (message.bcc === undefined) return acceptance;
      const envelope = { ...main.envelope, to: [message.bcc] };
      try {
        await hand({ ...main, envelope });
        return acceptance;
      } catch (error) {
        return { ...acceptance, copyFailure: smtpError(error, 'session', options) };
      }
    },
    close: () => sessions.close(),
  };
}

/**
 * Checks everything that sending a mail requires, without sending one: connection, greeting, TLS
 * with its certificate, and the login if configured. Takes at most four times `timeoutMs`.
 *
 * @throws mail.configuration, mail.unavailable with what was expected and found
 */
export async function checkSmtp(options: SmtpOptions): Promise<void> {
  requireSafeLogin(options);
  const session = await openSession(options, true);
  session.close();
}

function requireSafeLogin({ host, tls, user }: SmtpOptions): void {
  if (user === undefined || tls !== 'none' || isLoopbackHost(host)) return;
  throw new InnsigliError('config.invalid', 'mail: a password needs TLS', {
    hint: 'use starttls or implicit',
  });
}

/** Shared connections to one server. */
interface SmtpSessions {
  /**
   * Sends a mail over an idle or new connection, or waits while all connections are in use.
   *
   * @throws mail.*
   */
  send(mail: PostedMail): Promise<void>;
  /** Closes all connections, including those in use. */
  close(): void;
}

const CONNECTIONS = 4;
/** Servers limit the number of mails per connection. */
const MAILS_MAX = 100;
/** Less than the time after which servers close an idle connection. */
const IDLE_MS = 20_000;

/**
 * Creates the pool; the first mail opens a connection.
 *
 * @param openSession opens a further connection
 */
function shareSessions(
  openSession: () => Promise<SmtpSession>,
  connections = CONNECTIONS,
): SmtpSessions {
  const open = new Set<SmtpSession>();
  const idle = new Map<SmtpSession, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let free = connections;
  const end = (session: SmtpSession) => {
    clearTimeout(idle.get(session));
    idle.delete(session);
    open.delete(session);
    session.close();
  };
  const take = async (): Promise<SmtpSession> => {
    for (const [session] of idle) {
      clearTimeout(idle.get(session));
      idle.delete(session);
      if (session.isOpen) return session;
      end(session);
    }
    const session = await openSession();
    open.add(session);
    return session;
  };
  const giveBack = (session: SmtpSession) => {
    if (!session.isOpen || session.mails >= MAILS_MAX) return end(session);
    idle.set(session, setTimeout(end, IDLE_MS, session).unref());
  };
  const handOver = async (mail: PostedMail): Promise<void> => {
    for (;;) {
      const session = await take();
      const isUsed = session.mails > 0;
      try {
        return await session.send(mail);
      } catch (error) {
        // The server closed the connection because it was idle too long: unrelated to this mail.
        if (!(isUsed && isInnsigliError(error) && isCutOff(error))) throw error;
      } finally {
        giveBack(session);
      }
    }
  };
  return {
    async send(mail) {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      try {
        await handOver(mail);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
    close() {
      for (const session of open) end(session);
    },
  };
}
