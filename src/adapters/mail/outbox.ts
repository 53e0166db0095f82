import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailer } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { writeWhole } from '../write-whole.ts';
import { composeMail, serializeMail } from './compose.ts';

/** Where mails are kept as files. */
export interface OutboxOptions {
  readonly folder: string;
}

/**
 * A mailer that writes `<id>.eml` into a folder, complete or not at all. The same message always
 * has the same file, so that a repeat doubles nothing. The blind copy stays in the file, for the
 * program that hands it on.
 *
 * @throws mail.unavailable when the folder cannot be written
 */
export function outboxMailer({ folder }: OutboxOptions): Mailer {
  return {
    async send(message) {
      const mail = composeMail(message);
      const bytes = await serializeMail(mail);
      const id = message.messageId.slice(1, message.messageId.lastIndexOf('@'));
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(join(folder, fileOf(id)), bytes);
      } catch (error) {
        throw new InnsigliError(
          'mail.unavailable',
          'the outbox folder of mails cannot be written',
          {
            details: { file: folder },
            hint: 'check its permissions and the free disk space',
            cause: error,
          },
        );
      }
      return { reference: message.messageId };
    },
    async forget(ids) {
      for (const id of ids) await rm(join(folder, fileOf(id)), { force: true });
    },
    close: () => undefined,
  };
}

function fileOf(id: string): string {
  return `${id.replace(/[^\w.-]/g, '_').slice(0, 100)}.eml`;
}
