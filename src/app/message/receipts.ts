import { InnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Message } from '../../domain/message/index.ts';
import type { MessagePorts } from './deliver.ts';

/** What became of a message after a transport had taken it. */
export interface Receipt {
  /** Id of the message: the part before `@` of its Message-ID. */
  readonly messageId: string;
  /** Word of the provider, such as `delivered`, `opened`, `bounced`, `DELIVERED`. */
  readonly event: string;
}

/** Receipts of one company: later rows of the log, never changes of earlier ones. */
export interface ReceiptService {
  /**
   * Writes a receipt into the log of the process.
   *
   * @throws process.not_found when the company has no message of that id; validation.error
   */
  record(receipt: Receipt): Promise<void>;
}

/** The receipts of `companyKey`. */
export function receiptService(
  { store, apply }: Pick<MessagePorts, 'store' | 'apply'>,
  companyKey: CompanyKey,
): ReceiptService {
  return {
    record: ({ messageId, event }) =>
      store.write(async (unit) => {
        if (!/^[A-Za-z_.-]{1,40}$/.test(event)) {
          throw new InnsigliError('validation.error', 'event: expected one word of letters');
        }
        const id = messageId.replace(/^<|>$/g, '').split('@')[0] ?? '';
        const message = await unit.messages.find(id);
        if (message?.processKey === undefined || message.companyKey !== companyKey) {
          throw new InnsigliError('process.not_found', `there is no message ${id.slice(0, 60)}`);
        }
        await apply(unit, message.processKey, commandFor(message, event));
      }),
  };
}

function commandFor({ template, channel, signeeKey }: Message, event: string) {
  const who = signeeKey === undefined ? {} : { signeeKey };
  return { type: 'messageReceipt', template, channel, ...who, event } as const;
}
