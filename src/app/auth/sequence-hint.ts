import { isSameNumber } from '../../domain/person/index.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import { foreignHintError } from '../signing/index.ts';
import type { AuthPorts } from './ports.ts';
import { type PersonPlace, placesOf } from './sequence-person.ts';

/** What a login for a sequence asks for. */
interface HintRequest {
  readonly scheme: 'sim-app' | 'eid-se';
  readonly channel: 'Sim' | 'App';
  readonly loginHint: string;
}

/** A number to start a login with. */
export interface SequenceHint {
  readonly loginHint: string;
  /** False for a number that is not known to be that of a person of the sequence. */
  readonly isKnown: boolean;
}

/**
 * The number that a login for a sequence is started with. A hint has to be a number of the person,
 * or of any person where none is named; only where somebody has none may it be another one.
 *
 * @throws authentication.error.signee.logon.mismatch
 */
export async function hintFor(
  { store }: Pick<AuthPorts, 'store'>,
  found: { readonly sequence: Sequence; readonly person: SequencePerson | undefined },
  { scheme, channel, loginHint }: HintRequest,
): Promise<SequenceHint> {
  const { sequence, person } = found;
  const persons = person === undefined ? sequence.persons : [person];
  const known = await store.read(async (unit) => {
    const numbers = [];
    for (const each of persons) {
      numbers.push(numbersOf(await placesOf(unit, each), scheme === 'eid-se' ? 'any' : channel));
    }
    return numbers;
  });
  if (loginHint.trim() === '') {
    const own = person === undefined ? undefined : known[0]?.[0];
    return { loginHint: own ?? '', isKnown: true };
  }
  if (known.flat().some((number) => isSameNumber(number, loginHint))) {
    return { loginHint, isKnown: true };
  }
  if (known.every((numbers) => numbers.length > 0)) throw foreignHintError();
  return { loginHint, isKnown: false };
}

function numbersOf(
  places: readonly PersonPlace[],
  channel: 'Sim' | 'App' | 'any',
): readonly string[] {
  const signees = places.map(({ signee }) => signee);
  const phones = channel === 'App' ? [] : signees.map(({ phoneNumber }) => phoneNumber);
  const ssns = channel === 'Sim' ? [] : signees.map(({ ssn }) => ssn);
  return [...ssns, ...phones].filter((number) => number !== undefined);
}
