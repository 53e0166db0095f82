import type { SignedDataParts, SignerParts } from '../../formats/cms/index.ts';
import type { ContentDigest } from '../../trust/content-digest.ts';
import { digestOf } from '../../trust/signature.ts';
import {
  type TimestampProblem,
  type TimestampVerdict,
  verifyTimestampToken,
} from '../../trust/timestamp.ts';
import type { StatusContext } from '../long-term.ts';
import type { CadesValue } from './cades-values.ts';
import { type HashIndex, readHashIndex, type ValueFinder } from './hash-index.ts';

/** What an archive time-stamp is held against. */
export interface ArchivedSigner {
  readonly parts: SignedDataParts;
  readonly signer: SignerParts;
  readonly content: ContentDigest;
  readonly finder: ValueFinder;
}

/** An archive time-stamp and which of the values around the signature it covers. */
export interface ArchiveTimestamp {
  readonly verdict: TimestampVerdict;
  readonly value: CadesValue;
  /** Empty when it is not valid. */
  readonly covered: ReadonlySet<CadesValue>;
}

/**
 * Verifies an archive-time-stamp-v3: the imprint over content, signature and index, and that
 * every digest of the index is one of a value that is still there.
 *
 * @spec ETSI EN 319 122-1 §5.5.3
 */
export function verifyArchiveTimestamp(
  value: CadesValue,
  archived: ArchivedSigner,
  { pool, anchors, nowMs }: StatusContext,
): ArchiveTimestamp {
  const index = readHashIndex(value.der);
  const verdict = verifyTimestampToken({
    token: value.der,
    imprint: (digest) => {
      if (typeof index !== 'object' || index.digest !== digest) return undefined;
      const { parts, signer, content } = archived;
      return digestOf(digest, parts.contentType, content(digest), ...signer.fields, index.der);
    },
    pool,
    anchors,
    nowMs,
  });
  if (index === undefined) {
    const message = 'it has no ats-hash-index: this older form is not checked';
    return { verdict: refuse(verdict, message, 'tsa.imprint.unknown'), value, covered: none };
  }
  if (typeof index === 'string') return { verdict: refuse(verdict, index), value, covered: none };
  if (!verdict.valid) return { verdict, value, covered: none };
  const covered = findCovered(index, archived.finder);
  if (typeof covered === 'string') {
    return { verdict: refuse(verdict, covered), value, covered: none };
  }
  return { verdict, value, covered };
}

const none: ReadonlySet<CadesValue> = new Set();

function refuse(
  verdict: TimestampVerdict,
  message: string,
  problem: TimestampProblem = 'tsa.imprint.mismatch',
): TimestampVerdict {
  return { ...verdict, valid: false, trusted: false, problem, message };
}

function findCovered(index: HashIndex, finder: ValueFinder): Set<CadesValue> | string {
  const covered = new Set<CadesValue>();
  for (const kind of ['certificate', 'revocation', 'attribute'] as const) {
    for (const hex of index.entries[kind]) {
      const found = finder.find(index, kind, hex);
      if (found.length === 0) return `a ${kind} that the time-stamp covers was changed or removed`;
      for (const value of found) covered.add(value);
    }
  }
  return covered;
}
