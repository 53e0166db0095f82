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
 * A mailer over SMTP with connections that mails share. Certificates are verified; a password is
 * never sent over a connection without TLS, except to this machine. When the server cannot be used
 * as it is configured, mails fail for some seconds without another try: a thousand of them must not
 * be a thousand failed logins.
 *
 * @throws config.invalid when a password would go over an open line
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
      // A copy is no second chance for the reader: it goes when they have theirs, and only then.
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
 * Tries all that a mail needs but the mail: connection, greeting, TLS with its certificate, and
 * the login when there is one. Takes at most four times `timeoutMs`.
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

/** Connections to one server, which mails share. */
interface SmtpSessions {
  /**
   * Sends a mail over a connection that is free, or a new one; waits while all are in use.
   *
   * @throws mail.*
   */
  send(mail: PostedMail): Promise<void>;
  /** Ends all connections, those in use too. */
  close(): void;
}

const CONNECTIONS = 4;
/** Servers count the mails of a connection. */
const MAILS_MAX = 100;
/** Below the time after which servers close a silent connection. */
const IDLE_MS = 20_000;

/**
 * Opens no connection yet: the first mail does.
 *
 * @param openSession opens one more
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
        // Servers close what was idle for long: that says nothing of this mail.
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
