import type { DecisionContext, SigningProcess } from '../../domain/process/index.ts';
import { placesOfPersons } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/**
 * The persons of the sequence of a process as they are at this moment, for what is looked at
 * before it is decided; nothing outside of a sequence.
 */
export async function readPersons(
  unit: StoreUnit,
  { sequenceKey }: Pick<SigningProcess, 'sequenceKey'>,
): Promise<Pick<DecisionContext, 'persons'>> {
  if (sequenceKey === undefined) return {};
  const sequence = await unit.sequences.find(sequenceKey);
  if (sequence === undefined) return {};
  const processes = [];
  for (const key of sequence.processKeys) {
    const found = await unit.processes.find(key);
    if (found !== undefined) processes.push(found);
  }
  const places = placesOfPersons(sequence, processes);
  return { persons: () => places };
}
