import type { SmsSender } from '../../app/ports/index.ts';
import { type OutboxOptions, outboxFiles } from '../outbox.ts';

const kept = { code: 'sms.unavailable', what: 'text messages', ending: 'sms.txt' } as const;

/**
 * Creates a sender that writes `<id>.sms.txt` files to a folder: headers as in a mail, an empty
 * line and the text.
 *
 * @throws sms.unavailable if the folder is not writable
 */
export function outboxSms(options: OutboxOptions): SmsSender {
  const { write, forget } = outboxFiles(options, kept);
  return {
    async send({ id, to, text, sentAtMs }) {
      const facts = [`Id: ${id}`, `To: ${to}`, `Date: ${new Date(sentAtMs).toISOString()}`];
      const head = facts.map((line) => line.replace(/\p{Cc}/gu, ' ')).join('\n');
      await write(id, Buffer.from(`${head}\n\n${text}\n`, 'utf8'));
      return { reference: id };
    },
    forget,
  };
}
