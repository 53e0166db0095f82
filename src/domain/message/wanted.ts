import type { SigneeKey } from '../keys.ts';
import type { MessageTemplate, SigningProcess } from '../process/index.ts';

/** The place of the reader in one document. */
export interface ReaderPlace {
  readonly process: SigningProcess;
  readonly signeeKey: SigneeKey;
}

/**
 * Whether a message still says what is so when its time to leave comes: nobody is asked to sign
 * what is cancelled or signed, and nothing is told of a process whose content is gone. In a
 * sequence one document that waits for the reader is enough.
 *
 * @param process whose change made the message
 * @param places of the reader; none for messages to the company
 */
export function isWanted(
  template: MessageTemplate,
  process: SigningProcess,
  places: readonly ReaderPlace[],
): boolean {
  if (process.purgedAtMs !== undefined) return false;
  switch (template) {
    case 'Confirmation':
    case 'Notification':
    case 'SalesPerson':
      return process.status === 'Completed';
    case 'Canceled':
      return process.status === 'Canceled';
    case 'OneTimeCode':
      return places.some((place) => place.process.key === process.key && isOpenTo(place));
    default:
      return places.some(isOpenTo);
  }
}

/** True when the reader can sign this document, or will be able to when it is their turn. */
export function isOpenTo({ process, signeeKey }: ReaderPlace): boolean {
  if (process.status !== 'Active' || process.phase !== 'Open') return false;
  const signee = process.signees.find(({ key }) => key === signeeKey);
  return signee !== undefined && signee.state !== 'Signed' && signee.state !== 'Declined';
}
