import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { actor, anyKey, longText, number, object, string } from '../../base/input.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  ownTurnCodes,
  type ProcessCommand,
  type Refusal,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import { operation } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { notFoundError, requireProcess, requireSequence } from '../required.ts';
import {
  decideIn,
  lockSequence,
  refusalError,
  runCommand,
  type SequenceGroup,
  type ServicePorts,
  saveSequence,
  settleGroup,
} from '../service/index.ts';
import { purgeNow, type RemovalPorts } from './purge.ts';
import type { SequenceView } from './read.ts';

/** Maximum length of the reason for a cancellation or suspension, in characters. */
const REASON_MAX = 2000;

const ofProcess = { key: anyKey, by: actor } as const;
const withReason = { ...ofProcess, reason: longText(REASON_MAX) } as const;

const endedErrors = [
  'process.not_found',
  'error.signee.process.finished',
  'signing.forbidden.expired',
] as const satisfies readonly ErrorCode[];

/** Operations that change processes and sequences. */
export const changeOperations = {
  /**
   * Cancels a process, so that it can no longer be signed. Cancelling it again changes nothing; a
   * process that is completely signed is not cancelled. Documents of a sequence can be cancelled
   * only by the user who started the sequence.
   *
   * @example
   * await acme.processes.cancel({ key, by: 'me@acme.example', reason: 'Wrong document' });
   */
  cancel: operation(object(withReason), {
    errors: [...endedErrors, 'sequence.cancel.forbidden'],
    run: async (ports: ServicePorts, companyKey, { key, ...rest }) => {
      const known = await ports.store.read(async (unit) => {
        const process = await requireProcess(unit, companyKey, key);
        const { sequenceKey } = process;
        if (sequenceKey === undefined) return process;
        if (isStarter(rest.by, await requireSequence(unit, companyKey, sequenceKey)))
          return process;
        const message = `only the owner of ${sequenceKey} may cancel its documents`;
        throw new InnsigliError('sequence.cancel.forbidden', message);
      });
      return runCommand(ports, known.key, { type: 'cancel', ...rest }, known);
    },
  }),
  /**
   * Cancels all open documents of a sequence in one transaction. Only the user who started the
   * sequence may cancel it.
   *
   * @example
   * await acme.processes.cancelSequence({ key, by: 'me@acme.example' });
   */
  cancelSequence: operation(object(ofProcess), {
    errors: [...endedErrors, 'sequence.cancel.forbidden'],
    run: async (ports: ServicePorts, companyKey, { key, by }) => {
      const { view, refusal, nowMs } = await ports.store.write(async (unit) => {
        const found = await requireSequence(unit, companyKey, key);
        if (!isStarter(by, found)) {
          throw new InnsigliError(
            'sequence.cancel.forbidden',
            `only the owner of ${key} may cancel it`,
          );
        }
        const group = await lockSequence(unit, ports, found.key);
        if (group === undefined) throw notFoundError('sequence', key);
        const refused = await cancelAll(unit, ports, group, by);
        return { view: viewOf(group), nowMs: group.nowMs, refusal: refused };
      });
      // Thrown after the transaction, which must commit: it marked overdue documents as expired.
      if (refusal !== undefined) throw refusalError(refusal, nowMs);
      return view;
    },
  }),
  /**
   * Suspends a process, so that it cannot be signed meanwhile. Blocking it again changes nothing.
   *
   * @example
   * await acme.processes.block({ key, by: 'me@acme.example', reason: 'Dispute' });
   */
  block: operation(object(withReason), {
    errors: [...endedErrors, 'signing.forbidden.canceled'],
    run: (ports: ServicePorts, companyKey, { key, ...rest }) =>
      change(ports, companyKey, key, { type: 'block', ...rest }),
  }),
  /**
   * Ends the suspension of a process.
   *
   * @example
   * await acme.processes.unblock({ key, by: 'me@acme.example' });
   */
  unblock: operation(object(ofProcess), {
    errors: ['process.not_found', 'process.state.refused'],
    run: (ports: ServicePorts, companyKey, { key, by }) =>
      change(ports, companyKey, key, { type: 'unblock', by }),
  }),
  /**
   * Sets the expiry time of a process that has not yet expired, in milliseconds since the epoch.
   *
   * @example
   * await acme.processes.extend({ key, by: user, expiresAtMs: Date.now() + 7 * 86_400_000 });
   */
  extend: operation(object({ ...ofProcess, expiresAtMs: number }), {
    errors: [...endedErrors, 'signing.forbidden.canceled'],
    run: (ports: ServicePorts, companyKey, { key, ...rest }) =>
      change(ports, companyKey, key, { type: 'extend', ...rest }),
  }),
  /**
   * Retries the sealing of a signed document after it has failed permanently.
   *
   * @example
   * await acme.processes.retryFinalize({ key, by: 'me@acme.example' });
   */
  retryFinalize: operation(object(ofProcess), {
    errors: ['process.not_found', 'process.state.refused'],
    run: (ports: ServicePorts, companyKey, { key, by }) =>
      change(ports, companyKey, key, { type: 'retryFinalize', by }),
  }),
  /**
   * Sends a signee's invitation again, over the signee's delivery channel.
   *
   * @example
   * await acme.processes.invite({ key, signeeKey, by: 'me@acme.example' });
   */
  invite: operation(object({ ...ofProcess, signeeKey: string }), {
    errors: ['process.not_found', 'error.signee.not_found', ...ownTurnCodes],
    run: (ports: ServicePorts, companyKey, { key, signeeKey, by }) =>
      change(ports, companyKey, key, { type: 'invite', signeeKey: asKey('signee', signeeKey), by }),
  }),
  /**
   * Removes an attachment. Possible only before the first signature.
   *
   * @example
   * await acme.processes.deleteAttachment({ key, attachmentKey, by: user });
   */
  deleteAttachment: operation(object({ ...ofProcess, attachmentKey: string }), {
    errors: [
      'process.not_found',
      'process.file.not_found',
      'error.signee.process.finished',
      'signing.forbidden.document.signed',
      '2002',
    ],
    run: (ports: ServicePorts, companyKey, { key, ...rest }) =>
      change(ports, companyKey, key, { type: 'deleteAttachment', ...rest }),
  }),
  /**
   * Deletes the files, the messages stored as files and the personal data of a process that has
   * ended.
   *
   * @example
   * await acme.processes.purge({ key, by: 'me@acme.example' });
   */
  purge: operation(object(ofProcess), {
    errors: ['process.not_found', 'process.state.refused'],
    run: async (ports: ServicePorts & RemovalPorts, companyKey, { key, by }) => {
      const known = await ports.store.read((unit) => requireProcess(unit, companyKey, key));
      return purgeNow(ports, known, by);
    },
  }),
};

async function change(
  ports: ServicePorts,
  companyKey: CompanyKey,
  key: string,
  command: ProcessCommand,
): Promise<SigningProcess> {
  const known = await ports.store.read((unit) => requireProcess(unit, companyKey, key));
  return runCommand(ports, known.key, command, known);
}

/** Cancels the documents of the group. Returns the refusal of the first one if all refuse. */
async function cancelAll(
  unit: StoreUnit,
  ports: ServicePorts,
  group: SequenceGroup,
  by: string,
): Promise<Refusal | undefined> {
  const { sequence, nowMs } = group;
  if (sequence.canceledAtMs !== undefined) return undefined;
  const refusals: Refusal[] = [];
  for (const { key } of group.all()) {
    const refusal = await decideIn(unit, ports, group, key, { type: 'cancel', by });
    if (refusal !== undefined) refusals.push(refusal);
  }
  const isRefused = refusals.length === group.all().length;
  // Before the group is settled: a cancelled document notifies no next signee.
  if (!isRefused) {
    const canceled = { ...sequence, rev: sequence.rev + 1, canceledAtMs: nowMs };
    await saveSequence(unit, group, canceled);
  }
  await settleGroup(unit, ports, group);
  return isRefused ? refusals[0] : undefined;
}

function viewOf({ sequence, get }: SequenceGroup): SequenceView {
  return { sequence, processes: sequence.processKeys.map(get) };
}

/** Whether the user started the sequence, case-insensitively; true if no owner is recorded. */
function isStarter(by: string, { user }: Pick<Sequence, 'user'>): boolean {
  return user === systemActor || by.trim().toLowerCase() === user.trim().toLowerCase();
}
