import { limits } from '../../../../base/limits.ts';
import { openBuckets, openRateLimit, tooOften } from '../../../plugins/index.ts';

/** Whose form it is, and when it was sent. */
interface Sender {
  readonly flowKey: string;
  /** Client address. */
  readonly ip: string;
  readonly nowMs: number;
}

/** Counts what forms do; throws when it is too much. */
export interface FormRate {
  /**
   * Counts a process that begins. Gives back, when it is called, what was counted for mailboxes:
   * nothing was sent to them.
   */
  begin(sender: Sender, mailboxes: readonly string[]): () => void;
  /** Counts answers that are saved for the first time. */
  save(sender: Sender): void;
}

/**
 * Bounds of forms beside those of visitors: what one address begins and saves, so that it closes
 * the form to no other, and what somebody with many addresses would not feel, by flow and mailbox.
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
    // Refused answers cost work, too: they are not given back.
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

/** The mailbox of an address, without what sorts its mail: `anna+x@` is `anna@`. */
function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^([^+]+)(?:\+.*)?(@[^@]*)$/.exec(address.trim()) ?? [];
  return (local === '' ? address.trim() : `${local}${domain}`).toLowerCase();
}
