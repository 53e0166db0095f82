import type { Mailer } from '../../app/ports/index.ts';
import { type OutboxOptions, outboxFiles } from '../outbox.ts';
import { composeMail, serializeMail } from './compose.ts';

const kept = { code: 'mail.unavailable', what: 'mails', ending: 'eml' } as const;

/**
 * Creates a mailer that writes `<id>.eml` files to a folder. The Bcc header is kept for the program
 * that sends them.
 *
 * @throws mail.unavailable if the folder is not writable
 */
export function outboxMailer(options: OutboxOptions): Mailer {
  const { write, forget } = outboxFiles(options, kept);
  return {
    async send(message) {
      const id = message.messageId.slice(1, message.messageId.lastIndexOf('@'));
      await write(id, await serializeMail(composeMail(message)));
      return { reference: message.messageId };
    },
    forget,
    close: () => undefined,
  };
}
