import { parseXml, type XmlElement } from '../../../formats/xml/index.ts';
import { openXades, presentData } from '../../../seal/xades/index.ts';
import { requireSoundArchive } from '../long-term-steps.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import { isProved, nothingToPreserve } from '../xml/augment-xml.ts';
import { certificatesToCheck } from '../xml/certificates-to-check.ts';
import { intactXmlSignatures, nameOf } from '../xml/check.ts';
import {
  chooseSignatures,
  type FileFinder,
  signaturesOf,
  surroundings,
} from '../xml/choose-signatures.ts';
import { type ArchivePlan, type PlannedSignature, planOf, planSignature } from './archive-plan.ts';

/** The additions that the signatures of an XML document need. */
export interface PlannedXml {
  readonly signatures: readonly PlannedSignature[];
  readonly timestampRequests: number;
  readonly warnings: readonly string[];
}

/**
 * Plans the additions of archiving to an XML document.
 *
 * @throws xml.*, archive.timestamp.broken
 */
export function planXml(
  bytes: Uint8Array,
  ports: ArchivePorts,
  findFile: FileFinder | undefined,
): ArchivePlan {
  const { signatures, timestampRequests, warnings } = planXmlSignatures(bytes, ports, findFile);
  return planOf('xml', timestampRequests, signatures, warnings);
}

/** Like {@link planXml}, for an XML document inside another document. */
export function planXmlSignatures(
  bytes: Uint8Array,
  ports: ArchivePorts,
  findFile: FileFinder | undefined,
  place = '',
): PlannedXml {
  const pool = poolOf(ports);
  const context = { ...checkContext(ports, pool), findFile };
  const warnings: string[] = [];
  const document = parseXml(bytes);
  const earlier = intactXmlSignatures(document, context, warnings);
  const chosen = new Set(chooseSignatures(document, earlier, findFile, warnings));
  if (chosen.size === 0) throw nothingToPreserve(warnings);
  let timestampRequests = 0;
  const signatures = earlier.map((report) => {
    const name = `${place}${report.id ?? nameOf(report)}`;
    if (!chosen.has(report)) return planSignature({ name, report }, ports);
    requireSoundArchive(nameOf(report), report.timestamps);
    const isStamped = isProved(report);
    timestampRequests += isStamped ? 1 : 2;
    const isIt = ({ startOffset }: XmlElement) => startOffset === report.offsetBytes;
    const element = signaturesOf(document).find(isIt) as XmlElement;
    const state = openXades(element, surroundings(document, findFile));
    const { signers, authorities } = certificatesToCheck(state, checkContext(ports, pool));
    const certificates = [...signers, ...authorities];
    const needs = { certificates, pool, present: presentData(state), isStamped };
    return planSignature({ name, report, needs }, ports);
  });
  return { signatures, timestampRequests, warnings };
}
