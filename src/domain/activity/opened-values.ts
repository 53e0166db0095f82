import {
  isSigneeFact,
  type Signee,
  type SigningProcess,
  signeeFacts,
  signeesFact,
} from '../process/index.ts';
import type { Activity, OpenedValue, PersonalValue } from './activity.ts';
import { storableText } from './canonical-json.ts';

/** Personal values of a log by the numbers of their rows. */
export type PersonalOf<Value> = ReadonlyMap<number, readonly Value[]>;

/**
 * The personal values of a log; those of signees are what the process says of them now. What it no
 * longer knows is an empty text: the row was written with another.
 */
export function openedValues(
  rows: readonly Activity[],
  personal: PersonalOf<PersonalValue>,
  { signees }: Pick<SigningProcess, 'signees'>,
): PersonalOf<OpenedValue> {
  const byKey = new Map<string, Signee>(signees.map((signee) => [signee.key, signee]));
  const signeeOf = new Map(rows.map(({ seq, signeeKey }) => [seq, byKey.get(signeeKey ?? '')]));
  let all: Readonly<Record<string, string>> | undefined;
  const factsAt = (seq: number): Readonly<Record<string, string>> => {
    all ??= signeesFact(signees);
    const signee = signeeOf.get(seq);
    return { ...all, ...(signee === undefined ? {} : signeeFacts(signee)) };
  };
  return new Map(
    [...personal].map(([seq, values]) => {
      const facts = values.some(({ name }) => isSigneeFact(name)) ? factsAt(seq) : {};
      return [seq, values.map((each) => opened(each, facts))];
    }),
  );
}

function opened(
  { name, salt, value }: PersonalValue,
  facts: Readonly<Record<string, string>>,
): OpenedValue {
  // A value that was stored in place of the process's own would hide a change of the process.
  if (!isSigneeFact(name)) return { name, salt, value: value ?? '' };
  return { name, salt, value: storableText((Object.hasOwn(facts, name) && facts[name]) || '') };
}
