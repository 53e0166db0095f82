import type { SigneeChange, SigningProcess } from '../../domain/process/index.ts';
import type { SigningKey } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { applyCommand, refusalError, type ServicePorts } from '../service/index.ts';

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
  const nowMs = ports.now();
  const { process, refusal } = await ports.store.write(async (unit) => {
    const { processKey, signeeKey } = place;
    const command = { type: 'updateSignee', by } as const;
    const own = { ...command, signeeKey, change };
    const outcome = await applyCommand(unit, ports, processKey, own, nowMs);
    const { email } = change;
    if (outcome.refusal !== undefined || email === undefined) return outcome;
    for (const other of await otherPlaces(unit, outcome.process, place)) {
      if (from === 'place' && (await asksForLogin(unit, other))) continue;
      const theirs = { ...command, signeeKey: other.signeeKey, change: { email } };
      // What is signed already keeps the address that it was signed with.
      await applyCommand(unit, ports, other.processKey, theirs, nowMs);
    }
    return outcome;
  });
  if (refusal !== undefined) throw refusalError(refusal, nowMs);
  return process;
}

async function otherPlaces(
  unit: StoreUnit,
  { sequenceKey }: SigningProcess,
  { signeeKey }: SigningKey,
): Promise<readonly SigningKey[]> {
  const sequence = sequenceKey === undefined ? undefined : await unit.sequences.find(sequenceKey);
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((each) => each.signeeKey === signeeKey),
  );
  return person?.signingKeys.filter((each) => each.signeeKey !== signeeKey) ?? [];
}

async function asksForLogin(unit: StoreUnit, { processKey }: SigningKey): Promise<boolean> {
  return (await unit.processes.find(processKey))?.requiresAuth !== false;
}
