import type { ErrorCode } from '../../base/errors.ts';
import type { Refusal, SigneeChange, SigningProcess } from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence/index.ts';
import {
  decideIn,
  outcomeOf,
  type ProcessGroup,
  refusalError,
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
 * A document that cannot take the address refuses the whole change.
 *
 * @throws process.not_found, error.signee.not_found, error.signee.add.exists, signing.forbidden.*
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
    const isByLink = from === 'place';
    const own = { type: 'updateSignee', signeeKey, change, by, isByLink } as const;
    const refusal = await decideIn(unit, ports, group, processKey, own);
    const { email } = change;
    for (const other of refusal === undefined ? otherPlaces(group, place) : []) {
      if (email === undefined) break;
      if (from === 'place' && group.get(other.processKey).requiresAuth) continue;
      const theirs = { ...own, signeeKey: other.signeeKey, change: { email } };
      const no = await decideIn(unit, ports, group, other.processKey, theirs);
      // The keys of one document are not told to who has those of another.
      if (no !== undefined && !isOver(no)) {
        const message = 'another document of the sequence does not take the change';
        throw refusalError({ ...no, message }, group.nowMs);
      }
    }
    await settleGroup(unit, ports, group);
    return outcomeOf(group, processKey, refusal);
  });
  return requireAccepted(outcome);
}

/** What is signed or has ended keeps the address that it has. */
function isOver({ code }: Refusal): boolean {
  return overCodes.has(code);
}

const overCodes: ReadonlySet<ErrorCode> = new Set([
  'signing.forbidden.signee.signed',
  'signing.forbidden.canceled',
  'signing.forbidden.expired',
]);

function otherPlaces({ sequence }: ProcessGroup, { signeeKey }: SigningKey): readonly SigningKey[] {
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((each) => each.signeeKey === signeeKey),
  );
  return person?.signingKeys.filter((each) => each.signeeKey !== signeeKey) ?? [];
}
