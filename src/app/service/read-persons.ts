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
  const places = placesOfPersons(sequence, await unit.processes.findAll(sequence.processKeys));
  return { persons: () => places };
}
