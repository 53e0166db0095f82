import {
  type Fit,
  fitOf,
  fits,
  type Identity,
  type NumberStanding,
  numbersOf,
  type SigneeIdentity,
  standingOf,
  usualSigneeIdentity,
} from '../../../domain/person/index.ts';
import type { Circumstances, Signee, SigningProcess } from '../../../domain/process/index.ts';
import type { Sequence, SequencePerson } from '../../../domain/sequence.ts';
import type { StoreUnit } from '../../ports/index.ts';
import { foreignHintError, strangersStanding } from '../../signing/index.ts';
import { findByNumber, type NamedNumber } from '../number-guesses.ts';
import type { AuthPorts } from '../ports.ts';
import { loginGrantsAccessIn, passcodeMissing } from './sequence-passcode.ts';

interface HintRequest {
  readonly scheme: 'sim-app' | 'eid-se' | 'device-link';
  readonly channel: 'Sim' | 'App';
  readonly loginHint: string;
  readonly circumstances?: Circumstances;
}

/** A number to start a login with. */
interface SequenceHint {
  readonly loginHint: string;
  /** Relation of the number to the named person; if none is named, it counts as a stranger's. */
  readonly number: NumberStanding;
}

/**
 * The number with which a login for a sequence is started. A hint must be a number of the named
 * person, or of any person if none is named; only a person without a number permits an arbitrary
 * one. Persons with a passcode, to whom a login grants no access, are excluded.
 *
 * @throws authentication.error.signee.logon.mismatch, authentication.start.too_frequent
 * @throws authentication.credentials.invalid if a login grants access to no one
 */
export async function hintFor(
  ports: Pick<AuthPorts, 'store' | 'now'>,
  found: { readonly sequence: Sequence; readonly person: SequencePerson | undefined },
  request: HintRequest,
): Promise<SequenceHint> {
  const { sequence, person } = found;
  const { loginHint, circumstances } = request;
  const persons = person === undefined ? sequence.persons : [person];
  const check = async (unit: StoreUnit) =>
    checkHint(await knownPlaces(unit, sequence, persons), found, request);
  if (loginHint.trim() === '') {
    const known = await ports.store.read((unit) => knownPlaces(unit, sequence, persons));
    if (known.every(({ isOpen }) => !isOpen)) throw passcodeMissing();
    const places = person === undefined ? [] : (known[0]?.places ?? []);
    const channel = channelOf(request);
    const own = numbersOf(places, channel)[0] ?? '';
    // Without a number, the person enters it at the provider.
    const number = own === '' ? undefined : standingOf(places, channel, own);
    return { loginHint: own, number: number ?? 'own' };
  }
  // The holder of a person's link cannot learn the number of another person.
  if (person !== undefined) {
    const named = await ports.store.read(check);
    if ('wrong' in named) throw named.wrong;
    return named.right;
  }
  const place = { key: sequence.key, ip: circumstances?.ip };
  return findByNumber(ports, place, (unit) => unit.sequences.lock(sequence.key), check);
}

/** The places of a person, and whether a login grants access to them. */
interface KnownPlaces {
  readonly places: readonly Signee[];
  readonly isOpen: boolean;
}

async function knownPlaces(
  unit: StoreUnit,
  sequence: Sequence,
  persons: readonly SequencePerson[],
): Promise<readonly KnownPlaces[]> {
  const processes = await unit.processes.findAll(sequence.processKeys);
  return persons.map((each) => {
    const places = placesIn(processes, each).map(({ signee }) => signee);
    return { places, isOpen: loginGrantsAccessIn(processes, sequence, each) };
  });
}

function checkHint(
  known: readonly KnownPlaces[],
  { person }: { readonly person: SequencePerson | undefined },
  request: HintRequest,
): NamedNumber<SequenceHint> {
  const { loginHint } = request;
  const channel = channelOf(request);
  if (known.every(({ isOpen }) => !isOpen)) return { wrong: passcodeMissing() };
  const found = known.map(({ places, isOpen }) => {
    return { isOpen, standing: standingOf(places, channel, loginHint) };
  });
  const owners = found.filter(({ standing }) => standing === 'own' || standing === 'known');
  const open = (owners.length > 0 ? owners : found).filter(({ isOpen }) => isOpen);
  const best = standings.find((each) => open.some(({ standing }) => standing === each));
  if (best === undefined) return { wrong: foreignHintError() };
  return { right: { loginHint, number: person === undefined ? strangersStanding(best) : best } };
}

/** Best first: the closest relation of the number to a person. */
const standings: readonly NumberStanding[] = ['own', 'known', 'named', 'any'];

function channelOf({ scheme, channel }: HintRequest): Parameters<typeof numbersOf>[1] {
  return scheme === 'sim-app' ? channel : 'any';
}

/** A place of a person of a sequence. */
export interface PersonPlace {
  readonly process: SigningProcess;
  readonly signee: Signee;
}

/** The current places of a person. */
export async function placesOf(
  unit: StoreUnit,
  person: SequencePerson,
): Promise<readonly PersonPlace[]> {
  const keys = person.signingKeys.map(({ processKey }) => processKey);
  return placesIn(await unit.processes.findAll(keys), person);
}

/** A person's places in documents already read: rereading would take documents × persons. */
function placesIn(
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
 * The person of a sequence whom an identity matches: the named one, else the one with that number,
 * else the only one with that name. Undefined if it matches none, or several equally well.
 */
export async function matchingPerson(
  unit: StoreUnit,
  { persons, processKeys }: Sequence,
  identity: Identity,
  wanted: string | undefined,
): Promise<SequencePerson | undefined> {
  const processes = await unit.processes.findAll(processKeys);
  const fitting: { readonly person: SequencePerson; readonly fit: Fit }[] = [];
  for (const person of persons) {
    if (wanted !== undefined && person.key !== wanted) continue;
    // A person who may be anybody is never matched without being named.
    const most = wanted === undefined ? 'name' : 'anybody';
    const fit = weakestFit(placesIn(processes, person), identity, most);
    if (fit !== fits.none) fitting.push({ person, fit });
  }
  const best = Math.max(fits.none, ...fitting.map(({ fit }) => fit));
  const [first, ...alike] = fitting.filter(({ fit }) => fit === best);
  return alike.length === 0 ? first?.person : undefined;
}

/** The weakest match between identity and person in all documents, each with its own rule. */
function weakestFit(places: readonly PersonPlace[], identity: Identity, most: SigneeIdentity): Fit {
  const signees = places.map(({ signee }) => signee);
  const found = places.map(({ process: { policy } }) => {
    const rule = policy.signeeIdentity ?? usualSigneeIdentity;
    return fitOf(signees, identity, rule === 'anybody' ? most : rule);
  });
  return found.length === 0 ? fits.none : (Math.min(...found) as Fit);
}
