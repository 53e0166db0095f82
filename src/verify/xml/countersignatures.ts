import { buildFinding } from '../findings/index.ts';
import type { SignatureConclusion, XmlSignatureReport } from '../report.ts';
import { checkXmlSignature } from './check-xml-signature.ts';
import type { XmlContext } from './context.ts';
import type { ListedSignature } from './list-signatures.ts';
import { readSignatureObject } from './signature-object.ts';

/** Counter-signatures of one signature that are checked. */
const MAX_COUNTERSIGNATURES = 16;

/**
 * The report on a signature with conclusions on the counter-signatures in its unsigned properties:
 * each by itself, and whether it is over the value of this signature.
 *
 * @spec ETSI EN 319 132-1 §5.2.7
 */
export function withCountersignatures(
  report: XmlSignatureReport,
  listed: ListedSignature,
  context: XmlContext,
): XmlSignatureReport {
  if (listed.nested.length === 0) return report;
  const { signature, properties } = readSignatureObject(listed);
  const found = (properties?.unsigned ?? []).flatMap((property) =>
    property.kind === 'counterSignature' ? [property.signature] : [],
  );
  if (found.length === 0) return report;
  const valueId = signature?.signatureValue.id;
  const countersignatures = found.slice(0, MAX_COUNTERSIGNATURES).map((element) => {
    const counter = checkXmlSignature({ element, nested: [] }, context);
    return conclude(counter, valueId);
  });
  return { ...report, countersignatures };
}

function conclude(report: XmlSignatureReport, valueId: string | undefined): SignatureConclusion {
  const { kind, form, id, offsetBytes, coverage, references, qualification, ...rest } = report;
  const { roles, location, commitments, policy, ...conclusion } = rest;
  const uri = valueId === undefined ? undefined : `#${valueId}`;
  const isOver = references.some((each) => each.status === 'valid' && each.uri === uri);
  if (isOver) return conclusion;
  const message = 'the counter-signature is not over the value of the signature around it';
  const finding = buildFinding('signature.countersigned.other', message);
  const noted = { ...conclusion, findings: [...conclusion.findings, finding] };
  if (conclusion.indication !== 'TOTAL-PASSED') return noted;
  return { ...noted, indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' };
}
