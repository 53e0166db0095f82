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

/** Options of {@link syncProfile}. */
export interface SyncRequest {
  readonly source: TrustSource;
  /** The stored profile. Undefined for a new one. */
  readonly before: TrustProfile | undefined;
  readonly nowMs: number;
  /** Whether to accept lists that have lost most of their entries. */
  readonly acceptsShrunken: boolean;
  /** Whether one invalid list fails the update. Overdue or offline lists are only reported. */
  readonly isStrict: boolean;
  fetch: FetchList;
  /** Reads the stored bytes of the profile's list of lists. */
  readFirst?(list: StoredList): Promise<Uint8Array>;
}

/** Result for one list. */
export interface ListOutcome {
  readonly location: string;
  readonly territory?: string;
  /** `kept`: the offered list was rejected, and the stored one stays. */
  readonly result: 'new' | 'updated' | 'unchanged' | 'kept' | 'missing' | 'dropped';
  /** Code and reason of a rejected list, or of a warning. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** The lists of a profile after an update. */
export interface SyncOutcome {
  readonly lists: readonly StoredList[];
  readonly pivots: readonly StoredList[];
  /** The bytes of the accepted lists, by their SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly outcomes: readonly ListOutcome[];
}

/** Faults of one list that do not affect the other lists. */
const toleratedCodes: ReadonlySet<string> = new Set(['trust.list.expired', 'network.offline']);

/** Maximum number of concurrent downloads. */
const PARALLEL = 4;

/**
 * Fetches the lists of a source and verifies each against the signers named by the list above it.
 * The first list must be valid. For each of the rest, the stored list stays if the offered one is
 * rejected.
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

/** Wraps `fetch` to limit the total size of all lists to that of a profile. */
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
 * The accepted signers of the first list: those announced by the stored list, which succeed the
 * given ones. For a new profile, or if the user gives different signers, the given ones.
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
  /** The list to be stored. */
  readonly stored?: StoredList;
  /** Set if the list was fetched now. */
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

/** Drops lists that a different one replaces. */
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

/** Pointers to lists in XML, one per location, excluding the list of lists itself. */
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
    if (request.isStrict && !toleratedCodes.has(error.code)) throw error;
    const problem = { code: error.code, message: error.message };
    // A removed signer may have lost control of the key, so the list it signed is dropped.
    const isSigner = pointer.certificates.some(
      (der) => Buffer.from(der).toString('base64') === old?.signer,
    );
    const stored = isSigner ? old : undefined;
    const result = stored === undefined ? 'missing' : 'kept';
    const place = { location, ...defined({ territory }) };
    return { ...(stored && { stored }), outcome: { ...place, result, problem } };
  }
}

/** Rejects lists of mutual recognition agreements: their equivalences are not supported. */
function requireOwnScheme({ isByAgreement, territory = '??' }: ListPointer): void {
  if (!isByAgreement) return;
  const message = `the list of ${territory.slice(0, 20)} is under a mutual recognition agreement`;
  throw new InnsigliError('trust.list.unsupported', `${message}; its equivalences are not read`);
}

/** The stored list of the location, or for a new location that of its territory. */
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

/** Lists that the list of lists no longer names, or that are no longer selected. */
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
