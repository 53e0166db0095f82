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
 * Bounds of forms beside those of visitors: what one address begins and saves, so that it closes
 * the form to no other, and what somebody with many addresses would not feel, by flow and mailbox.
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
  const beginners = openClientBuckets();
  const savers = openClientBuckets();
  const drafts = openBuckets({
    perSecond: limits.formDraftsPerSecond,
    atOnce: limits.formDraftsAtOnce,
  });
  const begin: FormRate['begin'] = (sender, addresses) => {
    const { flowKey, nowMs } = sender;
    // Refused answers cost work, too: they are not given back.
    takeOfClient(beginners, sender);
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
  const save: FormRate['save'] = (sender) => {
    const { flowKey, nowMs } = sender;
    takeOfClient(savers, sender);
    const ofFlow = drafts.take(flowKey, nowMs, 1, 1);
    if (ofFlow > 0) throw tooOften(limits.formDraftsPerSecond, ofFlow);
  };
  return { begin, save };
}

type Buckets = ReturnType<typeof openBuckets>;

function openClientBuckets(): Buckets {
  return openBuckets({ perSecond: limits.formSendsPerSecond, atOnce: limits.formSendsAtOnce });
}

function takeOfClient(buckets: Buckets, { ip, nowMs }: Sender): void {
  for (const { key, shares } of clientNetworks(ip)) {
    const waitSeconds = buckets.take(key, nowMs, shares, 1);
    if (waitSeconds > 0) throw tooOften(limits.formSendsPerSecond * shares, waitSeconds);
  }
}

/** The mailbox of an address, without what sorts its mail: `anna+x@` is `anna@`. */
function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^([^+]+)(?:\+.*)?(@[^@]*)$/.exec(address.trim()) ?? [];
  return (local === '' ? address.trim() : `${local}${domain}`).toLowerCase();
}
