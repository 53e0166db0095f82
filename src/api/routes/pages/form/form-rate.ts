import { limits } from '../../../../base/limits.ts';
import { openBuckets, openRateLimit, tooOften } from '../../../plugins/index.ts';

/** Sender of a form, and the time it was sent. */
interface Sender {
  readonly flowKey: string;
  readonly ip: string;
  readonly nowMs: number;
}

/** Limits the rate of actions on forms; throws if it is exceeded. */
export interface FormRate {
  /**
   * Counts a new process. Call the result to refund the mailboxes' counts if nothing was sent to
   * them.
   */
  begin(sender: Sender, mailboxes: readonly string[]): () => void;
  /** Counts answers that are saved for the first time. */
  save(sender: Sender): void;
}

/**
 * Creates the limits of forms, in addition to those of visitors: per client address for starting
 * and saving, so that one address cannot close the form to others; and per flow and mailbox, which
 * a client with many addresses cannot evade.
 */
export function openFormRate(): FormRate {
  const flows = openRateLimit(limits.formStartsPerSecond, { atOnce: limits.formStartsAtOnce });
  const mails = openBuckets({
    perSecond: limits.formMailsPerSecond,
    atOnce: limits.formMailsAtOnce,
  });
  const ofClient = { atOnce: limits.formSendsAtOnce };
  const beginners = openRateLimit(limits.formSendsPerSecond, ofClient);
  const savers = openRateLimit(limits.formSendsPerSecond, ofClient);
  const drafts = openRateLimit(limits.formDraftsPerSecond, { atOnce: limits.formDraftsAtOnce });
  const begin: FormRate['begin'] = ({ flowKey, ip, nowMs }, addresses) => {
    // Rejected answers cost work, too: they are not refunded.
    beginners.takeOf(ip, nowMs);
    flows.take(flowKey, nowMs);
    const taken: string[] = [];
    const giveBack = () => {
      for (const mailbox of taken.splice(0)) mails.give(mailbox, 1);
    };
    for (const mailbox of new Set(addresses.map(mailboxOf))) {
      const ofMailbox = mails.take(mailbox, nowMs, 1, 1);
      if (ofMailbox > 0) {
        giveBack();
        throw tooOften(limits.formMailsPerSecond, ofMailbox);
      }
      taken.push(mailbox);
    }
    return giveBack;
  };
  const save: FormRate['save'] = ({ flowKey, ip, nowMs }) => {
    savers.takeOf(ip, nowMs);
    drafts.take(flowKey, nowMs);
  };
  return { begin, save };
}

/** The mailbox of an address, without its tag: `anna+x@` is `anna@`. */
function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^([^+]+)(?:\+.*)?(@[^@]*)$/.exec(address.trim()) ?? [];
  return (local === '' ? address.trim() : `${local}${domain}`).toLowerCase();
}
