import { type ByteSource, equalBytes } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import { der, oids } from '../../formats/asn1/index.ts';
import type { SignedDataParts, SignerParts } from '../../formats/cms/index.ts';
import { parseTimestampToken } from '../../formats/tsp/index.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';
import type { ContentDigest } from '../../trust/content-digest.ts';
import { digestOf } from '../../trust/signature.ts';
import {
  type TimestampProblem,
  type TimestampVerdict,
  verifyTimestampToken,
} from '../../trust/timestamp.ts';
import type { StatusContext } from '../existence/index.ts';
import type { CadesValue } from './cades-values.ts';
import { type HashIndex, readHashIndex, type ValueFinder } from './hash-index.ts';

/** Context for verifying an archive time-stamp. */
export interface ArchivedSigner {
  readonly parts: SignedDataParts;
  readonly signer: SignerParts;
  readonly content: ContentDigest;
  readonly finder: ValueFinder;
  /** All values of the signature that an index can list. */
  readonly values: readonly CadesValue[];
  /** The content if it is detached. */
  readonly beside: ByteSource | undefined;
}

/** An archive time-stamp and the values of the signature that it covers. */
export interface ArchiveTimestamp {
  readonly verdict: TimestampVerdict;
  readonly value: CadesValue;
  /** Empty if it is not valid. */
  readonly covered: ReadonlySet<CadesValue>;
}

/**
 * Verifies an archive-time-stamp-v3: the imprint over content, signature and index, and that every
 * digest of the index is that of an existing value.
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
    const message = 'it has no ats-hash-index: this older format is not checked';
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

/**
 * Verifies an archive-time-stamp-v2. It covers content, certificates, revocation values and the
 * signer with all unsigned attributes, except archive time-stamps of the same time or later. An
 * archive-time-stamp covers the same since TS 101 733 v1.5.1, without detached content. The
 * encoding was never defined precisely, and was different before that version: if no form matches
 * the imprint, the coverage is unknown.
 *
 * @spec ETSI TS 101 733 v1.8.3 §6.4.1, RFC 5126 §6.4.1 note 1
 */
export function verifyOldArchiveTimestamp(
  value: CadesValue,
  archived: ArchivedSigner,
  { pool, anchors, nowMs }: StatusContext,
): ArchiveTimestamp {
  const timeMs = timeOfToken(value.der);
  const later = archived.values.filter((each) => {
    return archiveTypes.has(each.type) && !(timeOfToken(each.der) < timeMs);
  });
  const left = new Set(later.map(({ whole }) => whole));
  const isFirst = value.type === oids.archiveTimeStamp;
  const among = isFirst ? { ...archived, beside: undefined } : archived;
  const imprint = (digest: DigestAlgorithm) => {
    const stated = parseTimestampToken(value.der).info.imprint;
    const found = oldForms(among, left).map((pieces) => digestOf(digest, ...pieces));
    return found.find((each) => equalBytes(each, stated));
  };
  const verdict = verifyTimestampToken({ token: value.der, imprint, pool, anchors, nowMs });
  if (verdict.valid) {
    const covered = archived.values.filter((each) => !left.has(each.whole));
    return { verdict, value, covered: new Set(covered) };
  }
  if (verdict.problem !== 'tsa.imprint.mismatch') return { verdict, value, covered: none };
  const message = 'the content covered by this older format cannot be determined';
  return { verdict: refuse(verdict, message, 'tsa.imprint.unknown'), value, covered: none };
}

const archiveTypes = new Set<string>([
  oids.archiveTimeStamp,
  oids.archiveTimeStampV2,
  oids.archiveTimeStampV3,
]);

/** NaN if the token cannot be read. */
function timeOfToken(token: Uint8Array): number {
  return attempt(() => parseTimestampToken(token).info.genTimeMs) ?? Number.NaN;
}

/** The possible inputs of the imprint: with and without the tag of the unsigned attributes. */
function oldForms(
  { parts, signer, beside }: ArchivedSigner,
  left: ReadonlySet<Uint8Array>,
): readonly (readonly Uint8Array[])[] {
  const { encapsulated, certificates, revocation } = parts;
  const attributes = signer.unsignedAttributes.filter((each) => {
    return ![...left].some((later) => equalBytes(later, each));
  });
  const before = [
    encapsulated,
    ...(beside === undefined ? [] : [beside.slice(0, beside.lengthBytes)]),
    ...(certificates.length === 0 ? [] : [der.element(0xa0, certificates)]),
    ...(revocation.length === 0 ? [] : [der.element(0xa1, revocation)]),
    ...signer.fields,
  ];
  if (attributes.length === 0) return [before];
  return [
    [...before, der.element(0xa1, attributes)],
    [...before, ...attributes],
  ];
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
      if (found.length === 0) return `one ${kind} covered by the time-stamp was changed or removed`;
      for (const value of found) covered.add(value);
    }
  }
  return covered;
}
