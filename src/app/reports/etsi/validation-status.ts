import { attempt } from '../../../base/errors.ts';
import { isoTime } from '../../../base/time/iso-time.ts';
import type { SignatureAlgorithm } from '../../../formats/x509/index.ts';
import { signatureUri } from '../../../formats/xmldsig/index.ts';
import { type BuildingBlock, objectsOf } from '../../../verify/report/index.ts';
import type { AnyConclusion } from '../verdict.ts';
import { type ObjectList, reference } from './object-list.ts';
import { constraintStatuses, mainIndications, prefixes, uriPart } from './uris.table.ts';
import { tag, tagAround, tagFor, type XmlTag } from './xml-text.ts';

/**
 * Indication, sub-indication, and the data that they are based on.
 *
 * @param ids identifiers of the objects that were used in addition to the path
 */
export function statusTag(
  conclusion: AnyConclusion,
  objects: ObjectList,
  ids: readonly string[],
  indication: keyof typeof mainIndications = conclusion.indication,
): XmlTag {
  const { subIndication, findings, trusted } = conclusion;
  const path = addPath(conclusion, objects);
  const [signer] = path;
  const anchor = trusted ? path.at(-1) : undefined;
  return conclusionTag('SignatureValidationStatus', indication, subIndication, [
    tagFor(anchor, (id) => reference('vr:TrustAnchor', id)),
    tagFor(signer, () => chainTag(path, anchor)),
    ...ids.map((id) => reference('vr:RelatedValidationObject', id)),
    revocationTag(conclusion, objects),
    tagFor(signer, (id) => algorithmTag(conclusion, id)),
    findings.length === 0 ? undefined : findingData(findings),
  ]);
}

/** An indication with its sub-indication and the data that it is based on. */
export function conclusionTag(
  name: 'SignatureValidationStatus' | 'ValidationStatus',
  indication: keyof typeof mainIndications,
  subIndication: string | undefined,
  data: readonly (XmlTag | undefined)[],
): XmlTag {
  return tag(
    `vr:${name}`,
    tag('vr:MainIndication', mainIndications[indication]),
    tagFor(subIndication, (sub) =>
      tag('vr:SubIndication', `${prefixes.subIndication}${uriPart(sub)}`),
    ),
    tagAround('vr:AssociatedValidationReportData', data),
  );
}

/** Adds the certificates of a path and returns their identifiers, the signer first. */
export function addPath(conclusion: AnyConclusion, objects: ObjectList): readonly string[] {
  const { path } = objectsOf(conclusion) ?? { path: [] };
  return path.map(({ der }) => objects.add('certificate', der));
}

/** The certificates of a path, given by their identifiers, the signer first. */
export function chainTag(path: readonly string[], anchor?: string): XmlTag {
  const [signer = '', ...issuers] = path;
  const between = anchor === undefined || issuers.length === 0 ? issuers : issuers.slice(0, -1);
  return tag(
    'vr:CertificateChain',
    reference('vr:SigningCertificate', signer),
    ...between.map((id) => reference('vr:IntermediateCertificate', id)),
    tagFor(anchor, (id) => reference('vr:TrustAnchor', id)),
  );
}

/** The revoked certificate with time, reason and source. @spec ETSI TS 119 102-2 §4.3.4 */
function revocationTag(conclusion: AnyConclusion, objects: ObjectList): XmlTag | undefined {
  const { revocation } = objectsOf(conclusion) ?? {};
  if (revocation?.revokedAtMs === undefined) return undefined;
  const { certificate, revokedAtMs, reason, source, der } = revocation;
  const evidence = source !== undefined && der !== undefined ? objects.add(source, der) : undefined;
  return tag(
    'vr:RevocationStatusInformation',
    reference('vr:ValidationObjectId', objects.add('certificate', certificate.der)),
    tag('vr:RevocationTime', isoTime(revokedAtMs)),
    tagFor(reason, (why) =>
      tag('vr:RevocationReason', `${prefixes.revocationReason}${uriPart(why)}`),
    ),
    tagFor(evidence, (id) => reference('vr:RevocationObject', id)),
  );
}

function algorithmTag({ algorithm, findings }: AnyConclusion, signer: string): XmlTag | undefined {
  const [scheme, digest = ''] = (algorithm ?? '').split(' ');
  const named = { scheme, digest } as SignatureAlgorithm;
  const uri = attempt(() => signatureUri(named));
  if (uri === undefined) return undefined;
  const isWeak = findings.some(({ code }) => code.startsWith('algorithm.'));
  return tag(
    'vr:CryptoInformation',
    reference('vr:ValidationObjectId', signer),
    tag('vr:Algorithm', uri),
    tag('vr:SecureAlgorithm', String(!isWeak)),
  );
}

/** Findings with their codes. */
export function findingData(
  findings: readonly { readonly code: string; readonly message: string }[],
): XmlTag {
  const data = findings.map(({ code, message }) =>
    tag(
      'vr:ReportData',
      tag('vr:Type', `${prefixes.finding}${uriPart(code)}`),
      tag('vr:Value', message),
    ),
  );
  return tag('vr:AdditionalValidationReportData', data);
}

/** The building blocks as evaluated validation constraints. */
export function constraintsTag(blocks: readonly BuildingBlock[] = []): XmlTag | undefined {
  if (blocks.length === 0) return undefined;
  return tag('vr:ValidationConstraintsEvaluationReport', blocks.map(constraintTag));
}

function constraintTag(block: BuildingBlock): XmlTag {
  const { name, indication, subIndication, constraint, message } = block;
  const run = indication === 'NOT-RUN' ? undefined : indication;
  const status = run === undefined ? constraintStatuses.disabled : constraintStatuses.applied;
  const data = [findingData([{ code: constraint, message }])];
  return tag(
    'vr:ValidationConstraint',
    tag('vr:ValidationConstraintIdentifier', `${prefixes.buildingBlock}${name}`),
    tag('vr:ConstraintStatus', tag('vr:Status', status)),
    tagFor(run, (found) => conclusionTag('ValidationStatus', found, subIndication, data)),
  );
}
