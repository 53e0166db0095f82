import { defined } from '../../base/defined.ts';
import {
  type ActivityDraft,
  isSigneeFact,
  type Signee,
  type SigningProcess,
  signeeFacts,
  signeesFact,
} from '../process/index.ts';
import type { Activity, OpenedValue, PersonalValue } from './activity.ts';
import { storableText } from './canonical-json.ts';
import { chainHash, chainStart, commitmentTo } from './chain.ts';
import { personActor, systemActors } from './statuses.ts';

/**
 * Greatest lag of the clock behind the newest row, in milliseconds: above it, the clock is wrong,
 * not uneven.
 */
export const clockStepMaxMs = 24 * 60 * 60 * 1000;

/** Steps below this are not recorded: the clocks of two hosts always differ a little. */
const notedStepMs = 1000;

/** The end of a chain, to which a row is added. */
export type ChainHead = Pick<Activity, 'seq' | 'hash' | 'createdAtMs'>;

/** Keys of the process that the rows of a log contain. */
export type ChainOwner = Pick<SigningProcess, 'key' | 'companyKey' | 'flowKey' | 'sequenceKey'>;

/** A row with the personal data that stands beside it. */
export interface NewRow {
  readonly row: Activity;
  readonly personal: readonly PersonalValue[];
}

/**
 * The row for `draft` that follows `head`. The row itself holds no personal data: who did it, by
 * address or name, the name of the file and what a signee was are personal values, and the row has
 * their commitments.
 * Its time is never before that of the row before; a clock that is behind is noted.
 *
 * @param salts gives a fresh salt, hexadecimal, at each call
 */
export function nextRow(
  head: ChainHead | undefined,
  process: ChainOwner,
  draft: ActivityDraft,
  nowMs: number,
  salts: () => string,
): NewRow {
  const values = personalOf(draft).map(([name, value]) => ({
    name,
    salt: salts(),
    value: storableText(value),
  }));
  const createdAtMs = Math.max(nowMs, head?.createdAtMs ?? 0);
  const description = describe(draft.description, createdAtMs - nowMs);
  const record = {
    processKey: process.key,
    seq: (head?.seq ?? 0) + 1,
    companyKey: process.companyKey,
    flowKey: process.flowKey,
    ...defined({ sequenceKey: process.sequenceKey, signeeKey: draft.signeeKey }),
    status: storableText(draft.status),
    createdAtMs,
    createdBy: isPerson(draft.createdBy) ? personActor : draft.createdBy,
    ...defined({ description, digests: draft.digests, terms: draft.terms }),
    commitments: Object.fromEntries(values.map((value) => [value.name, commitmentTo(value)])),
  };
  const hash = chainHash(head?.hash ?? chainStart, record);
  const personal = values.map(({ name, salt, value }) =>
    isSigneeFact(name) ? { name, salt } : { name, salt, value },
  );
  return { row: { ...record, hash }, personal };
}

function personalOf(draft: ActivityDraft): readonly (readonly [name: string, value: string])[] {
  const { createdBy, fileName, personal = {}, facts = {} } = draft;
  return Object.entries({
    ...personal,
    ...facts,
    ...(isPerson(createdBy) ? { createdBy } : {}),
    ...(fileName === undefined || fileName === '' ? {} : { fileName }),
  });
}

function isPerson(actor: string): boolean {
  return !systemActors.includes(actor);
}

/** True when {@link nextRow} can have written `row` at that time, by a clock that may be behind. */
export function isWrittenAt(
  { createdAtMs, description = '' }: Pick<Activity, 'createdAtMs' | 'description'>,
  atMs: number | undefined,
): boolean {
  const behindMs = createdAtMs - (atMs ?? Number.NaN);
  if (!(behindMs >= 0)) return false;
  return behindMs < notedStepMs || description.endsWith(clockNote(behindMs));
}

function clockNote(behindMs: number): string {
  return `the clock is ${behindMs} ms behind this log`;
}

function describe(text: string | undefined, behindMs: number): string | undefined {
  const note = behindMs < notedStepMs ? '' : clockNote(behindMs);
  const whole = [text ?? '', note].filter((part) => part !== '').join('; ');
  return whole === '' ? undefined : storableText(whole);
}

/** Personal values of a log by the numbers of their rows. */
export type PersonalOf<Value> = ReadonlyMap<number, readonly Value[]>;

/**
 * The personal values of a log; those of signees are the present values in the process. A value
 * missing there is an empty text: the row was written with another.
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
