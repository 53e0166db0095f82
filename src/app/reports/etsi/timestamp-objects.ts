import { createHash } from 'node:crypto';
import {
  objectsOf,
  type TimestampObject,
  type TimestampSummary,
} from '../../../verify/report/index.ts';
import type { AnyConclusion } from '../verdict.ts';
import { digestTags, reference, sha256Uri } from './object-list.ts';
import { type ReportContext, related } from './report-context.ts';
import { proofTypes } from './uris.table.ts';
import { chainTag, conclusionTag, findingData, statusTag } from './validation-status.ts';
import { tag, tagFor, type XmlNode, type XmlTag } from './xml-text.ts';

/** Adds the time-stamps of a signature and returns their identifiers in the same order. */
export function addTimestamps(
  conclusion: AnyConclusion,
  { objects }: ReportContext,
): readonly string[] {
  const collected = objectsOf(conclusion)?.timestamps ?? [];
  return conclusion.timestamps.map((stamp, index) => {
    const { token, path = [] }: Partial<TimestampObject> = collected[index] ?? {};
    const more = () =>
      [
        provisioningTag(stamp.time, conclusion),
        stampReport(
          stamp,
          path.map(({ der }) => objects.add('certificate', der)),
        ),
      ].filter((each) => each !== undefined);
    if (token !== undefined) return objects.add('timestamp', token, more);
    const shown = tag('vr:direct', `${stamp.time} ${stamp.serialNumber} ${stamp.authority}`);
    return objects.addShown('timestamp', JSON.stringify(stamp), [shown], more);
  });
}

/** Indications of time-stamps, which lack the prefix "TOTAL-". */
const stampIndications = {
  'TOTAL-PASSED': 'PASSED',
  INDETERMINATE: 'INDETERMINATE',
  'TOTAL-FAILED': 'FAILED',
} as const;

/** Adds a document time-stamp, which follows the signatures that it covers. */
export function addDocumentTimestamp(
  stamp: AnyConclusion,
  covered: readonly AnyConclusion[],
  context: ReportContext,
): void {
  const { objects, verifiedAt } = context;
  const [token] = objectsOf(stamp)?.timestamps ?? [];
  const more = (): readonly XmlNode[] => {
    const { indication, bestTime } = stamp;
    const report = tag(
      'vr:ValidationReport',
      timeTag(verifiedAt, bestTime),
      statusTag(stamp, objects, [], stampIndications[indication]),
    );
    if (indication !== 'TOTAL-PASSED' || covered.length === 0) return [report];
    const proved = related(covered, context).map(signatureReference);
    return [tag('vr:POEProvisioning', tag('vr:POETime', bestTime), proved), report];
  };
  if (token?.token !== undefined) objects.add('timestamp', token.token, more);
  else {
    const name = 'field' in stamp ? stamp.field : (stamp.file ?? '');
    objects.addShown('timestamp', `document ${name}`, [tag('vr:direct', name)], more);
  }
}

/** The validation time and the best-signature-time. */
export function timeTag(verifiedAt: string, bestTime: string, proof?: string): XmlTag {
  return tag(
    'vr:ValidationTimeInfo',
    tag('vr:ValidationTime', verifiedAt),
    tag(
      'vr:BestSignatureTime',
      tag('vr:POETime', bestTime),
      tag('vr:TypeOfProof', proofTypes.validation),
      tagFor(proof, (id) => reference('vr:POEObject', id)),
    ),
  );
}

function provisioningTag(time: string, conclusion: AnyConclusion): XmlTag | undefined {
  if (Number.isNaN(Date.parse(time))) return undefined;
  return tag('vr:POEProvisioning', tag('vr:POETime', time), signatureReference(conclusion));
}

/** A reference to a signature: by field name in a PDF, else by digest of the signature value. */
function signatureReference(conclusion: AnyConclusion): XmlTag {
  if ('field' in conclusion) {
    return tag('vr:SignatureReference', tag('vr:PAdESFieldName', conclusion.field));
  }
  const value = objectsOf(conclusion)?.signatureValue;
  if (value === undefined) return tag('vr:SignatureReference', tag('vr:OtherInformation'));
  const digest = createHash('sha256').update(value).digest();
  const [, text] = digestTags(sha256Uri, digest);
  return tag(
    'vr:SignatureReference',
    tag('vr:DigestMethod', sha256Uri),
    tag('vr:DigestValue', text.children),
  );
}

function stampReport(
  { valid, trusted, problem, message = '' }: TimestampSummary,
  path: readonly string[],
): XmlTag {
  const indication = valid ? (trusted ? 'PASSED' : 'INDETERMINATE') : 'FAILED';
  const finding = { code: problem ?? 'timestamp.untrusted', message };
  const status = conclusionTag('SignatureValidationStatus', indication, undefined, [
    path.length === 0 ? undefined : chainTag(path),
    message === '' ? undefined : findingData([finding]),
  ]);
  return tag('vr:ValidationReport', status);
}
