import { CoreError } from '../../base/errors.ts';
import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';
import type { ReaderPlace } from '../../domain/message/index.ts';
import { type DeliveryType, type SigningProcess, systemActor } from '../../domain/process/index.ts';
import { runCommand } from '../service/index.ts';
import type { ReminderPorts } from './ports.ts';
import { placesOfPerson, placesOfSignee, placeToRemind } from './reader-places.ts';

/** Names one who signs: of a process, or of a whole sequence. */
export type ReminderTarget =
  | { readonly processKey: string; readonly signeeKey: string }
  | { readonly sequenceKey: string; readonly personKey: string };

/** A reminder that somebody asks for. */
export interface RemindRequest {
  /** That of the signee when it is left out. */
  readonly delivery?: DeliveryType;
  /** Adds a link that ends planned reminders; for mail only. */
  readonly includeUnsubscribe?: boolean;
  /** E-mail of who asks, for the log. */
  readonly user?: string;
}

/** What became of a {@link RemindRequest}. */
export interface Reminded {
  /** The process whose log tells of it. */
  readonly key: ProcessKey;
  readonly delivery: DeliveryType;
  /** An earlier reminder had not left yet: it goes for both. */
  readonly isDouble: boolean;
}

/**
 * Reminds a signee now, once. In a sequence the one message covers all of its documents. It leaves
 * with the next run of the worker; the rest of the plan stays as it is.
 *
 * @throws process.not_found, error.signee.not_found, reminder.delivery.not_allowed,
 *   reminder.phone.missing, reminder.email.missing, signing.forbidden.*
 * @throws validation.error without a delivery for a signee who is told by the owner
 */
export async function remind(
  ports: ReminderPorts,
  companyKey: CompanyKey,
  target: ReminderTarget,
  request: RemindRequest,
): Promise<Reminded> {
  const places = await placesOf(ports, companyKey, target);
  const { process, signeeKey } = placeToRemind(places);
  const delivery = request.delivery ?? usualDelivery(process, signeeKey);
  const waiting = await ports.store.read(({ messages }) => messages.ofProcess(process.key));
  const isDouble = waiting.some(
    (each) =>
      each.template === 'Reminder' &&
      each.channel === delivery &&
      each.signeeKey === signeeKey &&
      each.state === 'waiting',
  );
  const { key } = await runCommand(ports, process.key, {
    type: 'remind',
    signeeKey,
    delivery,
    includeUnsubscribe: request.includeUnsubscribe === true && delivery === 'Email',
    by: request.user ?? systemActor,
  });
  return { key, delivery, isDouble };
}

function usualDelivery({ signees }: SigningProcess, signeeKey: string): DeliveryType {
  const delivery = signees.find(({ key }) => key === signeeKey)?.delivery ?? 'None';
  if (delivery !== 'None') return delivery;
  throw new CoreError(
    'validation.error',
    'delivery: expected one, because the owner tells this signee',
    {
      details: { field: 'delivery' },
      hint: 'None only writes in the log that you did',
    },
  );
}

/**
 * Ends the planned reminders of a signee, in a sequence for all of its documents. Nothing brings
 * the plan back; reminders by hand stay possible.
 *
 * @returns how many documents it is about
 * @throws process.not_found, error.signee.not_found
 */
export async function cancelReminders(
  ports: ReminderPorts,
  companyKey: CompanyKey,
  target: ReminderTarget,
  user?: string,
): Promise<number> {
  const places = await placesOf(ports, companyKey, target);
  const by = user ?? systemActor;
  for (const { process, signeeKey } of places) {
    await runCommand(ports, process.key, { type: 'cancelReminders', signeeKey, by });
  }
  return places.length;
}

/**
 * The link of a reminder was used: the signee gets no planned reminder by mail any more, for none
 * of the documents of a sequence. Who has the keys of the link has the right to it. Asked again it
 * changes nothing.
 *
 * @param companyKey only signees of this company; of any when it is left out
 * @throws process.not_found, error.signee.not_found
 */
export async function unsubscribe(
  ports: ReminderPorts,
  target: ReminderTarget,
  companyKey?: CompanyKey,
): Promise<void> {
  for (const { process, signeeKey } of await placesOf(ports, companyKey, target)) {
    await runCommand(ports, process.key, { type: 'unsubscribe', signeeKey });
  }
}

function placesOf(
  { store }: ReminderPorts,
  companyKey: CompanyKey | undefined,
  target: ReminderTarget,
): Promise<readonly ReaderPlace[]> {
  return store.read((unit) =>
    'processKey' in target
      ? placesOfSignee(unit, companyKey, target.processKey, target.signeeKey)
      : placesOfPerson(unit, companyKey, target.sequenceKey, target.personKey),
  );
}
