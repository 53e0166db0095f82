import { type NumberStanding, numbersOf, standingOf } from '../../domain/person/index.ts';
import type { Circumstances, Signee } from '../../domain/process/index.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { foreignHintError, strangersStanding } from '../signing/index.ts';
import { findByNumber, type NamedNumber } from './number-guesses.ts';
import type { AuthPorts } from './ports.ts';
import { loginOpensIn, passcodeMissing } from './sequence-passcode.ts';
import { placesIn } from './sequence-person.ts';

/** What a login for a sequence asks for. */
interface HintRequest {
  readonly scheme: 'sim-app' | 'eid-se';
  readonly channel: 'Sim' | 'App';
  readonly loginHint: string;
  readonly circumstances?: Circumstances;
}

/** A number to start a login with. */
export interface SequenceHint {
  readonly loginHint: string;
  /** What it is to the person who is named; who names nobody is a stranger to all of them. */
  readonly number: NumberStanding;
}

/**
 * The number that a login for a sequence is started with. A hint has to be a number of the person,
 * or of any person where none is named; only where somebody has none may it be another one. To
 * whom a login opens nothing, because they have a passcode, is as good as not there.
 *
 * @throws authentication.error.signee.logon.mismatch, authentication.start.too_frequent
 * @throws authentication.credentials.invalid where a login opens nothing to anybody
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
    // Without a number it is the person who tells it, to the provider.
    const number = own === '' ? undefined : standingOf(places, channel, own);
    return { loginHint: own, number: number ?? 'own' };
  }
  // Who has the link of a person finds out no number of another one.
  if (person !== undefined) {
    const named = await ports.store.read(check);
    if ('wrong' in named) throw named.wrong;
    return named.right;
  }
  const place = { key: sequence.key, ip: circumstances?.ip };
  return findByNumber(ports, place, (unit) => unit.sequences.lock(sequence.key), check);
}

/** The places of a person, and whether a login opens anything to them. */
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
    return { places, isOpen: loginOpensIn(processes, sequence, each) };
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

/** The better the more is known. */
const standings: readonly NumberStanding[] = ['own', 'known', 'named', 'any'];

function channelOf({ scheme, channel }: HintRequest): Parameters<typeof numbersOf>[1] {
  return scheme === 'eid-se' ? 'any' : channel;
}
