import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { audienceOf, withCopyIn } from '../../domain/access.ts';
import { quotaDay } from '../../domain/company.ts';
import { isForSignee, logoCid, type Message } from '../../domain/message/index.ts';
import type { Attachment, DocumentRef } from '../../domain/process/index.ts';
import type { BlobStore, MailMessage, StoreUnit } from '../ports/index.ts';
import { requireQuotas } from '../quotas.ts';
import type { CompanyLogo } from '../sender/index.ts';
import type { MessageContext } from './read-facts.ts';

type MailAttachment = MailMessage['attachments'][number];

/**
 * The documents attached to a mail: the signed documents, followed by their evidence pages (the
 * masked ones for signees) if they fit. A custom text of the company decides whether files are
 * attached; the built-in texts attach them, except for signees who had to log in: these follow the
 * link. Empty if the documents together are too large for a mail: most servers reject more than 25
 * MB of base64.
 *
 * @throws blob.missing, blob.corrupt
 */
export async function mailAttachments(
  blobs: BlobStore,
  { facts, own, processes }: MessageContext,
): Promise<readonly MailAttachment[]> {
  const isLast = ['Confirmation', 'Notification', 'SalesPerson'].includes(facts.template);
  const isSecret = facts.requiresAuth && isForSignee(facts.template);
  if (!isLast || !(own?.includeFiles ?? !isSecret)) return [];
  const signed = processes.filter(({ status }) => status === 'Completed');
  const lengthBytes = signed.reduce((sum, each) => sum + (each.document?.lengthBytes ?? 0), 0);
  if (lengthBytes > limits.mailAttachmentBytes) return [];
  const attachments: MailAttachment[] = [];
  const add = async (fileName: string, { sha256 }: DocumentRef) => {
    const content = await blobs.get(sha256);
    attachments.push({
      fileName: uniqueFileName(attachedName(fileName), attachments),
      contentType: 'application/pdf',
      content,
    });
  };
  for (const { fileName, document } of signed) {
    if (document !== undefined) await add(fileName, document);
  }
  // Signees must not see each other's contact details.
  const audience = isForSignee(facts.template) ? 'signees' : 'company';
  const isOwnPage = (each: Attachment) =>
    each.type === 'EvidencePage' && audienceOf(each) === audience;
  const pages = isSecret
    ? []
    : signed.flatMap(({ attachments: all }) => withCopyIn(all, facts.language).filter(isOwnPage));
  const wholeBytes = pages.reduce((sum, { document }) => sum + document.lengthBytes, lengthBytes);
  if (wholeBytes > limits.mailAttachmentBytes) return attachments;
  for (const { fileName, document } of pages) await add(fileName, document);
  return attachments;
}

/** The logo of a company as the inline part that the HTML text refers to; empty if it has none. */
export function logoPart(logo: CompanyLogo | undefined): readonly MailAttachment[] {
  if (logo === undefined) return [];
  const { contentType, content } = logo;
  const fileName = contentType === 'image/png' ? 'logo.png' : 'logo.jpg';
  return [{ fileName, contentType, content, cid: logoCid }];
}

function attachedName(fileName: string): string {
  const bare = fileName.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}/\\:*?"<>|]+/gu, ' ').trim();
  const stem = [...bare.replace(/\.pdf$/i, '')].slice(0, 100).join('').trim();
  return `${stem === '' ? 'document' : stem}.pdf`;
}

/** Returns a unique file name: two documents of a sequence may have the same one. */
function uniqueFileName(name: string, taken: readonly MailAttachment[]): string {
  const count = taken.filter(({ fileName }) => fileName === name).length;
  if (count === 0) return name;
  return uniqueFileName(name.replace(/\.pdf$/, ` (${taken.length + 1}).pdf`), taken);
}

type MailOrigin = Pick<Message, 'companyKey' | 'isByLink'>;

/**
 * Rejects a mail whose recipient has reached the daily limit. Mails triggered through links have a
 * separate limit: the holder of a link cannot use up the mails of the company.
 *
 * @throws quota.mails.exceeded
 */
export async function requireMailQuota(
  unit: StoreUnit,
  { companyKey, isByLink }: MailOrigin,
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
  const message = `expected at most ${limits.linkMails} mails per day triggered by links`;
  throw new InnsigliError('quota.mails.exceeded', message, {
    details: { retryAfterSeconds: restSeconds },
    hint: 'the company can remind the signee',
  });
}

/** Counts an accepted mail. Does nothing if `mailedTo` is undefined (a text message). */
export async function countMail(
  { quotas }: StoreUnit,
  { companyKey, isByLink }: MailOrigin,
  mailedTo: string | undefined,
  nowMs: number,
): Promise<void> {
  if (mailedTo === undefined) return;
  const what = isByLink === true ? 'linkMailsPerRecipient' : 'mailsPerRecipient';
  await quotas.add({ companyKey, what, day: quotaDay(nowMs).day }, mailedTo, 1);
}
