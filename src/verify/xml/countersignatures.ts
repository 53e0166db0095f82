import { defined } from '../../base/defined.ts';
import type { XmlElement } from '../../formats/xml/index.ts';
import type { StoredValidationData } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { CountersignatureReport, XmlSignatureReport } from '../report/index.ts';
import { checkXmlSignature } from './check-xml-signature.ts';
import type { XmlContext } from './context.ts';
import type { ListedSignature } from './list-signatures.ts';
import { readSignatureObject } from './signature-object.ts';
import { collectData } from './times/validation-data.ts';

/** Countersignatures of one signature that are checked, those of each other included. */
const MAX_COUNTERSIGNATURES = 16;

/**
 * The report on a signature with conclusions on the countersignatures in its unsigned properties,
 * and in theirs: each by itself, with the validation data of those around it, and whether it is
 * over the value of the signature around it.
 *
 * @spec ETSI EN 319 132-1 §5.2.7
 */
export function withCountersignatures(
  report: XmlSignatureReport,
  listed: ListedSignature,
  context: XmlContext,
): XmlSignatureReport {
  if (listed.nested.length === 0) return report;
  const countersignatures: CountersignatureReport[] = [];
  let isCut = false;
  addFrom(listed, [], undefined);
  if (countersignatures.length === 0) return report;
  if (!isCut) return { ...report, countersignatures };
  const message = `not checked: countersignatures after the first ${MAX_COUNTERSIGNATURES}`;
  const findings = [...report.findings, buildFinding('signature.nested', message)];
  return { ...report, findings, countersignatures };

  function addFrom(
    outer: ListedSignature,
    around: readonly StoredValidationData[],
    countersigns: number | undefined,
  ): void {
    const read = readSignatureObject(outer);
    const valueId = read.signature?.signatureValue.id;
    let data: readonly StoredValidationData[] | undefined;
    for (const property of read.properties?.unsigned ?? []) {
      if (property.kind !== 'counterSignature') continue;
      isCut ||= countersignatures.length === MAX_COUNTERSIGNATURES;
      if (isCut) return;
      data ??= [...around, collectData(read, context.pool).all];
      const inner = within(property.signature, outer);
      const counter = checkXmlSignature(inner, context, data);
      countersignatures.push({ ...conclude(counter, valueId), ...defined({ countersigns }) });
      addFrom(inner, data, countersignatures.length - 1);
    }
  }
}

function within(element: XmlElement, { nested }: ListedSignature): ListedSignature {
  const isInside = (one: XmlElement) => one.index !== element.index && element.contains(one);
  return { element, nested: nested.filter(isInside) };
}

function conclude(report: XmlSignatureReport, valueId: string | undefined): CountersignatureReport {
  const { kind, form, id, offsetBytes, coverage, references, qualification, ...rest } = report;
  const { roles, location, commitments, policy, ...conclusion } = rest;
  // A reference without URI is over a file beside the document.
  const isOver =
    valueId !== undefined &&
    references.some(({ status, uri }) => status === 'valid' && uri === `#${valueId}`);
  if (isOver) return conclusion;
  const message = 'the countersignature is not over the value of the signature around it';
  const finding = buildFinding('signature.countersigned.other', message);
  const noted = { ...conclusion, findings: [...conclusion.findings, finding] };
  if (conclusion.indication !== 'TOTAL-PASSED') return noted;
  return { ...noted, indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' };
}
