import type Mail from 'nodemailer/lib/mailer/index.js';
import type { MailMessage } from '../../app/ports/index.ts';
import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { isMailAddress, parseMailbox } from '../../base/mailbox.ts';
import { isUrl } from '../../base/network/is-url.ts';

/** Input to nodemailer for one mail. */
export type ComposedMail = Omit<Mail.Options, 'envelope'> & {
  readonly envelope: { from: string; to: string[] };
};

/**
 * Converts `message` for nodemailer. Recipients are passed as single addresses, never as text that
 * could contain a list. MIME boundaries are derived from the Message-ID, so that every attempt to
 * send a message has the same bytes.
 *
 * @throws mail.refused if an address or header contains a line break or a list
 * @throws mail.configuration if the sender is malformed
 * @spec RFC 8058 §3.1, RFC 3834 §5
 */
export function composeMail(message: MailMessage): ComposedMail {
  const { messageId, from, to, bcc, replyTo, subject, unsubscribeUrl } = message;
  for (const line of [messageId, from, to, bcc, replyTo, subject, unsubscribeUrl]) {
    if (line !== undefined && /\p{Cc}/u.test(line)) {
      throw refused('expected one-line headers, found a control character');
    }
  }
  const sender = parseMailbox(from);
  if (sender === undefined)
    throw new InnsigliError('mail.configuration', 'mail.from: expected a sender', {
      hint: 'write one address, or Name <address>',
    });
  for (const [header, address] of Object.entries({ To: to, Bcc: bcc, 'Reply-To': replyTo })) {
    requireAddress(header, address);
  }
  if (!/^<[^<>\s]+@[^<>\s]+>$/.test(messageId)) throw refused('expected a Message-ID <id@host>');
  const mark = sha256Of(messageId).slice(0, 24);
  return {
    messageId,
    date: new Date(message.sentAtMs),
    from: { name: sender.name ?? '', address: sender.address },
    to: single(to),
    ...defined({
      bcc: bcc === undefined ? undefined : single(bcc),
      replyTo: replyTo === undefined ? undefined : single(replyTo),
    }),
    subject,
    text: message.text,
    html: message.html,
    attachments: message.attachments.map(({ fileName, contentType, content, cid }) => ({
      filename: fileName,
      contentType,
      ...(cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }),
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    headers: {
      // Suppresses automatic replies.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
    },
    envelope: { from: sender.address, to: [to] },
    ...({ baseBoundary: mark } as object),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The bytes of a mail, including a Bcc header. */
export async function serializeMail(mail: ComposedMail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail({ ...mail, ...({ keepBcc: true } as object) });
  return message as Buffer;
}

function unsubscribeHeaders(url: string): Record<string, string> {
  if (!isUrl(url) || /[<>\s]/.test(url)) throw refused('expected a URL to unsubscribe');
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

function single(address: string): { readonly name: string; readonly address: string } {
  return { name: '', address };
}

function requireAddress(header: string, address: string | undefined): void {
  if (address === undefined || isMailAddress(address)) return;
  throw refused(`expected one mail address in ${header}, found something else`);
}

function refused(message: string): InnsigliError {
  return new InnsigliError('mail.refused', `the mail was not sent: ${message}`);
}
