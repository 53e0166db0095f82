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
  { signingKeys }: SequencePerson,
): Promise<readonly PersonPlace[]> {
  const places: PersonPlace[] = [];
  for (const { processKey, signeeKey } of signingKeys) {
    const process = await unit.processes.find(processKey);
    const signee = process?.signees.find(({ key }) => key === signeeKey);
    if (process !== undefined && signee !== undefined) places.push({ process, signee });
  }
  return places;
}

/**
 * The person of a sequence whom an identity fits: the one that is wanted, else the one of that
 * number, else the only one of that name. Undefined where it fits nobody, or several alike.
 */
export async function personBehind(
  unit: StoreUnit,
  { persons }: Sequence,
  identity: Identity,
  wanted: string | undefined,
): Promise<SequencePerson | undefined> {
  const fitting: { readonly person: SequencePerson; readonly fit: Fit }[] = [];
  for (const person of persons) {
    if (wanted !== undefined && person.key !== wanted) continue;
    // Who can be anybody is not guessed.
    const most = wanted === undefined ? 'name' : 'anybody';
    const fit = leastFit(await placesOf(unit, person), identity, most);
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
