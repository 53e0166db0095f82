import { defined } from '../../../base/defined.ts';
import { isoTime } from '../../../base/time/iso-time.ts';
import type { StatusContext } from '../../existence/index.ts';
import { describeTimestampQualification } from '../../qualification/index.ts';
import {
  type Finding,
  type SignatureReport,
  tokenObjects,
  withObjects,
} from '../../report/index.ts';
import { describeSigner } from '../../signer-summary.ts';
import { anchorOf, checkToken, describeStampIntegrity } from '../../timestamp-summary.ts';
import { type SignedFile, withChanges } from '../later-changes.ts';
import type { DocumentTimestamp } from './document-timestamps.ts';

/** Verifies one document time-stamp. */
export function checkTimestamp(
  signed: SignedFile,
  stamp: DocumentTimestamp,
  context: StatusContext,
): SignatureReport {
  const { evidence, verdict } = stamp;
  const findings: Finding[] = [...evidence.findings];
  // If the entries are invalid, the token is not read, so it must not be reported as invalid.
  const notes = evidence.findings.length > 0 ? [] : findings;
  const integrity = describeStampIntegrity(verdict);
  const checked = checkToken(verdict, stamp.proof, notes);
  const { outcome, changes } = withChanges(
    signed,
    evidence,
    { outcome: checked, intact: integrity.intact ?? false },
    findings,
  );
  const time = verdict.info === undefined ? undefined : isoTime(verdict.info.genTimeMs);
  const collect = () => tokenObjects(evidence.contents, verdict, stamp.covered());
  return {
    kind: 'document-timestamp',
    field: evidence.field,
    subFilter: evidence.subFilter,
    ...outcome,
    ...integrity,
    trusted: verdict.trusted,
    coverage: evidence.coverage,
    byteRange: evidence.byteRange,
    ...defined({
      signer: verdict.certificate === undefined ? undefined : describeSigner(verdict.certificate),
    }),
    ...anchorOf(verdict),
    ...describeTimestampQualification(context, verdict),
    bestTime: time ?? isoTime(context.nowMs),
    timeProved: stamp.proof.timeMs !== undefined,
    timestamps: [],
    ...defined({ changes }),
    findings,
    // Not the first member: V8 would create new hidden classes for each report.
    ...withObjects(collect),
  };
}
