import {
  type Fit,
  fitOf,
  fits,
  type Identity,
  type SigneeIdentity,
  usualSigneeIdentity,
} from '../../domain/person/index.ts';
import type { Signee, SigningProcess } from '../../domain/process/index.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/** A place of a person of a sequence. */
export interface PersonPlace {
  readonly process: SigningProcess;
  readonly signee: Signee;
}

/** The places of a person as they are now. */
export async function placesOf(
  unit: StoreUnit,
  person: SequencePerson,
): Promise<readonly PersonPlace[]> {
  const keys = person.signingKeys.map(({ processKey }) => processKey);
  return placesIn(await unit.processes.findAll(keys), person);
}

/**
 * The places of a person in documents of the sequence that were read before: to read them for each
 * person anew takes the time of all documents times all persons.
 */
export function placesIn(
  processes: readonly SigningProcess[],
  { signingKeys }: SequencePerson,
): readonly PersonPlace[] {
  const byKey = new Map(processes.map((process) => [process.key, process]));
  return signingKeys.flatMap(({ processKey, signeeKey }) => {
    const process = byKey.get(processKey);
    const signee = process?.signees.find(({ key }) => key === signeeKey);
    return process === undefined || signee === undefined ? [] : [{ process, signee }];
  });
}

/**
 * The person of a sequence whom an identity fits: the one that is wanted, else the one of that
 * number, else the only one of that name. Undefined where it fits nobody, or several alike.
 */
export async function personBehind(
  unit: StoreUnit,
  { persons, processKeys }: Sequence,
  identity: Identity,
  wanted: string | undefined,
): Promise<SequencePerson | undefined> {
  const processes = await unit.processes.findAll(processKeys);
  const fitting: { readonly person: SequencePerson; readonly fit: Fit }[] = [];
  for (const person of persons) {
    if (wanted !== undefined && person.key !== wanted) continue;
    // Who can be anybody is not guessed.
    const most = wanted === undefined ? 'name' : 'anybody';
    const fit = leastFit(placesIn(processes, person), identity, most);
    if (fit !== fits.none) fitting.push({ person, fit });
  }
  const best = Math.max(fits.none, ...fitting.map(({ fit }) => fit));
  const [first, ...alike] = fitting.filter(({ fit }) => fit === best);
  return alike.length === 0 ? first?.person : undefined;
}

/** How an identity fits a person in all their documents, each of which has its own rule. */
function leastFit(places: readonly PersonPlace[], identity: Identity, most: SigneeIdentity): Fit {
  const signees = places.map(({ signee }) => signee);
  const found = places.map(({ process: { policy } }) => {
    const rule = policy.signeeIdentity ?? usualSigneeIdentity;
    return fitOf(signees, identity, rule === 'anybody' ? most : rule);
  });
  return found.length === 0 ? fits.none : (Math.min(...found) as Fit);
}
