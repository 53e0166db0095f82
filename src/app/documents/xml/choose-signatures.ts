import { attempt } from '../../../base/errors.ts';
import type { XmlDocument, XmlElement } from '../../../formats/xml/index.ts';
import {
  createReferenceBudget,
  feedReference,
  namespaces,
  parseXmlSignature,
  type ReferenceContext,
  type ReferenceScope,
} from '../../../formats/xmldsig/index.ts';
import { openXades } from '../../../seal/xades/index.ts';
import type { XmlSignatureReport } from '../../../verify/report/index.ts';
import { nameOf } from './check.ts';

/** Finds detached files that signatures of a document cover. */
export type FileFinder = NonNullable<ReferenceContext['findFile']>;

/** The ds:Signature elements of a document. */
export function signaturesOf(document: XmlDocument): readonly XmlElement[] {
  return document.findAll(namespaces.dsig, 'Signature');
}

/** The reference context of the signatures of a document. */
export function surroundings(
  document: XmlDocument,
  findFile: FileFinder | undefined,
): Omit<ReferenceContext, 'signature'> {
  return findFile === undefined ? { document } : { document, findFile };
}

/** Returns the XAdES signatures that can get properties; each other one becomes a warning. */
export function chooseSignatures(
  document: XmlDocument,
  intact: readonly XmlSignatureReport[],
  findFile: FileFinder | undefined,
  warnings: string[],
): readonly XmlSignatureReport[] {
  const around = { ...surroundings(document, findFile), budget: createReferenceBudget(document) };
  const elements = new Map(signaturesOf(document).map((each) => [each.startOffset, each]));
  const candidates = intact.map((report) => {
    const element = elements.get(report.offsetBytes) as XmlElement;
    const scopes = intact.length === 1 ? [] : scopesOf(element, around);
    return { report, element, scopes };
  });
  const chosen = candidates.filter(({ report, element }) => {
    const cover = candidates.find((other) => other.report !== report && covers(other, element));
    const fault = () =>
      attempt(
        () => void openXades(element, around),
        ({ message }) => message,
      );
    const reason = cover ? `it is covered by the signature ${nameOf(cover.report)}` : fault();
    if (reason === undefined) return true;
    warnings.push(`the signature ${nameOf(report)} stays unchanged: ${reason}`);
    return false;
  });
  return chosen.map(({ report }) => report);
}

/** The parts of the document that a signature digests. */
function scopesOf(
  signature: XmlElement,
  around: Omit<ReferenceContext, 'signature'>,
): readonly ReferenceScope[] {
  const scopes: ReferenceScope[] = [];
  for (const reference of parseXmlSignature(signature).signedInfo.references) {
    if (reference.uri !== '' && reference.uri?.startsWith('#') !== true) continue;
    const answer = feedReference(reference, { ...around, signature }, () => {});
    if ('scope' in answer) scopes.push(answer.scope);
  }
  return scopes;
}

/** True if a scope contains another signature: extending that signature would break this one. */
function covers(
  { scopes }: { readonly scopes: readonly ReferenceScope[] },
  other: XmlElement,
): boolean {
  return scopes.some(({ target, excluded }) => {
    if (target === undefined || ('index' in target && !target.contains(other))) return false;
    return !excluded.some((element) => element.contains(other));
  });
}
