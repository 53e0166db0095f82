import { type ByteSource, concatBytes, equalBytes, hexOf, latin1Text } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { getOrCompute } from '../../base/memo.ts';
import { trimContents } from '../../formats/cms/index.ts';
import {
  asArray,
  asInteger,
  asName,
  digestRanges,
  listLostFields,
  listSignatureFields,
  type PdfDict,
  type PdfFile,
  PdfString,
  type SignatureField,
} from '../../formats/pdf/index.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding, SignatureReport } from '../report/index.ts';
import { createOriginCheck } from './origin.ts';
import { allObjectHeads, isListed } from './unlisted-objects.ts';

/** One signature or document time-stamp as read from the file, before it is verified. */
export interface SignatureObject {
  readonly kind: SignatureReport['kind'];
  readonly field: string;
  readonly dict: PdfDict;
  readonly subFilter: string;
  /** Empty if the entry is unusable. */
  readonly byteRange: readonly number[];
  readonly coverage: SignatureReport['coverage'];
  /** Offset after the last covered byte. */
  readonly coveredEnd: number;
  /** Length of the `/Contents` value in the file in bytes, including padding. */
  readonly valueBytes: number;
  /** CMS or token without the trailing padding. */
  readonly contents: Uint8Array;
  /** Format violations of the covered byte ranges. */
  readonly findings: readonly Finding[];
  /** Computes the digest of the covered bytes. */
  digest(algorithm: DigestAlgorithm): Uint8Array;
  /** The covered bytes in one piece, for the rare signatures that need them. */
  coveredBytes(): Uint8Array;
}

const NO_STRING = new PdfString(new Uint8Array());
const NO_DICT: PdfDict = new Map();

/** In a corrupt file, a referenced value not found is a broken signature, not a missing one. */
function isSigned({ previous }: PdfFile): (field: SignatureField) => boolean {
  const isDamaged = previous === undefined;
  return ({ value, valueReference }) =>
    value !== undefined || (isDamaged && valueReference !== undefined);
}

/**
 * Detects an object of the form that is in the file but not listed by any section: readers that
 * scan the file display its signature. The error causes the file to be read as they do. An object
 * that an update removed is listed by an earlier section.
 *
 * @throws pdf.object.missing
 */
function requireFields(file: PdfFile): void {
  if (file.previous === undefined) return;
  const missing = listLostFields(file);
  if (missing.length === 0) return;
  const lost = new Set(missing.map(({ objectNumber }) => objectNumber));
  for (const head of allObjectHeads(file.source)) {
    const { objectNumber } = head;
    if (!lost.has(objectNumber) || isListed(file, head)) continue;
    const message = `object ${objectNumber} of the form is not listed`;
    throw new InnsigliError('pdf.object.missing', message, { details: { objectNumber } });
  }
}

/** Collects the signatures and time-stamps of the file in the order of their creation. */
export function collectSignatureObjects(file: PdfFile): readonly SignatureObject[] {
  requireFields(file);
  const signed = listSignatureFields(file).filter(isSigned(file));
  if (signed.length > limits.signatures) {
    throw new InnsigliError('limit.exceeded', `more than ${limits.signatures} signatures`);
  }
  const checkOrigin = createOriginCheck(file);
  const found: SignatureObject[] = [];
  const twins = new Map<string, SignatureObject>();
  // The values occupy separate bytes of the file: more than twice its length means overlaps.
  let holesLeft = 2 * file.source.lengthBytes;
  for (const field of signed) {
    const evidence = readSignatureObject(file, field, field.value ?? NO_DICT, checkOrigin);
    holesLeft -= evidence.valueBytes;
    if (holesLeft < 0) {
      const message = 'several signatures share their /Contents: reading them exceeds a limit';
      throw new InnsigliError('limit.exceeded', message);
    }
    found.push(withTwin(evidence, twins));
  }
  found.sort((a, b) => a.coveredEnd - b.coveredEnd);
  const ordered: SignatureObject[] = [];
  for (const item of found) ordered.push(hashedInOrder(item, ordered.at(-1)));
  return ordered;
}

/**
 * Shares bytes and digests with an earlier signature object over the same ranges: both exclude the
 * same value, so thousands of fields may share one signature of a large file.
 */
function withTwin(item: SignatureObject, twins: Map<string, SignatureObject>): SignatureObject {
  if (item.findings.length > 0) return item;
  const key = item.byteRange.join(' ');
  const twin = twins.get(key);
  if (twin === undefined) twins.set(key, item);
  else if (equalBytes(twin.contents, item.contents)) {
    const { contents, digest, coveredBytes } = twin;
    return { ...item, contents, digest, coveredBytes };
  }
  return item;
}

/**
 * Computes the digests of earlier revisions first: they are prefixes of the later ones, so a large
 * file is read once instead of once per signature.
 */
function hashedInOrder(
  item: SignatureObject,
  earlier: SignatureObject | undefined,
): SignatureObject {
  if (earlier === undefined) return item;
  const known = new Map<DigestAlgorithm, Uint8Array>();
  return {
    ...item,
    digest: (algorithm) =>
      getOrCompute(known, algorithm, () => {
        earlier.digest(algorithm);
        return item.digest(algorithm);
      }),
  };
}

function readSignatureObject(
  file: PdfFile,
  field: SignatureField,
  dict: PdfDict,
  checkOrigin: ReturnType<typeof createOriginCheck>,
): SignatureObject {
  const { source } = file;
  const subFilter = asName(file.resolve(dict.get('SubFilter')))?.value ?? '';
  const isTimestamp = subFilter === 'ETSI.RFC3161';
  const contents = file.resolve(dict.get('Contents'));
  const string = contents instanceof PdfString ? contents : NO_STRING;
  const value = string.bytes;
  const findings = findNoValue(field, value);
  const byteRange = readByteRange(file, dict, findings);
  if (isTimestamp && asName(file.resolve(dict.get('Type')))?.value !== 'DocTimeStamp') {
    const message = 'the /Type of a document time-stamp must be /DocTimeStamp';
    findings.push(buildFinding('timestamp.type.invalid', message));
  }
  const coveredEnd = byteRange.length === 4 ? rangeEnd(byteRange) : 0;
  if (byteRange.length === 4 && !holeIsContents(source, byteRange, string)) {
    const message = 'the gap in /ByteRange is not exactly the /Contents value';
    findings.push(buildFinding('signature.range.hole', message));
    byteRange.length = 0;
  }
  const coverage = coverageOf(source, byteRange);
  if (byteRange.length === 4) {
    const message = checkOrigin({ field: field.name, dict, coverage, coveredEnd });
    if (message !== undefined) findings.push(buildFinding('signature.origin.uncovered', message));
  }
  const digests = new Map<DigestAlgorithm, Uint8Array>();
  return {
    kind: isTimestamp ? 'document-timestamp' : 'signature',
    field: field.name,
    dict,
    subFilter,
    byteRange,
    coverage,
    coveredEnd,
    valueBytes: value.length * 2,
    contents: findings.length > 0 ? new Uint8Array() : trimValue(value, findings),
    findings,
    digest: (algorithm) =>
      getOrCompute(digests, algorithm, () => digestRanges(source, byteRange, algorithm)),
    coveredBytes: () => {
      const [, first = 0, second = 0, rest = 0] = byteRange;
      return concatBytes([source.slice(0, first), source.slice(second, second + rest)]);
    },
  };
}

/** Findings about a signature without a value. */
function findNoValue({ value: dict, valueReference }: SignatureField, value: Uint8Array) {
  const findings: Finding[] = [];
  if (dict === undefined) {
    const lost = `object ${valueReference?.objectNumber} is damaged or missing`;
    findings.push(buildFinding('signature.cms.invalid', `the signature cannot be read: ${lost}`));
  } else if (value.every((byte) => byte === 0)) {
    const message = 'prepared but never signed: /Contents is empty or all zeros';
    findings.push(buildFinding('signature.cms.empty', message));
  }
  return findings;
}

function trimValue(value: Uint8Array, findings: Finding[]): Uint8Array {
  return attempt(
    () => trimContents(value),
    ({ message }) => {
      findings.push(buildFinding('signature.cms.invalid', message));
      return new Uint8Array();
    },
  );
}

function rangeEnd(byteRange: readonly number[]): number {
  return (byteRange[2] as number) + (byteRange[3] as number);
}

function readByteRange(file: PdfFile, dict: PdfDict, findings: Finding[]): number[] {
  const items = asArray(file.resolve(dict.get('ByteRange'))) ?? [];
  const numbers = items.slice(0, 5).map((item) => asInteger(file.resolve(item)) ?? -1);
  const [start = -1, length = -1, second = -1] = numbers;
  const fits =
    numbers.length === 4 &&
    numbers.every((number) => number >= 0) &&
    start === 0 &&
    length < second &&
    rangeEnd(numbers) <= file.source.lengthBytes;
  if (fits) return numbers;
  findings.push(
    buildFinding(
      'signature.range.invalid',
      `/ByteRange: expected two ranges starting at byte 0, found [${numbers.join(' ')}]`,
    ),
  );
  return [];
}

/** The gap must be the hexadecimal string of /Contents and nothing else. */
function holeIsContents(source: ByteSource, byteRange: number[], value: PdfString): boolean {
  const [, start = 0, end = 0] = byteRange;
  const length = end - start;
  if (length < 4 || length > limits.signatureBytes * 2 + 2) return false;
  const hole = source.slice(start, end);
  if (hole[0] !== 0x3c || hole[length - 1] !== 0x3e) return false;
  const digits = hole.subarray(1, length - 1);
  // Only digits are permitted: white space between them would be unsigned bytes.
  if (Math.ceil(digits.length / 2) !== value.bytes.length) return false;
  if (value.digits !== undefined && equalBytes(value.digits, digits)) return true;
  const hex = hexOf(value.bytes);
  const plain = latin1Text(digits).toLowerCase();
  return plain === hex || `${plain}0` === hex;
}

function coverageOf(source: ByteSource, byteRange: readonly number[]): SignatureObject['coverage'] {
  if (byteRange.length !== 4) return 'partial';
  const end = rangeEnd(byteRange);
  if (end === source.lengthBytes) return 'whole-file';
  const tail = latin1Text(source.slice(Math.max(0, end - 16), end));
  return /%%EOF[\0\t\n\f\r ]*$/.test(tail) ? 'revision' : 'partial';
}
