import { createHash } from 'node:crypto';
import {
  objectsOf,
  type TimestampObject,
  type TimestampSummary,
} from '../../../verify/report/index.ts';
import type { AnyConclusion } from '../verdict.ts';
import { digestTags, reference, sha256Uri } from './object-list.ts';
import { type ReportContext, related } from './report-context.ts';
import { findingUri, mainIndications, proofTypes } from './uris.table.ts';
import { statusTag } from './validation-status.ts';
import { tag, type XmlNode, type XmlTag } from './xml-text.ts';

/** Adds the time-stamps of a signature, and gives their identifiers in the same order. */
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

/** Indications of time-stamps, which have no «total». */
const stampIndications = {
  'TOTAL-PASSED': 'PASSED',
  INDETERMINATE: 'INDETERMINATE',
  'TOTAL-FAILED': 'FAILED',
} as const;

/** Adds a time-stamp over the document, which stands after the signatures that it covers. */
export function addDocumentTimestamp(
  stamp: AnyConclusion,
  covered: readonly AnyConclusion[],
  context: ReportContext,
): void {
  const { objects, verifiedAt } = context;
  const [token] = objectsOf(stamp)?.timestamps ?? [];
  const more = (): readonly XmlNode[] => {
    const { indication, bestTime } = stamp;
    const provisioning =
      indication === 'TOTAL-PASSED' && covered.length > 0
        ? tag(
            'vr:POEProvisioning',
            tag('vr:POETime', bestTime),
            related(covered, context).map((one) => signatureReference(one)),
          )
        : undefined;
    const report = tag(
      'vr:ValidationReport',
      timeTag(verifiedAt, bestTime),
      statusTag(stamp, objects, [], stampIndications[indication]),
    );
    return provisioning === undefined ? [report] : [provisioning, report];
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
      proof === undefined ? undefined : reference('vr:POEObject', proof),
    ),
  );
}

function provisioningTag(time: string, conclusion: AnyConclusion): XmlTag | undefined {
  if (Number.isNaN(Date.parse(time))) return undefined;
  return tag('vr:POEProvisioning', tag('vr:POETime', time), signatureReference(conclusion));
}

/**
 * The reference to a signature: by the name of the field in a PDF, else by the digest of the
 * signature value.
 */
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
  const [signer, ...issuers] = path;
  const chain =
    signer === undefined
      ? undefined
      : tag(
          'vr:CertificateChain',
          reference('vr:SigningCertificate', signer),
          ...issuers.map((id) => reference('vr:IntermediateCertificate', id)),
        );
  const why = message === '' ? undefined : whyTag(problem, message);
  const data = [chain, why].filter((each) => each !== undefined);
  return tag(
    'vr:ValidationReport',
    tag(
      'vr:SignatureValidationStatus',
      tag('vr:MainIndication', mainIndications[indication]),
      data.length === 0 ? undefined : tag('vr:AssociatedValidationReportData', data),
    ),
  );
}

function whyTag(problem: string | undefined, message: string): XmlTag {
  const type = findingUri(problem ?? 'timestamp.untrusted');
  return tag(
    'vr:AdditionalValidationReportData',
    tag('vr:ReportData', tag('vr:Type', type), tag('vr:Value', message)),
  );
}
