import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SmsSender } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { writeWhole } from '../write-whole.ts';

/** Where text messages are kept as files. */
export interface SmsOutboxOptions {
  readonly folder: string;
}

/**
 * A sender that writes `<id>.sms.txt` into a folder: headers as in a mail, an empty line and the
 * text. The same message always has the same file.
 *
 * @throws sms.unavailable when the folder cannot be written
 */
export function outboxSms({ folder }: SmsOutboxOptions): SmsSender {
  return {
    async send({ id, to, text, sentAtMs }) {
      const facts = [`Id: ${id}`, `To: ${to}`, `Date: ${new Date(sentAtMs).toISOString()}`];
      const head = facts.map((line) => line.replace(/\p{Cc}/gu, ' ')).join('\n');
      const content = `${head}\n\n${text}\n`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(join(folder, fileOf(id)), Buffer.from(content, 'utf8'));
      } catch (error) {
        throw new InnsigliError(
          'sms.unavailable',
          'the outbox folder of text messages cannot be written',
          {
            details: { file: folder },
            hint: 'check its permissions and the free disk space',
            cause: error,
          },
        );
      }
      return { reference: id };
    },
    async forget(ids) {
      for (const id of ids) await rm(join(folder, fileOf(id)), { force: true });
    },
  };
}

function fileOf(id: string): string {
  return `${id.replace(/[^\w.-]/g, '_').slice(0, 100)}.sms.txt`;
}
