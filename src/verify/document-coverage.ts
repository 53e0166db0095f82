import type {
  DocumentCoverage,
  Finding,
  SignatureReport,
  XmlSignatureReport,
} from './report/index.ts';

/** The part of a PDF that its passed signatures cover; see {@link DocumentCoverage}. */
export function coverageOfPdf(signatures: readonly SignatureReport[]): DocumentCoverage {
  const signed = signatures.filter(({ kind }) => kind === 'signature');
  const speaking = (signed.length > 0 ? signed : signatures).filter(isPassed);
  if (speaking.length === 0) return 'none';
  return speaking.some(coversAllRead) ? 'full' : 'partial';
}

/** False if human-readable content was added after the signature, even if it is permitted. */
function coversAllRead({ coverage, changes }: SignatureReport): boolean {
  if (coverage === 'partial') return false;
  return changes?.list.every(({ kind }) => kind !== 'value' && kind !== 'annotation') !== false;
}

/**
 * The part of an XML document that its passed signatures cover; see {@link DocumentCoverage}.
 *
 * @param root the root element is itself the `signature`, the same with processing instructions
 *   around it (`instructed`), or something else
 */
export function coverageOfXml(
  signatures: readonly XmlSignatureReport[],
  root: 'signature' | 'instructed' | 'other',
): DocumentCoverage {
  const passed = signatures.filter(isPassed);
  // Content added to any signature is excluded by all signatures that exclude signatures.
  const isLoose = signatures.some(({ findings }) => findings.some(isAboutCoverage));
  if (passed.some(({ coverage }) => coverage === 'document')) return isLoose ? 'partial' : 'full';
  if (passed.some(({ coverage }) => coverage === 'partial')) return 'partial';
  if (root === 'other' || passed.length === 0) return 'none';
  return isLoose || root === 'instructed' ? 'partial' : 'full';
}

/**
 * The part of a container that its passed signatures cover.
 *
 * @param names of all data files
 * @param covered names of those that are covered completely
 * @param touched names of those that are covered at least in part
 */
export function coverageOfFiles(
  names: readonly string[],
  covered: ReadonlySet<string>,
  touched: ReadonlySet<string>,
): DocumentCoverage {
  if (names.length > 0 && names.every((name) => covered.has(name))) return 'full';
  return names.some((name) => covered.has(name) || touched.has(name)) ? 'partial' : 'none';
}

/** Whether something in or around a signature reads as content and is not covered. */
function isAboutCoverage({ code }: Finding): boolean {
  return code === 'signature.object.uncovered' || code === 'signature.text.split';
}

function isPassed({ indication }: SignatureReport | XmlSignatureReport): boolean {
  return indication === 'TOTAL-PASSED';
}
