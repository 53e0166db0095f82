import type { ByteSource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { SealLevel } from '../../base/level.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { oids } from '../../formats/asn1/index.ts';
import { readSigningCertificate } from '../../formats/cms/index.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import { checkBroken } from '../check-signer.ts';
import { checkCmsSigner, signingTimeOf } from '../cms/index.ts';
import {
  type ProofOfExistence,
  proofsByCoverage,
  type StatusContext,
  type StoredValidationData,
  withEvidenceUnder,
} from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import { describeIntegrity } from '../integrity.ts';
import { type CoveringStamp, levelOf } from '../level.ts';
import { describeQualification } from '../qualification/index.ts';
import {
  type CmsSignatureReport,
  type CountersignatureReport,
  cmsObjects,
  type Finding,
  pathObjects,
  type ReferenceReport,
  withObjects,
} from '../report/index.ts';
import { describeSigner } from '../signer-summary.ts';
import { noteUnprovenTimestamps, summarizeTimestamp } from '../timestamp-summary.ts';
import { checkCadesBaseline, checkLongTermForm, noteUnchecked } from './cades-baseline.ts';
import { mergeData } from './cades-values.ts';
import {
  type ExaminedCountersigner,
  type ExaminedSigner,
  examineCades,
  type Unexamined,
} from './examine-cades.ts';

/** A time-stamp over the whole signature file, by way of an ASiCArchiveManifest. */
export interface OuterTimestamp {
  readonly verdict: TimestampVerdict;
  /** Result of `proofsOfExistence` for all outer time-stamps. */
  readonly proof: ProofOfExistence;
  /** Covered validation data outside the signature file. */
  covered?(): StoredValidationData;
}

/** Context for verifying a CAdES signature. */
export interface CadesContext extends StatusContext {
  /** Name of the content, for the report. */
  readonly contentName?: string;
  /** Time-stamps over the signature file and the content, oldest first. */
  readonly covering?: readonly OuterTimestamp[];
}

/**
 * Verifies each signer of a detached CMS signature over the content: cryptographic checks, path to
 * an anchor, level. Negative results are values of the reports; bytes that are not SignedData
 * result in one report that states this.
 *
 * @spec ETSI EN 319 122-1 §6, EN 319 102-1 §5
 */
export function verifyCades(
  signature: Uint8Array,
  content: ByteSource,
  context: CadesContext,
): readonly CmsSignatureReport[] {
  const examined = examineCades(signature, content, context);
  if ('isOpen' in examined) return [unreadable(examined, context)];
  return examined.map((signer) => {
    const report = checkCades(signer, context);
    const { countersigners } = signer;
    if (countersigners.length === 0) return report;
    return { ...report, countersignatures: countersigners.map(concludeOn) };
  });

  /** Reports on a countersigner, which does not affect the countersigned signature. */
  function concludeOn(signer: ExaminedCountersigner): CountersignatureReport {
    const { kind: _, form, references, qualification, ...conclusion } = checkCades(signer, context);
    return { ...conclusion, ...defined({ countersigns: signer.countersigns }) };
  }
}

function unreadable({ message, isOpen }: Unexamined, context: CadesContext): CmsSignatureReport {
  const open = { indication: 'INDETERMINATE', subIndication: 'GENERIC' } as const;
  return {
    kind: 'signature',
    form: 'cms',
    ...(isOpen ? open : { ...checkBroken('FORMAT_FAILURE').outcome, intact: false }),
    trusted: false,
    bestTime: isoTime(context.nowMs),
    timeProved: false,
    timestamps: [],
    findings: [buildFinding(isOpen ? 'signature.cms.limit' : 'signature.cms.invalid', message)],
    references: [],
  };
}

function checkCades(examined: ExaminedSigner, context: CadesContext): CmsSignatureReport {
  const { signerInfo, cms, values, data, stamps, archives, contentStamps } = examined;
  const times = proveAll(examined, context);
  const proved = withEvidenceUnder(context, times.covering);
  const bestMs = times.provedMs ?? context.nowMs;
  const departures = checkCadesBaseline(cms);
  const legacy = checkLongTermForm(values);
  const unchecked = noteUnchecked(values, examined.countersigned);
  const findings: Finding[] = [...cms.findings, ...departures, ...legacy, ...unchecked];
  const level =
    cms.intact && departures.length === 0
      ? findLevel(examined, times, legacy.length === 0, proved)
      : undefined;
  const claimedMs = signingTimeOf(signerInfo);
  const rules = () => ({ isBindingDemanded: true, claimedMs });
  const trust = checkCmsSigner(cms, rules, { atMs: bestMs, data }, proved, findings);
  const [plain, archived] = [
    times.proofs.slice(0, stamps.length),
    times.proofs.slice(stamps.length),
  ];
  noteUnprovenTimestamps('signature time-stamp', stamps.map(verdictOf), plain, findings);
  noteUnprovenTimestamps('archive time-stamp', archives.map(verdictOf), archived, findings);
  noteUnprovenTimestamps('content time-stamp', contentStamps, [], findings);
  const algorithm = signerInfo.signatureAlgorithm;
  const collect = () =>
    cmsObjects(signerInfo, cms.intact, {
      ...pathObjects(cms.certificate, bestMs, data, context),
      timestamps: [
        ...contentStamps.map(({ path }) => ({ token: undefined, path })),
        ...[...stamps, ...archives].map(({ verdict: { path }, value }) => {
          return { token: value.der, path };
        }),
      ],
    });
  return {
    kind: 'signature',
    form: readSigningCertificate(signerInfo).length > 0 ? 'cades' : 'cms',
    ...trust.outcome,
    ...defined({ level }),
    ...describeIntegrity(cms),
    trusted: trust.trusted,
    ...(algorithm && { algorithm: `${algorithm.scheme} ${algorithm.digest}` }),
    ...defined({
      signer: cms.certificate === undefined ? undefined : describeSigner(cms.certificate),
      anchor: trust.anchor,
      claimedTime: claimedMs === undefined ? undefined : isoTime(claimedMs),
    }),
    ...describeQualification(context, cms.certificate, bestMs),
    bestTime: isoTime(bestMs),
    timeProved: times.provedMs !== undefined,
    timestamps: [
      ...contentStamps.map((verdict) => summarizeTimestamp(verdict, 'content', context)),
      ...stamps.map(({ verdict }, index) =>
        summarizeTimestamp(verdict, 'signature', context, plain[index]),
      ),
      ...archives.map(({ verdict }, index) =>
        summarizeTimestamp(verdict, 'archive', context, archived[index]),
      ),
    ],
    findings,
    references: describeReference(examined, context),
    // Not the first member: V8 would create new hidden classes for each report.
    ...withObjects(collect),
  };
}

const v3 = oids.archiveTimeStampV3;

interface ProvedTimes {
  readonly provedMs: number | undefined;
  /** Proofs by the time-stamps over the signature value, then by the archive time-stamps. */
  readonly proofs: readonly ProofOfExistence[];
  /** The archive time-stamps, then the outer ones. */
  readonly covering: readonly CoveringStamp[];
}

/** The earliest proven time, and the archive and outer time-stamps with their proofs. */
function proveAll({ stamps, archives, data }: ExaminedSigner, context: CadesContext): ProvedTimes {
  const { covering = [], nowMs } = context;
  const times = covering.flatMap(({ proof: { timeMs } }) => (timeMs === undefined ? [] : [timeMs]));
  const all = [...stamps, ...archives];
  const covers = (later: number, earlier: number) => {
    const stamp = archives[later - stamps.length];
    const value = all[earlier]?.value;
    return stamp !== undefined && value !== undefined && stamp.covered.has(value);
  };
  const outerMs = Math.min(nowMs, ...times);
  const outer = covering.map(
    (stamp): CoveringStamp => ({
      verdict: stamp.verdict,
      proof: stamp.proof,
      covered: () => mergeData([data, ...(stamp.covered === undefined ? [] : [stamp.covered()])]),
    }),
  );
  const under = (index: number) => {
    const covered = archives[index - stamps.length]?.covered ?? [];
    return mergeData([...covered].map((value) => value.data));
  };
  const known = withEvidenceUnder(context, outer);
  const proofs = proofsByCoverage(all.map(verdictOf), covers, data, outerMs, known, under);
  for (const { timeMs } of proofs) {
    if (timeMs !== undefined) times.push(timeMs);
  }
  const inner = archives.map(
    ({ verdict }, index): CoveringStamp => ({
      verdict,
      proof: proofs[stamps.length + index] as ProofOfExistence,
      covered: () => under(stamps.length + index),
    }),
  );
  const provedMs = times.length === 0 ? undefined : Math.min(...times);
  return { provedMs, proofs, covering: [...inner, ...outer] };
}

/** Levels above B-B need a signature time-stamp, those above B-T the long-term SignedData form. */
function findLevel(
  { cms, stamps, archives, data: store }: ExaminedSigner,
  times: ProvedTimes,
  longTermForm: boolean,
  context: CadesContext,
): SealLevel {
  const timestamps = stamps.map(verdictOf);
  if (!timestamps.some(({ valid }) => valid)) return 'B-B';
  if (!longTermForm) return 'B-T';
  // Archive time-stamps of older forms prove their time, but do not count for a baseline level.
  const isOld = (at: number) => (archives[at]?.value.type ?? v3) !== v3;
  const covering = times.covering.filter((_, at) => !isOld(at));
  return levelOf({ certificate: cms.certificate, timestamps, covering, store, context });
}

function describeReference(
  { cms, signerInfo }: ExaminedSigner,
  { contentName }: CadesContext,
): readonly ReferenceReport[] {
  const message = cms.findings[0]?.message;
  const refuted = cms.subIndication === 'HASH_FAILURE';
  return [
    {
      uri: contentName,
      scope: 'file',
      ...defined({ target: contentName }),
      digest: signerInfo.digest ?? signerInfo.digestOid,
      status: cms.intact ? 'valid' : refuted ? 'changed' : 'refused',
      ...(cms.intact ? {} : defined({ message })),
    },
  ];
}

function verdictOf({ verdict }: { readonly verdict: TimestampVerdict }): TimestampVerdict {
  return verdict;
}
