import { InnsigliError } from '../../base/errors.ts';
import { actor, invalid } from '../../base/input.ts';
import type { CompanyKey, ProcessKey, SigneeKey } from '../../domain/keys.ts';
import { isOpenTo, type ReaderPlace } from '../../domain/message/index.ts';
import {
  type DeliveryType,
  ownTurnCodes,
  type ProcessCommand,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence.ts';
import { requireChannel } from '../message/index.ts';
import { type Service, useCase } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { requireProcess, requireSequence } from '../required.ts';
import { decideIn, requireGroup, runCommand, settleGroup } from '../service/index.ts';
import { type ReminderPorts, runDueReminders } from './run-due.ts';

/** Identifies a signee of a process, or a person of a whole sequence. */
export type ReminderTarget =
  | { readonly processKey: string; readonly signeeKey: string }
  | { readonly sequenceKey: string; readonly personKey: string };

/** A reminder on request. */
export interface RemindRequest {
  /** Default: the delivery channel of the signee. */
  readonly delivery?: DeliveryType;
  /** Whether to add a link that ends planned reminders. For mail only. */
  readonly includeUnsubscribe?: boolean;
  /** E-mail address of the requester, for the log. */
  readonly user?: string;
}

/** Result of a {@link RemindRequest}. */
export interface Reminded {
  /** The process whose log records the reminder. */
  readonly key: ProcessKey;
  readonly delivery: DeliveryType;
  /** Whether an earlier reminder was still waiting, so that only one is sent. */
  readonly isDouble: boolean;
}

function usualDelivery({ signees }: SigningProcess, signeeKey: string): DeliveryType {
  const delivery = signees.find(({ key }) => key === signeeKey)?.delivery ?? 'None';
  if (delivery !== 'None') return delivery;
  const why = 'required, because the owner notifies this signee';
  return invalid('delivery', why, 'use None to only record it in the log');
}

/**
 * Handles the unsubscribe link of a reminder: the signee gets no further planned reminders by mail,
 * in a sequence for any of its documents. The keys of the link suffice as authorisation. A repeated
 * call changes nothing.
 */
export const unsubscribe = useCase(
  ['process.not_found', 'error.signee.not_found'],
  async (ports: ReminderPorts, companyKey, target: ReminderTarget): Promise<void> => {
    await forAll(ports, companyKey, target, (signeeKey) => ({ type: 'unsubscribe', signeeKey }));
  },
);

/** Applies one command per document of a signee, atomically. Returns the number of documents. */
async function forAll(
  ports: ReminderPorts,
  companyKey: CompanyKey | undefined,
  target: ReminderTarget,
  commandFor: (signeeKey: SigneeKey) => ProcessCommand,
): Promise<number> {
  return ports.store.write(async (unit) => {
    const places = await placesOf(unit, companyKey, target);
    const [first] = places;
    if (first === undefined) return 0;
    const group = await requireGroup(unit, ports, first.process.key, first.process);
    for (const { process, signeeKey } of places) {
      await decideIn(unit, ports, group, process.key, commandFor(signeeKey));
    }
    await settleGroup(unit, ports, group);
    return places.length;
  });
}

function placesOf(
  unit: StoreUnit,
  companyKey: CompanyKey | undefined,
  target: ReminderTarget,
): Promise<readonly ReaderPlace[]> {
  return 'processKey' in target
    ? signeeRefs(unit, companyKey, target.processKey, target.signeeKey)
    : placesOfPerson(unit, companyKey, target.sequenceKey, target.personKey);
}

/**
 * The documents covered by a reminder of this signee: first the given one, followed in a sequence
 * by the other documents of the same person.
 *
 * @throws process.not_found also for a process of a different company, error.signee.not_found
 */
async function signeeRefs(
  unit: StoreUnit,
  companyKey: CompanyKey | undefined,
  processKey: string,
  signeeKey: string,
): Promise<readonly ReaderPlace[]> {
  const process = await requireProcess(unit, companyKey, processKey);
  const named = process.signees.find(({ key }) => key === signeeKey);
  if (named === undefined) {
    throw new InnsigliError('error.signee.not_found', `process ${processKey} has no such signee`);
  }
  const first = { process, signeeKey: named.key };
  const { sequenceKey } = process;
  const sequence = sequenceKey === undefined ? undefined : await unit.sequences.find(sequenceKey);
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((place) => place.signeeKey === named.key),
  );
  const others = (person?.signingKeys ?? []).filter((place) => place.processKey !== process.key);
  return [first, ...(await readPlaces(unit, others))];
}

/**
 * The documents of one person of a sequence.
 *
 * @throws process.not_found also for a sequence of a different company, error.signee.not_found
 */
async function placesOfPerson(
  unit: StoreUnit,
  companyKey: CompanyKey | undefined,
  sequenceKey: string,
  personKey: string,
): Promise<readonly ReaderPlace[]> {
  const sequence = await requireSequence(unit, companyKey, sequenceKey);
  const person = sequence.persons.find(({ key }) => key === personKey);
  if (person === undefined) {
    throw new InnsigliError('error.signee.not_found', `sequence ${sequenceKey} has no such signee`);
  }
  return readPlaces(unit, person.signingKeys);
}

/** The document to remind of: the first that awaits the person's signature, otherwise the first. */
function placeToRemind(places: readonly ReaderPlace[]): ReaderPlace {
  const place = places.find(isOpenTo) ?? places[0];
  if (place === undefined)
    throw new InnsigliError('error.signee.not_found', 'the signee does not exist');
  return place;
}

async function readPlaces(
  unit: StoreUnit,
  keys: readonly SigningKey[],
): Promise<readonly ReaderPlace[]> {
  const places: ReaderPlace[] = [];
  for (const { processKey, signeeKey } of keys) {
    const process = await unit.processes.find(processKey);
    if (process !== undefined) places.push({ process, signeeKey });
  }
  return places;
}

/** Reminder operations of a company. */
export const reminderOperations = {
  /**
   * Reminds a signee once, now. In a sequence, one message covers all of its documents. A worker
   * sends it on its next run; planned reminders are unaffected.
   *
   * @throws process.not_found, error.signee.not_found, reminder.delivery.not_allowed,
   * reminder.phone.missing, reminder.email.missing, message.channel.none, signing.forbidden.*
   * @throws validation.error if a signee notified by the owner has no delivery, or the user is not
   * one line of text
   * @example
   * await acme.reminders.remind({ processKey, signeeKey }, { user: 'me@acme.example' });
   */
  remind: useCase(
    [
      'process.not_found',
      'error.signee.not_found',
      'reminder.delivery.not_allowed',
      'reminder.phone.missing',
      'reminder.email.missing',
      'message.channel.none',
      ...ownTurnCodes,
    ],
    async (
      ports: ReminderPorts,
      companyKey,
      target: ReminderTarget,
      request: RemindRequest,
    ): Promise<Reminded> => {
      const by = actor(request.user ?? systemActor, 'by');
      const { process, signeeKey, messages } = await ports.store.read(async (unit) => {
        const place = placeToRemind(await placesOf(unit, companyKey, target));
        return { ...place, messages: await unit.messages.ofProcess(place.process.key) };
      });
      const delivery = request.delivery ?? usualDelivery(process, signeeKey);
      if (delivery !== 'None') requireChannel(ports, delivery, 'delivery');
      const isDouble = messages.some(
        (each) =>
          each.template === 'Reminder' &&
          each.channel === delivery &&
          each.signeeKey === signeeKey &&
          each.state === 'waiting',
      );
      const includeUnsubscribe = request.includeUnsubscribe === true && delivery === 'Email';
      const command = { type: 'remind', signeeKey, delivery, includeUnsubscribe, by } as const;
      const { key } = await runCommand(ports, process.key, command, process);
      return { key, delivery, isDouble };
    },
  ),
  /**
   * Cancels the planned reminders of a signee, in a sequence for all of its documents. They cannot
   * be restored; reminders on request remain possible.
   *
   * @returns the number of documents concerned
   * @throws process.not_found, error.signee.not_found, validation.error
   * @example
   * await acme.reminders.cancelReminders({ processKey, signeeKey });
   */
  cancelReminders: useCase(
    ['process.not_found', 'error.signee.not_found'],
    async (
      ports: ReminderPorts,
      companyKey,
      target: ReminderTarget,
      user?: string,
    ): Promise<number> => {
      const by = actor(user ?? systemActor, 'by');
      return forAll(ports, companyKey, target, (signeeKey) => {
        return { type: 'cancelReminders', signeeKey, by };
      });
    },
  ),
  /**
   * Handles the unsubscribe link of a reminder: the signee gets no further planned reminders by
   * mail, in a sequence for any of its documents.
   *
   * @example
   * await acme.reminders.unsubscribe({ processKey, signeeKey });
   */
  unsubscribe,
  /**
   * Processes the due reminders and messages of all companies.
   *
   * @example
   * const { messages } = await acme.reminders.runDue();
   */
  runDue: useCase([], runDueReminders),
};

/** The methods of {@link reminderOperations}. */
export type ReminderService = Service<typeof reminderOperations>;
