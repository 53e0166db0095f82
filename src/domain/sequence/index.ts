/** Several documents that the same persons sign together. */
export {
  groupPersons,
  personsInTurn,
  placesOfPersons,
  sequenceStatus,
  sequenceTurn,
} from './order.ts';
export type { Sequence, SequencePerson, SigningKey } from './sequence.ts';
