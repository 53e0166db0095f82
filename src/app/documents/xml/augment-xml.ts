import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { parseXml, type XmlDocument, type XmlElement } from '../../../formats/xml/index.ts';
import {
  createReferenceBudget,
  feedReference,
  namespaces,
  parseXmlSignature,
  type ReferenceContext,
  type ReferenceScope,
} from '../../../formats/xmldsig/index.ts';
import {
  appendProperties,
  applyEdits,
  openXades,
  stampArchive,
  stampSignature,
  type XadesState,
  type XmlEdit,
} from '../../../seal/xades/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import type { XmlSignatureReport, XmlVerificationReport } from '../../../verify/report.ts';
import { requireSoundArchive, timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext } from '../seal-ports.ts';
import { resultBytes, type SealedDocument } from '../sealed-document.ts';
import { subjectsOf } from './certificates-to-check.ts';
import {
  checkXml,
  intactXmlSignatures,
  nameOf,
  requireXmlSurvival,
  type XmlCheckContext,
} from './check.ts';
import { validationText } from './levels.ts';

/** Where the files are that signatures of a document cover from beside. */
export type FileFinder = NonNullable<ReferenceContext['findFile']>;

/**
 * Brings every intact XAdES signature of a document to the long-term archive level, or renews it:
 * a time-stamp where a signature has none, validation data for its signer and all authorities, an
 * archive time-stamp over all of it. Only properties behind those that are there are added.
 *
 * @param findFile the content of a file by its URI as it is written
 * @throws xml.signature.none, xml.signature.invalid when there is nothing to preserve
 * @throws archive.timestamp.broken when an archive time-stamp does not hold
 * @throws xml.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @spec ETSI EN 319 132-1 §5.5
 */
export function augmentXml(
  bytes: Uint8Array,
  ports: ArchivePorts,
  findFile?: FileFinder,
): Promise<SealedDocument<XmlVerificationReport>> {
  return archivedUntil(ports, (own) => augmentSignatures(bytes, own, findFile));
}

/** The same for the signatures of a container, which says itself until when it proves something. */
export async function augmentSignatures(
  bytes: Uint8Array,
  ports: ArchivePorts,
  findFile?: FileFinder,
): Promise<SealedDocument<XmlVerificationReport>> {
  const { anchors, certificates = [] } = ports;
  const pool = createCertificatePool(certificates);
  for (const anchor of anchors) pool.add(anchor.der);
  const check = (): XmlCheckContext => ({ ...checkContext(ports, pool), findFile });
  const warnings: string[] = [];
  const document = parseXml(bytes);
  const earlier = intactXmlSignatures(document, check(), warnings);
  const chosen = chooseSignatures(document, earlier, findFile, warnings);
  if (chosen.length === 0) throw nothingToPreserve(warnings);
  for (const report of chosen) {
    requireSoundArchive(nameOf(report), report.timestamps);
    if (report.timestamps.every(({ valid }) => valid)) continue;
    warnings.push(
      `a time-stamp of the signature ${nameOf(report)} does not verify; it stays there`,
    );
  }
  const rounds = new ArchiveRounds(document, chosen, findFile);
  await preserve(rounds, ports, pool);
  const report = checkXml(parseXml(rounds.bytes), check());
  requireXmlSurvival(report, earlier, rounds.moved);
  requireArchived(report, chosen, rounds.moved);
  return { ...resultBytes(bytes, rounds.bytes), level: 'B-LTA', report, warnings };
}

async function preserve(
  rounds: ArchiveRounds,
  ports: ArchivePorts,
  pool: CertificatePool,
): Promise<void> {
  const timestamps = timestampContext(ports, pool, 'B-LTA');
  await rounds.append(async (state, { timestamps: proofs }) => {
    const isProved = proofs.some(({ valid, covers }) => valid && covers !== 'content');
    return isProved ? '' : (await stampSignature(state, timestamps)).text;
  });
  await rounds.append((state) => {
    const subjects = subjectsOf(state, checkContext(ports, pool));
    return validationText(state, subjects, ports, pool, true);
  });
  await rounds.append(async (state) => (await stampArchive(state, timestamps)).text);
}

/** A document that grows round by round, at each of the chosen signatures. */
class ArchiveRounds {
  #document: XmlDocument;
  readonly #chosen: readonly XmlSignatureReport[];
  readonly #findFile: FileFinder | undefined;
  readonly #edits: (readonly XmlEdit[])[] = [];

  constructor(
    document: XmlDocument,
    chosen: readonly XmlSignatureReport[],
    findFile: FileFinder | undefined,
  ) {
    this.#document = document;
    this.#chosen = chosen;
    this.#findFile = findFile;
  }

  get bytes(): Uint8Array {
    return this.#document.bytes;
  }

  /** The byte at which something stands now that began at a byte of the input. */
  readonly moved = (offsetBytes: number): number => {
    let at = offsetBytes;
    for (const edits of this.#edits) {
      const before = edits.filter(({ start }) => start < at);
      for (const { start, end, pieces } of before) {
        at += start - end;
        for (const piece of pieces) at += piece.length;
      }
    }
    return at;
  };

  /** Appends the properties that `write` gives for each signature; empty text for none. */
  async append(
    write: (state: XadesState, report: XmlSignatureReport) => Promise<string>,
  ): Promise<void> {
    const edits: XmlEdit[] = [];
    const signatures = signaturesOf(this.#document);
    for (const report of this.#chosen) {
      const offset = this.moved(report.offsetBytes);
      const element = signatures.find(({ startOffset }) => startOffset === offset) as XmlElement;
      const state = openXades(element, surroundings(this.#document, this.#findFile));
      const text = await write(state, report);
      if (text !== '') edits.push(appendProperties(state, text));
    }
    if (edits.length === 0) return;
    this.#document = parseXml(applyEdits(this.bytes, edits));
    this.#edits.push(edits);
  }
}

function signaturesOf(document: XmlDocument): readonly XmlElement[] {
  return document.findAll(namespaces.dsig, 'Signature');
}

function surroundings(
  document: XmlDocument,
  findFile: FileFinder | undefined,
): Omit<ReferenceContext, 'signature'> {
  return findFile === undefined ? { document } : { document, findFile };
}

/** The XAdES signatures to which properties can be added. */
function chooseSignatures(
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
    const reason =
      cover === undefined
        ? faultOf(element, around)
        : `it is covered by the signature ${nameOf(cover.report)}`;
    if (reason === undefined) return true;
    warnings.push(`the signature ${nameOf(report)} stays as it is: ${reason}`);
    return false;
  });
  return chosen.map(({ report }) => report);
}

function faultOf(
  element: XmlElement,
  around: Omit<ReferenceContext, 'signature'>,
): string | undefined {
  try {
    openXades(element, around);
    return undefined;
  } catch (error) {
    if (isInnsigliError(error)) return error.message;
    throw error;
  }
}

/** What the signature digests of its document. */
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

/** True when one of the scopes has another signature in it: adding to that would break this one. */
function covers(
  { scopes }: { readonly scopes: readonly ReferenceScope[] },
  other: XmlElement,
): boolean {
  return scopes.some(({ target, excluded }) => {
    if (target === undefined || ('index' in target && !target.contains(other))) return false;
    return !excluded.some((element) => element.contains(other));
  });
}

function nothingToPreserve([reason]: readonly string[]): InnsigliError {
  if (reason !== undefined) {
    return new InnsigliError('xml.signature.none', reason, {
      hint: 'ask for an undamaged copy, or name what a detached signature is over: --detached FILE',
    });
  }
  return new InnsigliError('xml.signature.none', 'no intact XAdES signature is there to preserve', {
    hint: 'seal the document first: innsigli seal-xml FILE',
  });
}

/** Every chosen signature that is a baseline signature must have reached the level. */
function requireArchived(
  { signatures }: XmlVerificationReport,
  chosen: readonly XmlSignatureReport[],
  moved: (offsetBytes: number) => number,
): void {
  for (const { offsetBytes, level } of chosen) {
    const made = signatures.find((report) => report.offsetBytes === moved(offsetBytes));
    if (level === undefined || made?.level === 'B-LTA') continue;
    const found = made?.level ?? 'none';
    const message = `${made === undefined ? '' : nameOf(made)}: B-LTA expected, found ${found}`;
    throw new InnsigliError('seal.selfcheck.failed', message);
  }
}
