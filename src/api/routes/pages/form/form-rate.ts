import { limits } from '../../../../base/limits.ts';
import { openBuckets, tooOften } from '../../../plugins/index.ts';

/**
 * Counts what a form begins; throws when it is too much. Gives back, when it is called, what was
 * counted for mailboxes: nothing was sent to them.
 */
export type FormRate = (flowKey: string, mailboxes: readonly string[], nowMs: number) => () => void;

/**
 * Bounds of forms beside those of visitors by address, which somebody with many addresses does not
 * feel: what one flow begins, and the invitations that one mailbox gets.
 */
export function openFormRate(): FormRate {
  const flows = openBuckets({
    perSecond: limits.formStartsPerSecond,
    atOnce: limits.formStartsAtOnce,
  });
  const mails = openBuckets({
    perSecond: limits.formMailsPerSecond,
    atOnce: limits.formMailsAtOnce,
  });
  return (flowKey, addresses, nowMs) => {
    const ofFlow = flows.take(flowKey, nowMs, 1, 1);
    // Refused answers cost work, too: they are not given back.
    if (ofFlow > 0) throw tooOften(limits.formStartsPerSecond, ofFlow);
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
}

/** The mailbox of an address, without what sorts its mail: `anna+x@` is `anna@`. */
function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^([^+]+)(?:\+.*)?(@[^@]*)$/.exec(address.trim()) ?? [];
  return (local === '' ? address.trim() : `${local}${domain}`).toLowerCase();
}
