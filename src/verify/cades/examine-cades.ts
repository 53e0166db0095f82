import { type ByteSource, memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { oids } from '../../formats/asn1/index.ts';
import {
  type Countersigner,
  listCountersigners,
  parseSignedData,
  type SignedData,
  type SignedDataParts,
  type SignerInfo,
  type SignerParts,
  splitSignedData,
} from '../../formats/cms/index.ts';
import { type ContentDigest, contentDigest } from '../../trust/content-digest.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import { type CmsVerdict, type SignedContent, verifySigner } from '../cms/index.ts';
import { type StatusContext, type StoredValidationData, verifyTokens } from '../existence/index.ts';
import {
  type ArchivedSigner,
  type ArchiveTimestamp,
  verifyArchiveTimestamp,
  verifyOldArchiveTimestamp,
} from './archive-timestamps.ts';
import { type CadesValue, listValues, mergeData } from './cades-values.ts';
import { createValueFinder } from './hash-index.ts';

/** A time-stamp over the signature value of a signer. */
export interface SignatureTimestamp {
  readonly verdict: TimestampVerdict;
  readonly value: CadesValue;
}

/** One signer with everything that is verified independently of trust. */
export interface ExaminedSigner {
  readonly signerInfo: SignerInfo;
  readonly cms: CmsVerdict;
  readonly values: readonly CadesValue[];
  /** All validation data of the signature. */
  readonly data: StoredValidationData;
  /** Empty if the signature is not intact, as are the lists below. */
  readonly stamps: readonly SignatureTimestamp[];
  readonly archives: readonly ArchiveTimestamp[];
  /** Time-stamps over the content, obtained before signing. */
  readonly contentStamps: readonly TimestampVerdict[];
  /** Countersigners of the signature value, and of each other. */
  readonly countersigners: readonly ExaminedCountersigner[];
  /** Number of examined signers over the value of this one itself. */
  readonly countersigned: number;
}

/** A signer over the signature value of another. */
export interface ExaminedCountersigner extends ExaminedSigner {
  /** Same as in {@link Countersigner}. */
  readonly countersigns: number | undefined;
}

/** Reason why no signer is examined. */
export interface Unexamined {
  readonly message: string;
  /** True if there is too much to check. Anyone can add unsigned data, so nothing is refuted. */
  readonly isOpen: boolean;
}

/** Examines each signer of a SignedData over the content. Returns the reason if there is none. */
export function examineCades(
  signature: Uint8Array,
  content: ByteSource,
  context: StatusContext,
): readonly ExaminedSigner[] | Unexamined {
  const read = readSignature(signature);
  if ('isOpen' in read) return read;
  const { signedData, parts, values } = read;
  for (const { certificates } of values.flat().map(({ data }) => data)) {
    for (const der of certificates) context.pool.add(der);
  }
  const digest = contentDigest(content);
  const countersigners = countersignersToCheck(signature, read);
  return signedData.signerInfos.map((signerInfo, index) => {
    const own = values[index] as readonly CadesValue[];
    const signer = parts.signers[index] as SignerParts;
    const list = countersigners[index] ?? [];
    const counts = new Map<number | undefined, number>();
    for (const { countersigns: at } of list) counts.set(at, (counts.get(at) ?? 0) + 1);
    const countOver = (at?: number) => counts.get(at) ?? 0;
    const examined: Examination = {
      ...{ content, digest, signedData, parts, signerInfo, signer, values: own },
      countersigned: countOver(),
    };
    const examinedOver = list.map((each, at) =>
      examineCountersigner(each, { ...examined, countersigned: countOver(at) }, context),
    );
    return { ...examineSigner(examined, context), countersigners: examinedOver };
  });
}

/**
 * A signer over the signature value of another.
 *
 * @spec RFC 5652 §11.4, ETSI EN 319 122-1 §5.2.7
 */
function examineCountersigner(
  { signerInfo, parts: signer, over, countersigns }: Countersigner,
  { signedData, parts, countersigned }: Pick<Examination, 'signedData' | 'parts' | 'countersigned'>,
  context: StatusContext,
): ExaminedCountersigner {
  const content = memorySource(over.signature);
  const examined = examineSigner(
    {
      content,
      digest: contentDigest(content),
      signedData: { ...signedData, content: undefined, contentType: oids.data },
      parts,
      signerInfo,
      signer,
      values: listValues(parts, signer),
      countersigned,
      isSignatureValue: true,
    },
    context,
  );
  return { ...examined, countersigns };
}

interface ReadSignature {
  readonly signedData: SignedData;
  readonly parts: SignedDataParts;
  /** Values of each signer. */
  readonly values: readonly (readonly CadesValue[])[];
}

function readSignature(signature: Uint8Array): ReadSignature | Unexamined {
  const over = (message: string): Unexamined => ({ message, isOpen: true });
  try {
    const signedData = parseSignedData(signature);
    if (signedData.signerInfos.length === 0) {
      return { message: 'the SignedData has no signer', isOpen: false };
    }
    const excess = findExcess(signature, signedData);
    if (excess !== undefined) return over(excess);
    const parts = splitSignedData(signature);
    const values = parts.signers.map((signer) => listValues(parts, signer));
    const excessOfData = findExcessOfData(signedData, values);
    return excessOfData === undefined ? { signedData, parts, values } : over(excessOfData);
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return { message: error.message, isOpen: error.code === 'limit.exceeded' };
  }
}

/** The reason why verifying a signature takes too much work. Undefined otherwise. */
function findExcess(signature: Uint8Array, signedData: SignedData): string | undefined {
  const claims = countClaims(signedData.signerInfos);
  if (claims > limits.cmsTimestamps) {
    return `expected at most ${limits.cmsTimestamps} signers and time-stamps, found ${claims}`;
  }
  const lengthBytes = checkedBytes(signature, signedData);
  if (claims * lengthBytes <= limits.cmsWorkBytes) return undefined;
  return `${claims} signers and time-stamps in ${lengthBytes} bytes are not checked`;
}

/** Content is digested once per algorithm, all other bytes once per signer and time-stamp. */
function checkedBytes(signature: Uint8Array, { content }: SignedData): number {
  return signature.length - (content?.length ?? 0);
}

function hasCountersigner({ unsignedAttributes }: SignerInfo): boolean {
  return unsignedAttributes.has(oids.counterSignature);
}

/**
 * The countersigners of each signer, up to the limit: anyone can add more, and they do not affect
 * the countersigned signature. The rest are reported as unchecked.
 */
function countersignersToCheck(
  signature: Uint8Array,
  { signedData, values }: ReadSignature,
): readonly (readonly Countersigner[])[] {
  const { signerInfos } = signedData;
  if (!signerInfos.some(hasCountersigner)) return [];
  const most = Math.min(
    limits.cmsTimestamps,
    Math.floor(limits.cmsWorkBytes / checkedBytes(signature, signedData)),
    Math.floor(limits.cmsStatusChecks / Math.max(1, mostEvidence(values))),
  );
  let left = most - countClaims(signerInfos);
  return signerInfos.map((signerInfo) => {
    const list = listCountersigners(signerInfo, Math.max(left, 0));
    const end = list.findIndex((each) => {
      left -= countClaims([each.signerInfo]);
      return left < 0;
    });
    return end < 0 ? list : list.slice(0, end);
  });
}

/** Counts signers and time-stamps, each of which needs a revocation check. */
function countClaims(signerInfos: readonly SignerInfo[]): number {
  let count = signerInfos.length;
  for (const { signedAttributes, unsignedAttributes } of signerInfos) {
    count += signedAttributes?.get(oids.contentTimeStamp)?.length ?? 0;
    count += unsignedAttributes.get(oids.signatureTimeStampToken)?.length ?? 0;
    count += unsignedAttributes.get(oids.archiveTimeStampV3)?.length ?? 0;
    for (const type of oldArchives) count += unsignedAttributes.get(type)?.length ?? 0;
  }
  return count;
}

function findExcessOfData(
  { signerInfos }: SignedData,
  values: readonly (readonly CadesValue[])[],
): string | undefined {
  const claims = countClaims(signerInfos);
  const count = mostEvidence(values);
  if (claims * count <= limits.cmsStatusChecks) return undefined;
  return `${count} OCSP responses and CRLs for ${claims} signers and time-stamps are not checked`;
}

/** Maximum number of OCSP responses and CRLs of one signer. */
function mostEvidence(values: readonly (readonly CadesValue[])[]): number {
  const counts = values.map((own) => {
    const { ocsp, crls } = mergeData(own.map(({ data }) => data));
    return ocsp.length + crls.length;
  });
  return Math.max(0, ...counts);
}

interface Examination {
  readonly content: ByteSource;
  readonly digest: ContentDigest;
  readonly signedData: SignedData;
  readonly parts: SignedDataParts;
  readonly signerInfo: SignerInfo;
  readonly signer: SignerParts;
  readonly values: readonly CadesValue[];
  readonly countersigned: number;
  readonly isSignatureValue?: true;
}

function examineSigner(examined: Examination, context: StatusContext): ExaminedSigner {
  const { content, digest, signedData, parts, signerInfo, signer, values } = examined;
  const covered: SignedContent = {
    digest,
    coveredBytes: () => content.slice(0, content.lengthBytes),
    embedsDigest: false,
    ...defined({ isSignatureValue: examined.isSignatureValue }),
  };
  const cms = verifySigner(signedData, signerInfo, covered, context.pool);
  const data = mergeData(values.map((value) => value.data));
  const { countersigned } = examined;
  const found = { signerInfo, cms, values, data, countersigners: [], countersigned };
  if (!cms.intact) return { ...found, stamps: [], archives: [], contentStamps: [] };
  const own = values.filter(({ type }) => type === oids.signatureTimeStampToken);
  const verdicts = verifyTokens(
    own.map(({ der }) => der),
    signerInfo.signature,
    context,
  );
  const beside = signedData.content === undefined ? content : undefined;
  const finder = createValueFinder(values);
  const archived = { parts, signer, content: digest, finder, values, beside };
  return {
    ...found,
    stamps: own.map((value, at) => ({ value, verdict: verdicts[at] as TimestampVerdict })),
    archives: verifyArchives(archived, context).toSorted(
      (a, b) => timeOf(a) - timeOf(b) || a.covered.size - b.covered.size,
    ),
    contentStamps: verifyTokens(contentTokens(signerInfo), digest, context),
  };
}

/** Types of archive time-stamps before the third version. */
const oldArchives = [oids.archiveTimeStampV2, oids.archiveTimeStamp] as const;

/** Maximum number of archive time-stamps of older forms: each digests the whole content. */
const MAX_OLD_ARCHIVES = 8;

function verifyArchives(archived: ArchivedSigner, context: StatusContext): ArchiveTimestamp[] {
  const of = (...wanted: readonly string[]) =>
    archived.values.filter(({ type }) => wanted.includes(type));
  return [
    ...of(oids.archiveTimeStampV3).map((each) => verifyArchiveTimestamp(each, archived, context)),
    ...of(...oldArchives)
      .slice(0, MAX_OLD_ARCHIVES)
      .map((each) => verifyOldArchiveTimestamp(each, archived, context)),
  ];
}

function contentTokens({ signedAttributes }: SignerInfo): readonly Uint8Array[] {
  const nodes = signedAttributes?.get(oids.contentTimeStamp) ?? [];
  return nodes.map(({ bytes, start, end }) => bytes.subarray(start, end));
}

function timeOf({ verdict }: ArchiveTimestamp): number {
  return verdict.info?.genTimeMs ?? 0;
}
