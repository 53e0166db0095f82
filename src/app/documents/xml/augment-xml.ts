import { InnsigliError } from '../../../base/errors.ts';
import { parseXml, type XmlDocument, type XmlElement } from '../../../formats/xml/index.ts';
import {
  appendProperties,
  applyEdits,
  openXades,
  stampXades,
  type XadesState,
  type XmlEdit,
} from '../../../seal/xades/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import type { XmlSignatureReport, XmlVerificationReport } from '../../../verify/report/index.ts';
import { noteLevels, requireSoundArchive, timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import { resultBytes, type SealedDocument } from '../sealed-document.ts';
import { certificatesToCheck } from './certificates-to-check.ts';
import {
  checkXml,
  intactXmlSignatures,
  nameOf,
  requireXmlSurvival,
  type XmlCheckContext,
} from './check.ts';
import {
  chooseSignatures,
  type FileFinder,
  signaturesOf,
  surroundings,
} from './choose-signatures.ts';
import { validationText } from './levels.ts';

/**
 * Augments every intact XAdES signature of a document to the long-term archive level, or renews it:
 * adds a time-stamp where a signature has none, validation data for its signer and all authorities,
 * and an archive time-stamp over everything. Properties are only appended to the existing ones.
 *
 * @param findFile returns the content of a file by its URI, verbatim
 * @throws xml.signature.none, xml.signature.invalid if there is nothing to preserve
 * @throws archive.timestamp.broken if an archive time-stamp is not valid
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

/** Like {@link augmentXml}, for signatures in a container, whose result states the proof's end. */
export async function augmentSignatures(
  bytes: Uint8Array,
  ports: ArchivePorts,
  findFile?: FileFinder,
): Promise<SealedDocument<XmlVerificationReport>> {
  const pool = poolOf(ports);
  const check = (): XmlCheckContext => ({ ...checkContext(ports, pool), findFile });
  const warnings: string[] = [];
  const document = parseXml(bytes);
  const earlier = intactXmlSignatures(document, check(), warnings);
  const chosen = chooseSignatures(document, earlier, findFile, warnings);
  if (chosen.length === 0) throw nothingToPreserve(warnings);
  for (const report of chosen) {
    requireSoundArchive(nameOf(report), report.timestamps);
    if (report.timestamps.every(({ valid }) => valid)) continue;
    const what = `a time-stamp of the signature ${nameOf(report)}`;
    warnings.push(`${what} does not verify; it is kept`);
  }
  const rounds = new ArchiveRounds(document, chosen, findFile);
  await preserve(rounds, ports, pool);
  const report = checkXml(parseXml(rounds.bytes), check());
  requireXmlSurvival(report, earlier, rounds.moved);
  const level = noteLevels(
    chosen.map((before) => {
      const at = rounds.moved(before.offsetBytes);
      const made = report.signatures.find(({ offsetBytes }) => offsetBytes === at);
      return { name: nameOf(before), before: before.level, report: made ?? before };
    }),
    warnings,
  );
  return { ...resultBytes(bytes, rounds.bytes), ...level, report, warnings };
}

async function preserve(
  rounds: ArchiveRounds,
  ports: ArchivePorts,
  pool: CertificatePool,
): Promise<void> {
  const timestamps = timestampContext(ports, pool, 'B-LTA');
  await rounds.append(async (state, report) =>
    isProved(report) ? '' : (await stampXades(state, 'signature', timestamps)).text,
  );
  await rounds.append((state) => {
    const subjects = certificatesToCheck(state, checkContext(ports, pool));
    return validationText(state, subjects, ports, pool, true);
  });
  await rounds.append(async (state) => (await stampXades(state, 'archive141', timestamps)).text);
}

/** True for a signature with a valid time-stamp over its value. */
export function isProved({ timestamps }: XmlSignatureReport): boolean {
  return timestamps.some(({ valid, covers }) => valid && covers !== 'content');
}

/** A document that is extended in several rounds at each of the chosen signatures. */
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

  /** Maps a byte offset of the input to the current offset. */
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

  /** Appends the properties that `write` returns for each signature; empty text for none. */
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

/** The error for a document without a signature that can be preserved. */
export function nothingToPreserve([reason]: readonly string[]): InnsigliError {
  const hint =
    reason === undefined
      ? 'seal the document first: innsigli seal-xml FILE'
      : 'find the fault with innsigli verify, then ask for an undamaged copy or a new signature, ' +
        'or pass the file of a detached signature: --detached FILE';
  const message = reason ?? 'there is no intact XAdES signature to preserve';
  return new InnsigliError('xml.signature.none', message, { hint });
}
