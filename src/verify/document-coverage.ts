import type {
  DocumentCoverage,
  Finding,
  SignatureReport,
  XmlSignatureReport,
} from './report/index.ts';

/** The part of a PDF covered by its passed signatures; see {@link DocumentCoverage}. */
export function coverageOfPdf(signatures: readonly SignatureReport[]): DocumentCoverage {
  const signed = signatures.filter(({ kind }) => kind === 'signature');
  const speaking = (signed.length > 0 ? signed : signatures).filter(isPassed);
  if (speaking.length === 0) return 'none';
  return speaking.some(coversAllRead) ? 'full' : 'partial';
}

/** True unless something that people read was put behind it, though it is permitted. */
function coversAllRead({ coverage, changes }: SignatureReport): boolean {
  if (coverage === 'partial') return false;
  return changes?.list.every(({ kind }) => kind !== 'value' && kind !== 'annotation') !== false;
}

/**
 * The part of an XML document covered by its passed signatures; see {@link DocumentCoverage}.
 *
 * @param root how the document begins: the root is itself the `signature`, with processing
 *   instructions around it (`instructed`), or is something else
 */
export function coverageOfXml(
  signatures: readonly XmlSignatureReport[],
  root: 'signature' | 'instructed' | 'other',
): DocumentCoverage {
  const passed = signatures.filter(isPassed);
  // An addition to any of the signatures is left out by all that leave signatures out.
  const isLoose = signatures.some(({ findings }) => findings.some(isAboutCoverage));
  if (passed.some(({ coverage }) => coverage === 'document')) return isLoose ? 'partial' : 'full';
  if (passed.some(({ coverage }) => coverage === 'partial')) return 'partial';
  if (root === 'other' || passed.length === 0) return 'none';
  return isLoose || root === 'instructed' ? 'partial' : 'full';
}

/**
 * The part of a container covered by its passed signatures.
 *
 * @param names of all data files
 * @param covered names of those that are covered from the first to the last byte
 * @param touched names of those of which something is covered
 */
export function coverageOfFiles(
  names: readonly string[],
  covered: ReadonlySet<string>,
  touched: ReadonlySet<string>,
): DocumentCoverage {
  if (names.length > 0 && names.every((name) => covered.has(name))) return 'full';
  return names.some((name) => covered.has(name) || touched.has(name)) ? 'partial' : 'none';
}

/** True when something in or around a signature reads as content and is not covered. */
function isAboutCoverage({ code }: Finding): boolean {
  return code === 'signature.object.uncovered' || code === 'signature.text.split';
}

function isPassed({ indication }: SignatureReport | XmlSignatureReport): boolean {
  return indication === 'TOTAL-PASSED';
}
