import { attempt, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ListPointer } from '../../formats/tsl/index.ts';
import type { StoredList, TrustSource } from '../ports/index.ts';
import { type CheckedList, type ReadList, readListAt, requireSigned } from './check-list.ts';

/** Fetches the bytes of a list. @throws network.*, io.*, limit.exceeded */
export type FetchList = (location: string) => Promise<Uint8Array>;

/** The first list of a source, and the pivots that lead to its signers. */
export interface FirstList {
  readonly first: CheckedList;
  /** Pivots, oldest first. */
  readonly pivots: readonly CheckedList[];
}

/**
 * Fetches the list at the location of a source. It must be signed by one of the signers, or by
 * signers announced by pivots: a pivot is a list of lists that announces the next signers. Starting
 * at the newest pivot, searches backwards for one signed by a known signer. From there, each
 * following pivot must be signed by the signers that its predecessor announces.
 *
 * @param signers initially accepted signers, DER
 * @throws trust.list.*, and whatever `fetch` throws for the list itself
 * @spec ETSI TS 119 615 §4.1
 */
export async function findFirstList(
  { location }: Pick<TrustSource, 'location'>,
  signers: readonly Uint8Array[],
  fetch: FetchList,
  nowMs: number,
): Promise<FirstList> {
  const read = readListAt(location, await fetch(location));
  const place = { location, nowMs };
  try {
    return { first: requireSigned(read, signers, place), pivots: [] };
  } catch (error) {
    const isForeign = isInnsigliError(error) && error.code === 'trust.list.signature';
    const addresses = pivotsOf(read.list.informationUris, location);
    if (!isForeign || !read.list.isListOfLists || addresses.length === 0) throw error;
    const pivots = await findPivots(addresses, signers, fetch, nowMs, error);
    const last = pivots.at(-1) as CheckedList;
    const first = requireSigned(read, ownSigners(last, location), place);
    if (first.list.sequenceNumber < last.list.sequenceNumber) throw notAfter(last.stored);
    return { first, pivots };
  }
}

/** Certificates of the signers that a list of lists announces for itself, DER. */
export function ownSigners({ list }: CheckedList, location: string): readonly Uint8Array[] {
  const own = list.pointers.filter((pointer) => isOwnPointer(pointer, list.territory, location));
  return own.flatMap(({ certificates }) => certificates);
}

/** Whether a pointer of a list of lists refers to the list itself. */
export function isOwnPointer(pointer: ListPointer, territory: string, location: string): boolean {
  if (pointer.location === location) return true;
  return /listofthelists$/i.test(pointer.type ?? '') && pointer.territory === territory;
}

/** Locations of pivots, newest first, followed by the first signers' publication (not XML). */
function pivotsOf(uris: readonly string[], location: string): readonly string[] {
  const found: string[] = [];
  for (const uri of uris) {
    const isList = /\.xml$/i.test(uri.replace(/[?#].*$/s, ''));
    // The newest publication may precede the pivots that lead to it.
    if (!isList && found.length > 0) break;
    if (isList && uri !== location && !found.includes(uri)) found.push(uri);
    if (found.length >= limits.trustListPivots) break;
  }
  return found;
}

async function findPivots(
  addresses: readonly string[],
  signers: readonly Uint8Array[],
  fetch: FetchList,
  nowMs: number,
  foreign: InnsigliError,
): Promise<readonly CheckedList[]> {
  const newer: { readonly read: ReadList; readonly location: string }[] = [];
  for (const location of addresses) {
    const read = readListAt(location, await fetch(location));
    const known = attempt(
      () => requireSigned(read, signers, { location, nowMs }),
      (error) => {
        if (error.code !== 'trust.list.signature') throw error;
      },
    );
    if (known === undefined) {
      newer.unshift({ read, location });
      continue;
    }
    const chain = [known];
    for (const next of newer) {
      const before = chain.at(-1) as CheckedList;
      const place = { location: next.location, nowMs };
      const checked = requireSigned(next.read, ownSigners(before, before.stored.location), place);
      if (checked.list.sequenceNumber <= before.list.sequenceNumber) throw notAfter(before.stored);
      chain.push(checked);
    }
    return chain;
  }
  throw foreign;
}

function notAfter({ sequenceNumber, location }: StoredList): InnsigliError {
  const message = `expected a list after number ${sequenceNumber} of the pivot ${location}`;
  return new InnsigliError('trust.list.rollback', message);
}
