import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quotaDay } from '../../domain/company/index.ts';
import type { Message } from '../../domain/message/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { requireQuotas } from '../quota/index.ts';

/** Who has caused a mail, and for which company. */
type Counted = Pick<Message, 'companyKey' | 'isByLink'>;

/**
 * Refuses a mail where its address has had enough of them in a day. Those that links have caused
 * have a share of their own: nobody with a link uses up the mails of the company.
 *
 * @throws quota.mails.exceeded
 */
export async function requireMailRoom(
  unit: StoreUnit,
  { companyKey, isByLink }: Counted,
  mailedTo: string,
  nowMs: number,
): Promise<void> {
  if (isByLink !== true) {
    await requireQuotas(unit, companyKey, { mailsPerRecipient: 1 }, nowMs, mailedTo);
    return;
  }
  const { day, restSeconds } = quotaDay(nowMs);
  const used = await unit.quotas.used({ companyKey, what: 'linkMailsPerRecipient', day }, mailedTo);
  if (used < limits.linkMails) return;
  const message = `expected at most ${limits.linkMails} mails a day because of links`;
  throw new InnsigliError('quota.mails.exceeded', message, {
    details: { retryAfterSeconds: restSeconds },
    hint: 'the company can remind the signee',
  });
}

/** Notes a mail that was accepted; undefined for another message. */
export async function countMail(
  { quotas }: StoreUnit,
  { companyKey, isByLink }: Counted,
  mailedTo: string | undefined,
  nowMs: number,
): Promise<void> {
  if (mailedTo === undefined) return;
  const what = isByLink === true ? 'linkMailsPerRecipient' : 'mailsPerRecipient';
  await quotas.add({ companyKey, what, day: quotaDay(nowMs).day }, mailedTo, 1);
}
