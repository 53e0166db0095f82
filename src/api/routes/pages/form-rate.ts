import { limits } from '../../../base/limits.ts';
import { openBuckets, tooOften } from '../../plugins/index.ts';

/** Counts what forms begin; throws when it is too much. */
export type FormRate = (flowKey: string, mailboxes: readonly string[], nowMs: number) => void;

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
  return (flowKey, mailboxes, nowMs) => {
    const ofFlow = flows.take(flowKey, nowMs, 1, 1);
    if (ofFlow > 0) throw tooOften(limits.formStartsPerSecond, ofFlow);
    for (const mailbox of new Set(mailboxes.map((each) => each.trim().toLowerCase()))) {
      const ofMailbox = mails.take(mailbox, nowMs, 1, 1);
      if (ofMailbox > 0) throw tooOften(limits.formMailsPerSecond, ofMailbox);
    }
  };
}
