import { isInnsigliError } from '../../base/errors.ts';
import { isCutOff } from './smtp-error.ts';
import type { PostedMail, SmtpSession } from './smtp-session.ts';

/** Connections to one server, which mails share. */
export interface SmtpSessions {
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
export function shareSessions(
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
