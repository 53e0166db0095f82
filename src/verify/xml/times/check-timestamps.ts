import { createDigest } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import type { DigestAlgorithm } from '../../../formats/x509/index.ts';
import {
  type QualifyingProperties,
  timestampImprintPieces,
  type XadesTimestamp,
  type XadesTimestampKind,
} from '../../../formats/xades/index.ts';
import type { ReferenceContext, XmlSignature } from '../../../formats/xmldsig/index.ts';
import type { TimestampVerdict } from '../../../trust/timestamp.ts';
import { verifyTokens } from '../../existence/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding, TimestampSummary } from '../../report/index.ts';
import type { XmlContext } from '../context.ts';

/** A time-stamp token of a signature with its verdict. */
export interface CheckedStamp {
  readonly kind: XadesTimestampKind;
  readonly covers: NonNullable<TimestampSummary['covers']>;
  readonly verdict: TimestampVerdict;
  /** DER. */
  readonly token: Uint8Array | undefined;
  /** Index of the property element. */
  readonly index: number;
  /** Indexes of the unsigned properties that it covers. Empty if it is not valid. */
  readonly covered: ReadonlySet<number>;
}

/** Term in the report for each kind of time-stamp. */
const coverage: Readonly<Record<XadesTimestampKind, CheckedStamp['covers']>> = {
  signature: 'signature',
  sigAndRefs: 'references',
  sigAndRefsV2: 'references',
  refsOnly: 'references',
  refsOnlyV2: 'references',
  archive132: 'archive',
  archive141: 'archive',
  allDataObjects: 'content',
  individualDataObjects: 'content',
};

/** A signature whose time-stamps are to be verified. */
export interface StampedSignature {
  readonly signature: XmlSignature;
  readonly properties: QualifyingProperties;
}

/**
 * Verifies the time-stamps of a signature: first those over the signed data, then those after it in
 * document order. Unchecked ones are reported in `findings`.
 */
export function checkTimestamps(
  stamped: StampedSignature,
  context: XmlContext,
  findings: Finding[],
): readonly CheckedStamp[] {
  const { signed, unsigned } = stamped.properties;
  const timestamps = [
    ...(signed?.contentTimestamps ?? []),
    ...unsigned.flatMap((property) => (property.kind === 'timestamp' ? [property.timestamp] : [])),
  ];
  let left: number = limits.xmlTimestamps;
  return timestamps.flatMap((timestamp) => {
    const tokens = timestamp.tokens.slice(0, left);
    left -= tokens.length;
    noteUnchecked(timestamp, tokens.length, findings);
    return checkTimestamp(stamped, timestamp, tokens, context);
  });
}

function noteUnchecked(
  { hasXmlTokens, tokens, element }: XadesTimestamp,
  checkedCount: number,
  findings: Finding[],
): void {
  const place = `${element.localName} at byte ${element.startOffset}`;
  const push = (message: string) => {
    findings.push(buildFinding('timestamp.unchecked', message));
  };
  if (hasXmlTokens) push(`${place}: a time-stamp in XML is not checked`);
  if (checkedCount < tokens.length) push(`${place}: more than ${limits.xmlTimestamps} time-stamps`);
  if (!hasXmlTokens && tokens.length === 0) push(`${place}: it has no time-stamp`);
}

function checkTimestamp(
  { signature, properties }: StampedSignature,
  timestamp: XadesTimestamp,
  tokens: readonly Uint8Array[],
  context: XmlContext,
): readonly CheckedStamp[] {
  const { document, findFile, budget } = context;
  const base = { document, signature: signature.element, budget };
  const references: ReferenceContext = findFile === undefined ? base : { ...base, findFile };
  const covered = new Set<number>();
  const digests = new Map<DigestAlgorithm, Uint8Array | undefined>();
  let problem: string | undefined;
  const imprint = (digest: DigestAlgorithm): Uint8Array | undefined => {
    if (digests.has(digest)) return digests.get(digest);
    const hash = createDigest(digest);
    const answer = timestampImprintPieces(
      { signature, properties, timestamp, context: references },
      (piece) => {
        hash.update(piece);
      },
    );
    let value: Uint8Array | undefined;
    if ('covered' in answer) {
      for (const { index } of answer.covered) covered.add(index);
      value = hash.digest();
    } else if ('missing' in answer)
      problem = `the data that it covers is missing: ${answer.missing}`;
    else problem = answer.refused;
    digests.set(digest, value);
    return value;
  };
  return verifyTokens(tokens, imprint, context).map((found, at): CheckedStamp => {
    const isRefused = !found.valid && problem !== undefined;
    const verdict: TimestampVerdict = isRefused
      ? { ...found, problem: 'tsa.imprint.unknown', message: problem ?? '' }
      : found;
    return {
      kind: timestamp.kind,
      covers: coverage[timestamp.kind],
      verdict,
      token: tokens[at],
      index: timestamp.element.index,
      covered: verdict.valid ? covered : new Set(),
    };
  });
}
