import { CoreError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { systemActor } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence/index.ts';
import { applyCommand, refusalError, type ServicePorts } from '../service/index.ts';
import { readActor } from './check-request.ts';
import type { SequenceView } from './create-sequence.ts';
import { requireSequence } from './find-process.ts';

/**
 * Calls all open documents of a sequence off, in one transaction. Only who started it may.
 *
 * @throws process.not_found, sequence.cancel.forbidden
 * @throws error.signee.process.finished when every document is signed by all
 */
export async function cancelSequence(
  ports: ServicePorts,
  companyKey: CompanyKey,
  key: string,
  user: string,
): Promise<SequenceView> {
  const by = readActor(user);
  const nowMs = ports.now();
  return ports.store.write(async (unit) => {
    const { sequence, processes } = await requireSequence(unit, companyKey, key);
    if (!isStarter(by, sequence)) {
      throw new CoreError('sequence.cancel.forbidden', `only who started ${key} may cancel it`);
    }
    if (sequence.canceledAtMs !== undefined) return { sequence, processes };
    const locked = await unit.sequences.lock(sequence.key);
    if (locked === undefined) throw new CoreError('process.not_found', `${key} is gone`);
    // First the sequence: what is called off gives nobody a turn on the way.
    await unit.sequences.save({ ...locked, rev: locked.rev + 1, canceledAtMs: nowMs });
    const outcomes = [];
    for (const processKey of [...locked.processKeys].sort()) {
      outcomes.push(await applyCommand(unit, ports, processKey, { type: 'cancel', by }, nowMs));
    }
    const refused = outcomes.flatMap(({ refusal }) => refusal ?? []);
    if (refused[0] !== undefined && refused.length === outcomes.length) {
      throw refusalError(refused[0], nowMs);
    }
    return requireSequence(unit, companyKey, key);
  });
}

/**
 * True for who started the sequence, and for everybody when nobody is named as that; addresses are
 * compared without letter case.
 */
export function isStarter(by: string, { user }: Pick<Sequence, 'user'>): boolean {
  return user === systemActor || by.trim().toLowerCase() === user.trim().toLowerCase();
}
