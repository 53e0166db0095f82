import { isSameNumber } from '../../domain/person/index.ts';
import type { Circumstances, Signee } from '../../domain/process/index.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { foreignHintError, type Starter } from '../signing/index.ts';
import { findByNumber, type NamedNumber } from './number-guesses.ts';
import type { AuthPorts } from './ports.ts';
import { loginOpens, passcodeMissing } from './sequence-passcode.ts';
import { type PersonPlace, placesOf } from './sequence-person.ts';

/** What a login for a sequence asks for. */
interface HintRequest {
  readonly scheme: 'sim-app' | 'eid-se';
  readonly channel: 'Sim' | 'App';
  readonly loginHint: string;
  readonly circumstances?: Circumstances;
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
  const judge = async (unit: StoreUnit) =>
    judgeHint(await knownNumbers(unit, sequence, persons, request), loginHint);
  if (loginHint.trim() === '') {
    const known = await ports.store.read((unit) => knownNumbers(unit, sequence, persons, request));
    if (known.every(({ isOpen }) => !isOpen)) throw passcodeMissing();
    const own = person === undefined ? undefined : known[0]?.numbers[0];
    return { loginHint: own?.number ?? '', number: own?.isAdded === true ? 'known' : 'own' };
  }
  // Who has the link of a person finds out no number of another one.
  if (person !== undefined) {
    const named = await ports.store.read(judge);
    if ('wrong' in named) throw named.wrong;
    return named.right;
  }
  return findByNumber(ports, { key: sequence.key, ip: circumstances?.ip }, async (unit) => {
    await unit.sequences.lock(sequence.key);
    return judge(unit);
  });
}

/** What is known of a person, and whether a login opens anything to them. */
interface KnownNumbers {
  readonly numbers: readonly KnownNumber[];
  readonly isOpen: boolean;
}

async function knownNumbers(
  unit: StoreUnit,
  sequence: Sequence,
  persons: readonly SequencePerson[],
  { scheme, channel }: HintRequest,
): Promise<readonly KnownNumbers[]> {
  const known = [];
  for (const each of persons) {
    const places = await placesOf(unit, each);
    const numbers = numbersOf(places, scheme === 'eid-se' ? 'any' : channel);
    known.push({ numbers, isOpen: await loginOpens(unit, sequence, each) });
  }
  return known;
}

function judgeHint(known: readonly KnownNumbers[], loginHint: string): NamedNumber<SequenceHint> {
  if (known.every(({ isOpen }) => !isOpen)) return { wrong: passcodeMissing() };
  const isHint = ({ number }: KnownNumber) => isSameNumber(number, loginHint);
  const owners = known.filter(({ numbers }) => numbers.some(isHint));
  if (owners.some(({ isOpen }) => isOpen)) {
    const same = owners.flatMap(({ numbers }) => numbers.filter(isHint));
    const isOwn = known.length === 1 && same.some(({ isAdded }) => !isAdded);
    return { right: { loginHint, number: isOwn ? 'own' : 'known' } };
  }
  const open = known.filter(({ isOpen }) => isOpen);
  const isNobodys = owners.length > 0 || open.every(({ numbers }) => numbers.length > 0);
  return isNobodys ? { wrong: foreignHintError() } : { right: { loginHint, number: 'any' } };
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
