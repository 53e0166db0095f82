import { InnsigliError } from '../../base/errors.ts';
import { object } from '../../base/input.ts';
import { type Refusal, systemActor } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence/index.ts';
import { operation } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { actor, anyKey } from '../request-texts.ts';
import {
  decideIn,
  lockSequence,
  refusalError,
  type SequenceGroup,
  type ServicePorts,
  saveSequence,
  settleGroup,
} from '../service/index.ts';
import type { SequenceView } from './create-sequence.ts';
import { requireSequence } from './find-process.ts';

/** Cancels all open documents of a sequence, in one transaction. Only who started it may. */
export const cancelSequence = operation(object({ key: anyKey, by: actor }), {
  errors: ['process.not_found', 'sequence.cancel.forbidden', 'error.signee.process.finished'],
  run: async (ports: ServicePorts, companyKey, { key, by }) => {
    const { view, refusal, nowMs } = await ports.store.write(async (unit) => {
      const found = await requireSequence(unit, companyKey, key);
      if (!isStarter(by, found)) {
        throw new InnsigliError(
          'sequence.cancel.forbidden',
          `only who started ${key} may cancel it`,
        );
      }
      const group = await lockSequence(unit, ports, found.key);
      if (group === undefined) throw new InnsigliError('process.not_found', `${key} is gone`);
      const refused = await cancelAll(unit, ports, group, by);
      return { view: viewOf(group), nowMs: group.nowMs, refusal: refused };
    });
    // Only now, because documents whose time is over became expired.
    if (refusal !== undefined) throw refusalError(refusal, nowMs);
    return view;
  },
});

/** Gives the rule that refuses the first document when all of them refuse. */
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
  // Before it is settled: what is called off gives nobody a turn.
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

/**
 * True for who started the sequence, and for everybody when nobody is named as that; addresses are
 * compared without letter case.
 */
export function isStarter(by: string, { user }: Pick<Sequence, 'user'>): boolean {
  return user === systemActor || by.trim().toLowerCase() === user.trim().toLowerCase();
}
