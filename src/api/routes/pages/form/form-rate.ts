import { limits } from '../../../../base/limits.ts';
import { clientNetworks } from '../../../../base/network/ip-address.ts';
import { openBuckets, tooOften } from '../../../plugins/index.ts';

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
  const clients = openBuckets({
    perSecond: limits.formSendsPerSecond,
    atOnce: limits.formSendsAtOnce,
  });
  const drafts = openBuckets({
    perSecond: limits.formDraftsPerSecond,
    atOnce: limits.formDraftsAtOnce,
  });
  const savers = openBuckets({
    perSecond: limits.formSendsPerSecond,
    atOnce: limits.formSendsAtOnce,
  });
  const begin: FormRate['begin'] = ({ flowKey, ip, nowMs }, addresses) => {
    // Refused answers cost work, too: they are not given back.
    for (const { key, shares } of clientNetworks(ip)) {
      const ofClient = clients.take(key, nowMs, shares, 1);
      if (ofClient > 0) throw tooOften(limits.formSendsPerSecond * shares, ofClient);
    }
    const ofFlow = flows.take(flowKey, nowMs, 1, 1);
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
  const save: FormRate['save'] = ({ flowKey, ip, nowMs }) => {
    // One address closes the form to no other.
    for (const { key, shares } of clientNetworks(ip)) {
      const ofClient = savers.take(key, nowMs, shares, 1);
      if (ofClient > 0) throw tooOften(limits.formSendsPerSecond * shares, ofClient);
    }
    const ofFlow = drafts.take(flowKey, nowMs, 1, 1);
    if (ofFlow > 0) throw tooOften(limits.formDraftsPerSecond, ofFlow);
  };
  return { begin, save };
}

/** The mailbox of an address, without what sorts its mail: `anna+x@` is `anna@`. */
function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^([^+]+)(?:\+.*)?(@[^@]*)$/.exec(address.trim()) ?? [];
  return (local === '' ? address.trim() : `${local}${domain}`).toLowerCase();
}
