import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ListPointer } from '../../formats/tsl/index.ts';
import type { StoredList, TrustProfile, TrustSource } from '../ports/index.ts';
import {
  type CheckedList,
  describeList,
  findExpiry,
  findReplacement,
  readList,
  requireSigned,
  requireSuccessor,
} from './check-list.ts';
import { type FetchList, findFirstList, isOwnPointer, ownSigners } from './find-first-list.ts';

/** Options for updating the lists of a source. */
export interface SyncRequest {
  readonly source: TrustSource;
  /** The profile as it is stored; undefined for a new one. */
  readonly before: TrustProfile | undefined;
  readonly nowMs: number;
  /** Lists that have lost most of what they had are taken. */
  readonly acceptsShrunken: boolean;
  /** True: one wrong list refuses all; an overdue one, or one that is offline, is only reported. */
  readonly isStrict: boolean;
  fetch: FetchList;
  /** The stored bytes of the list of lists of the profile. */
  readFirst?(list: StoredList): Promise<Uint8Array>;
}

/** Result of one list. */
export interface ListOutcome {
  readonly location: string;
  readonly territory?: string;
  /** `kept`: something is wrong with the list that was offered, and the stored one stays. */
  readonly result: 'new' | 'updated' | 'unchanged' | 'kept' | 'missing' | 'dropped';
  /** Code and reason of a list that was not taken, or of a warning. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** The lists of a profile after it was brought up to date. */
export interface SyncOutcome {
  readonly lists: readonly StoredList[];
  readonly pivots: readonly StoredList[];
  /** The bytes of the lists that were taken, by their SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly outcomes: readonly ListOutcome[];
}

/** Faults of one list that leave the lists beside it valid. */
const lackCodes: ReadonlySet<string> = new Set(['trust.list.expired', 'network.offline']);

/** Downloads under way at once. */
const PARALLEL = 4;

/**
 * The lists of a source, each verified against the signers that the list above it names. The first
 * list has to be right; of the others a stored one stays where the offered one is not.
 *
 * @throws trust.list.*, network.*, io.*, limit.exceeded
 * @spec ETSI TS 119 615 §4.1, §4.2
 */
export async function syncProfile(asked: SyncRequest): Promise<SyncOutcome> {
  const request = { ...asked, fetch: withinBounds(asked.fetch) };
  const { source, before, nowMs, fetch } = request;
  const signers = await knownSigners(request);
  const { first, pivots } = await findFirstList(source, signers, fetch, nowMs);
  const oldFirst = before?.source?.location === source.location ? before.lists[0] : undefined;
  requireSuccessor(first.stored, oldFirst, request.acceptsShrunken);
  const expiry = requireFresh(first, source, nowMs);
  const below = first.list.isListOfLists ? withoutReplaced(await syncBelow(first, request)) : [];
  const taken = [first, ...pivots, ...below.flatMap(({ checked }) => checked ?? [])];
  const lists = [first.stored, ...below.flatMap(({ stored }) => stored ?? [])];
  const named = new Set(pivots.map(({ stored }) => stored.location));
  const oldPivots = before?.pivots.filter(({ location }) => !named.has(location)) ?? [];
  return {
    lists,
    pivots: [...oldPivots, ...pivots.map(({ stored }) => stored)],
    contents: new Map(taken.map(({ stored, bytes }) => [stored.sha256, bytes])),
    outcomes: [
      describeOutcome(first.stored, oldFirst, expiry),
      ...below.map(({ outcome }) => outcome),
      ...listDropped(before, [first.stored, ...below.map(({ outcome }) => outcome)], source),
    ],
  };
}

/** The same, until all lists together have as many bytes as a profile may. */
function withinBounds(fetch: FetchList): FetchList {
  let left: number = limits.trustBundleBytes;
  return async (location) => {
    const bytes = await fetch(location);
    left -= bytes.length;
    if (left >= 0) return bytes;
    const message = `expected lists of at most ${limits.trustBundleBytes} bytes for a profile`;
    throw new InnsigliError('limit.exceeded', message);
  };
}

/**
 * The accepted signers of the first list: those that the stored one names, which follow the given
 * ones; for a new profile, and if the user names others, the given ones.
 */
async function knownSigners({ source, before, readFirst }: SyncRequest) {
  const given = source.signers.map((base64) => Buffer.from(base64, 'base64'));
  const [old] = before?.lists ?? [];
  const isSame =
    before?.source?.location === source.location &&
    JSON.stringify(before.source.signers) === JSON.stringify(source.signers);
  if (old === undefined || !isSame || !old.isListOfLists || readFirst === undefined) return given;
  const { list, bytes } = readList(await readFirst(old));
  const named = ownSigners({ list, bytes, stored: old }, source.location);
  return named.length > 0 ? named : given;
}

function requireFresh(
  { stored }: CheckedList,
  { expired }: TrustSource,
  nowMs: number,
): ListOutcome['problem'] {
  const message = findExpiry(stored, nowMs);
  if (message === undefined) return undefined;
  if (expired === 'warn') return { code: 'trust.list.expired', message };
  throw new InnsigliError('trust.list.expired', message, {
    hint:
      'the operator is late, or a newer list is withheld from you; to use it anyway, ' +
      'with a warning, add --expired warn',
  });
}

interface Below {
  readonly outcome: ListOutcome;
  /** The list from now on. */
  readonly stored?: StoredList;
  /** It was read now. */
  readonly checked?: CheckedList;
}

async function syncBelow(first: CheckedList, request: SyncRequest): Promise<readonly Below[]> {
  const wanted = choosePointers(first, request.source);
  const results: Below[] = new Array(wanted.length);
  let next = 0;
  const work = async () => {
    for (let index = next++; index < wanted.length; index = next++) {
      results[index] = await syncOne(wanted[index] as ListPointer, request);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return results;
}

/** The same; a list that another one replaces is not taken. */
function withoutReplaced(all: readonly Below[]): readonly Below[] {
  const lists = all.flatMap(({ stored }) => stored ?? []);
  return all.map((each) => {
    const newer = each.stored && findReplacement(each.stored, lists);
    if (each.stored === undefined || newer === undefined) return each;
    const { location, territory } = each.stored;
    const message = `${describeList(each.stored)}: ${newer.location} has ${newer.sequenceNumber}`;
    const problem = { code: 'trust.list.rollback', message };
    return { outcome: { location, territory, result: 'missing', problem } };
  });
}

/** Pointers to lists in XML, each address once; the list of lists itself is none of them. */
function choosePointers(
  { list }: CheckedList,
  { location, territories }: TrustSource,
): readonly ListPointer[] {
  const byAddress = new Map<string, ListPointer>();
  for (const pointer of list.pointers) {
    if (isOwnPointer(pointer, list.territory, location)) continue;
    if (/listofthelists$/i.test(pointer.type ?? '')) continue;
    const isXml = pointer.mimeType?.endsWith('+xml') ?? !/\.pdf$/i.test(pointer.location);
    if (!isXml || byAddress.has(pointer.location)) continue;
    if (territories !== undefined && !territories.includes(pointer.territory ?? '')) continue;
    byAddress.set(pointer.location, pointer);
  }
  return [...byAddress.values()];
}

async function syncOne(pointer: ListPointer, request: SyncRequest): Promise<Below> {
  const { nowMs, source, before, fetch } = request;
  const { location, territory } = pointer;
  const old = findStored(before?.lists.slice(1) ?? [], pointer);
  try {
    requireOwnScheme(pointer);
    const read = readList(await fetch(location));
    requirePlace(read.list, pointer);
    const checked = requireSigned(read, pointer.certificates, { location, nowMs });
    requireSuccessor(checked.stored, old, request.acceptsShrunken);
    const problem = requireFresh(checked, source, nowMs);
    const { stored } = checked;
    return { stored, checked, outcome: describeOutcome(stored, old, problem) };
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    if (request.isStrict && !lackCodes.has(error.code)) throw error;
    const problem = { code: error.code, message: error.message };
    // A signer no longer in the list of lists may have lost the key: its lists are removed.
    const isSigner = pointer.certificates.some(
      (der) => Buffer.from(der).toString('base64') === old?.signer,
    );
    const stored = isSigner ? old : undefined;
    const result = stored === undefined ? 'missing' : 'kept';
    const place = { location, ...defined({ territory }) };
    return { ...(stored && { stored }), outcome: { ...place, result, problem } };
  }
}

/** Services of a list by agreement stand for others by its equivalences, which are not read. */
function requireOwnScheme({ isByAgreement, territory = '??' }: ListPointer): void {
  if (!isByAgreement) return;
  const message = `the list of ${territory.slice(0, 20)} is under a mutual recognition agreement`;
  throw new InnsigliError('trust.list.unsupported', `${message}; its equivalences are not read`);
}

/** The stored list of the address; for a new one, that of its territory. */
function findStored(lists: readonly StoredList[], pointer: ListPointer): StoredList | undefined {
  const { location, territory, type } = pointer;
  return (
    lists.find((each) => each.location === location) ??
    lists.find((each) => each.territory === territory && each.type === type)
  );
}

function requirePlace(
  list: { readonly territory: string; readonly isListOfLists: boolean; sequenceNumber: number },
  { territory, location }: ListPointer,
): void {
  if (!list.isListOfLists && (territory === undefined || territory === list.territory)) return;
  const found = describeList(list);
  const message = `${location}: expected the list of ${territory}, found ${found}`;
  throw new InnsigliError('trust.list.invalid', message);
}

function describeOutcome(
  { location, territory, sha256 }: StoredList,
  old: StoredList | undefined,
  problem: ListOutcome['problem'],
): ListOutcome {
  const changed = old === undefined ? 'new' : 'updated';
  const result = old?.sha256 === sha256 ? 'unchanged' : changed;
  return { location, territory, result, ...(problem && { problem }) };
}

/** Lists that the list of lists names no more, or that are not wanted any more. */
function listDropped(
  before: TrustProfile | undefined,
  named: readonly Pick<ListOutcome, 'location' | 'territory'>[],
  { location: first }: TrustSource,
): readonly ListOutcome[] {
  if (before?.source?.location !== first) return [];
  const isNamed = ({ location, territory }: StoredList) =>
    named.some((each) => each.location === location || each.territory === territory);
  return before.lists
    .filter((old) => !isNamed(old))
    .map(({ location, territory }) => ({ location, territory, result: 'dropped' }));
}
