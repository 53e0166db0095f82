import type { SigneeChange, SigningProcess } from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence/index.ts';
import {
  decideIn,
  outcomeOf,
  type ProcessGroup,
  requireAccepted,
  requireGroup,
  type ServicePorts,
  settleGroup,
} from '../service/index.ts';

/** Who changes a signee: the company, or whoever may open the one place. */
export type ChangedFrom = 'company' | 'place';

/**
 * Changes how a signee is reached. In a sequence a new mail address is that of the person in all
 * documents that they have not signed: one invitation goes to it, and none to the old one. Only
 * the company changes it so in documents that ask for a login: another place is no key to them.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*
 */
export async function updateSignee(
  ports: ServicePorts,
  place: SigningKey,
  change: SigneeChange,
  by: string,
  from: ChangedFrom,
): Promise<SigningProcess> {
  const { processKey, signeeKey } = place;
  const outcome = await ports.store.write(async (unit) => {
    const group = await requireGroup(unit, ports, processKey);
    const own = { type: 'updateSignee', signeeKey, change, by } as const;
    const refusal = await decideIn(unit, ports, group, processKey, own);
    const { email } = change;
    for (const other of refusal === undefined ? otherPlaces(group, place) : []) {
      if (email === undefined) break;
      if (from === 'place' && group.get(other.processKey).requiresAuth) continue;
      const theirs = { ...own, signeeKey: other.signeeKey, change: { email } };
      // What is signed already keeps the address that it was signed with.
      await decideIn(unit, ports, group, other.processKey, theirs);
    }
    await settleGroup(unit, ports, group);
    return outcomeOf(group, processKey, refusal);
  });
  return requireAccepted(outcome);
}

function otherPlaces({ sequence }: ProcessGroup, { signeeKey }: SigningKey): readonly SigningKey[] {
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((each) => each.signeeKey === signeeKey),
  );
  return person?.signingKeys.filter((each) => each.signeeKey !== signeeKey) ?? [];
}
