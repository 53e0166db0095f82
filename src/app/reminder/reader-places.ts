import { InnsigliError } from '../../base/errors.ts';
import { asKey, type CompanyKey, type ProcessKey, type SequenceKey } from '../../domain/keys.ts';
import { isOpenTo, type ReaderPlace } from '../../domain/message/index.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { Sequence, SigningKey } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/**
 * The documents that a reminder of this signee covers: the one that is named, and in a sequence
 * all others of the same person. The named one comes first.
 *
 * @throws process.not_found also for a process of another company, error.signee.not_found
 */
export async function signeeRefs(
  unit: StoreUnit,
  companyKey: CompanyKey | undefined,
  processKey: string,
  signeeKey: string,
): Promise<readonly ReaderPlace[]> {
  const process = await findProcess(unit, asKey('process', processKey));
  if (process === undefined || !isOf(process, companyKey)) {
    throw new InnsigliError('process.not_found', `there is no process ${processKey}`);
  }
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
 * @throws process.not_found also for a sequence of another company, error.signee.not_found
 */
export async function placesOfPerson(
  unit: StoreUnit,
  companyKey: CompanyKey | undefined,
  sequenceKey: string,
  personKey: string,
): Promise<readonly ReaderPlace[]> {
  const sequence = await findSequence(unit, asKey('sequence', sequenceKey));
  if (sequence === undefined || !isOf(sequence, companyKey)) {
    throw new InnsigliError('process.not_found', `there is no sequence ${sequenceKey}`);
  }
  const person = sequence.persons.find(({ key }) => key === personKey);
  if (person === undefined) {
    throw new InnsigliError('error.signee.not_found', `sequence ${sequenceKey} has no such signee`);
  }
  return readPlaces(unit, person.signingKeys);
}

/** The place where a reminder is asked for: the first that waits for the reader, else the first. */
export function placeToRemind(places: readonly ReaderPlace[]): ReaderPlace {
  const place = places.find(isOpenTo) ?? places[0];
  if (place === undefined)
    throw new InnsigliError('error.signee.not_found', 'there is no such signee');
  return place;
}

async function readPlaces(
  unit: StoreUnit,
  keys: readonly SigningKey[],
): Promise<readonly ReaderPlace[]> {
  const places: ReaderPlace[] = [];
  for (const { processKey, signeeKey } of keys) {
    const process = await findProcess(unit, processKey);
    if (process !== undefined) places.push({ process, signeeKey });
  }
  return places;
}

function findProcess(unit: StoreUnit, key: ProcessKey): Promise<SigningProcess | undefined> {
  return unit.processes.find(key);
}

function findSequence(unit: StoreUnit, key: SequenceKey): Promise<Sequence | undefined> {
  return unit.sequences.find(key);
}

function isOf(owned: { readonly companyKey: CompanyKey }, companyKey: CompanyKey | undefined) {
  return companyKey === undefined || owned.companyKey === companyKey;
}
