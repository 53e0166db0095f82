import type { Mailer } from '../../app/ports/index.ts';
import { type OutboxOptions, outboxFiles } from '../outbox.ts';
import { composeMail, serializeMail } from './compose.ts';

const kept = { code: 'mail.unavailable', what: 'mails', ending: 'eml' } as const;

/**
 * A mailer that writes `<id>.eml` into a folder. The blind copy stays in the file, for the program
 * that hands it on.
 *
 * @throws mail.unavailable when the folder cannot be written
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
