import { isSameNumber } from '../../domain/person/index.ts';
import type { Signee } from '../../domain/process/index.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import { foreignHintError, type Starter } from '../signing/index.ts';
import type { AuthPorts } from './ports.ts';
import { type PersonPlace, placesOf } from './sequence-person.ts';

/** What a login for a sequence asks for. */
interface HintRequest {
  readonly scheme: 'sim-app' | 'eid-se';
  readonly channel: 'Sim' | 'App';
  readonly loginHint: string;
}

/** A number of somebody; `isAdded`: a link has named it. */
interface KnownNumber {
  readonly number: string;
  readonly isAdded: boolean;
}

/** A number to start a login with. */
export interface SequenceHint {
  readonly loginHint: string;
  /**
   * `own`: the company has said that it is the number of the person who is named, or of the only
   * one. Who names nobody rings at any of them: that is `known`.
   */
  readonly number: (Starter & { readonly by: 'link' })['number'];
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
    return { loginHint: own?.number ?? '', number: own?.isAdded === true ? 'known' : 'own' };
  }
  const same = known.flat().filter(({ number }) => isSameNumber(number, loginHint));
  if (same.length > 0) {
    const isOwn = persons.length === 1 && same.some(({ isAdded }) => !isAdded);
    return { loginHint, number: isOwn ? 'own' : 'known' };
  }
  if (known.every((numbers) => numbers.length > 0)) throw foreignHintError();
  return { loginHint, number: 'any' };
}

function numbersOf(
  places: readonly PersonPlace[],
  channel: 'Sim' | 'App' | 'any',
): readonly KnownNumber[] {
  const signees = places.map(({ signee }) => signee);
  const numbers = (read: (signee: Signee) => string | undefined) =>
    signees.flatMap((signee) => {
      const number = read(signee);
      const isAdded = signee.byLink?.isAdded === true;
      return number === undefined ? [] : [{ number, isAdded }];
    });
  const phones = channel === 'App' ? [] : numbers(({ phoneNumber }) => phoneNumber);
  const ssns = channel === 'Sim' ? [] : numbers(({ ssn }) => ssn);
  return [...ssns, ...phones];
}
