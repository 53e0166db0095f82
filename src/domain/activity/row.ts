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

/** Maximum lag behind the newest row, in milliseconds: more means a wrong clock, not drift. */
export const clockStepMaxMs = 24 * 60 * 60 * 1000;

/** Smaller steps are not recorded: the clocks of two hosts always differ slightly. */
const recordedStepMs = 1000;

/** The head of a chain, after which the next row is appended. */
export type ChainHead = Pick<Activity, 'seq' | 'hash' | 'createdAtMs'>;

/** Keys of the process that every row of its log contains. */
export type ChainOwner = Pick<SigningProcess, 'key' | 'companyKey' | 'flowKey' | 'sequenceKey'>;

/** A new row and its personal values, which are stored separately. */
export interface NewRow {
  readonly row: Activity;
  readonly personal: readonly PersonalValue[];
}

/**
 * Builds the row for `draft` that follows `head`. The row itself contains no personal data: the
 * actor's address or name, the file name and the data of a signee are personal values, and the row
 * contains commitments to them. The time of a row is never before that of the previous row; a clock
 * that is behind is noted.
 *
 * @param salts returns a fresh salt, hexadecimal, at each call
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

/** Whether {@link nextRow} can have written `row` at this time, with a clock that may be behind. */
export function isWrittenAt(
  { createdAtMs, description = '' }: Pick<Activity, 'createdAtMs' | 'description'>,
  atMs: number | undefined,
): boolean {
  const behindMs = createdAtMs - (atMs ?? Number.NaN);
  if (!(behindMs >= 0)) return false;
  return behindMs < recordedStepMs || description.endsWith(clockNote(behindMs));
}

function clockNote(behindMs: number): string {
  return `the clock is ${behindMs} ms behind this log`;
}

function describe(text: string | undefined, behindMs: number): string | undefined {
  const note = behindMs < recordedStepMs ? '' : clockNote(behindMs);
  const whole = [text ?? '', note].filter((part) => part !== '').join('; ');
  return whole === '' ? undefined : storableText(whole);
}

/** Personal values of a log, by sequence number of the row. */
export type PersonalOf<Value> = ReadonlyMap<number, readonly Value[]>;

/**
 * Returns the personal values of a log. Values of signees are taken from the process in its present
 * state. A value that is missing there becomes an empty text, which does not match its commitment.
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
  // Only the value in the process counts: a separate copy would hide a change of the process.
  if (!isSigneeFact(name)) return { name, salt, value: value ?? '' };
  return { name, salt, value: storableText((Object.hasOwn(facts, name) && facts[name]) || '') };
}
