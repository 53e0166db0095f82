import { type ByteSource, concatBytes, joinedSource, wholeBytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  asDict,
  asReference,
  firstPage,
  type OpenOptions,
  openPdf,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  withPdf,
} from '../../../formats/pdf/index.ts';
import { listCertificatesToCheck, type VerificationContext } from '../../../verify/pdf/index.ts';
import type { PdfVerificationReport, SignatureReport } from '../../../verify/report/index.ts';
import { checkResult, intactSignatures } from '../check-result.ts';
import { addLongTermData, addTimestamp, noteLevels, timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import { type SealedDocument, withLateMembers } from '../sealed-document.ts';
import { requireUserRights } from './check-permission.ts';
import { damageWarnings } from './damage.ts';

/**
 * Augments every intact signature of a PDF to the long-term archive level, or renews it: adds a
 * time-stamp where a signature has none, validation data for every signer and authority, and a
 * document time-stamp over everything.
 *
 * @param open options for opening an encrypted document
 * @throws pdf.signature.none, pdf.signature.broken if there is nothing to preserve
 * @throws pdf.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @spec ETSI EN 319 142-1 §5.5
 */
export function augmentPdf(
  source: ByteSource,
  given: ArchivePorts,
  open: OpenOptions = {},
): Promise<SealedDocument<PdfVerificationReport>> {
  return archivedUntil(given, async (ports) => {
    const nowMs = ports.now();
    const own = poolOf(ports);
    const warnings: string[] = [];
    const { earlier, damage } = withPdf(source, open, (file) =>
      openForArchive(file, checkContext(ports, own, nowMs), warnings),
    );
    const timestamps = timestampContext(ports, own, 'B-LTA');
    const tails: Uint8Array[] = [];
    let current = source;
    const append = (tail: Uint8Array | undefined) => {
      if (tail === undefined) return;
      tails.push(tail);
      current = joinedSource(current, tail);
    };
    const unproved = earlier.some((_, index) => isUnproved(earlier, index));
    const file = () => openPdf(current, open);
    if (unproved) append(await addTimestamp(file(), timestamps));
    const list = checkContext(ports, own);
    const { certificates, pool } = listCertificatesToCheck(file(), list);
    append(await addLongTermData(file(), certificates, ports, pool, true));
    append(await addTimestamp(file(), { ...timestamps, pool }));
    const context = checkContext(ports, pool);
    const report = checkResult(file(), context, earlier, undefined)();
    const level = noteLevels(
      report.signatures
        .filter(({ kind, intact }) => kind === 'signature' && intact)
        .map((each) => ({ name: `"${each.field}"`, before: each.level, report: each })),
      warnings,
    );
    warnings.push(...damage);
    const made = {
      keptBytes: source.lengthBytes,
      tail: concatBytes(tails),
      ...level,
      field: report.signatures.at(-1)?.field ?? '',
      report,
      warnings,
    };
    return withLateMembers(made, { bytes: () => wholeBytes(current) });
  });
}

/**
 * Returns the intact signatures of a PDF that may be archived; each other one becomes a warning.
 *
 * @throws pdf.signature.none, pdf.signature.broken if there is nothing to preserve
 * @throws pdf.permission.*
 */
export function openForArchive(
  file: PdfFile,
  context: VerificationContext,
  warnings: string[],
): { readonly earlier: readonly SignatureReport[]; readonly damage: readonly string[] } {
  const damage = damageWarnings(file, 1);
  requireUserRights(file, false, true);
  const earlier = intactSignatures(file, 1, context, warnings);
  if (earlier.length > 0) return { earlier, damage };
  const [broken] = warnings;
  if (broken !== undefined) {
    throw new InnsigliError('pdf.signature.broken', broken, {
      hint:
        'find the fault with innsigli verify, then ask for an undamaged copy or a new ' +
        'signature',
    });
  }
  throw new InnsigliError('pdf.signature.none', 'there is no intact signature to preserve', {
    hint: 'seal the document first: innsigli seal FILE',
  });
}

/** True for a signature without a valid time-stamp of its own or a later document time-stamp. */
export function isUnproved(earlier: readonly SignatureReport[], index: number): boolean {
  const lastStamp = earlier.findLastIndex(({ kind }) => kind === 'document-timestamp');
  const { kind, timestamps } = earlier[index] as SignatureReport;
  return kind === 'signature' && index > lastStamp && !timestamps.some(({ valid }) => valid);
}

/**
 * Returns the reasons that the document could not be archived once it is sealed; empty if there are
 * none. Archiving replaces the catalog, the form, the document security store and the first page.
 * If two of these parts shared an object, archiving would change content covered by the seal, and
 * would be refused.
 */
export function augmentationDoubts(file: PdfFile): readonly string[] {
  const parts = new Map<number, string>();
  for (const [name, value] of changedParts(file)) {
    const number = asReference(value)?.objectNumber;
    if (number === undefined) continue;
    const other = parts.get(number);
    if (other !== undefined && other !== name) {
      return [`it cannot be archived later: object ${number} is both ${other} and ${name}`];
    }
    parts.set(number, name);
  }
  return [];
}

function changedParts(file: PdfFile): readonly (readonly [string, PdfObject | undefined])[] {
  const { catalog } = file;
  const part = (dict: PdfDict | undefined, key: string): PdfObject | undefined => dict?.get(key);
  const form = asDict(file.resolve(part(catalog, 'AcroForm')));
  const store = asDict(file.resolve(part(catalog, 'DSS')));
  const page = firstPage(file);
  return [
    ['the catalog', file.catalogReference],
    ['the page tree', part(catalog, 'Pages')],
    ['the first page', page.reference],
    ['the annotations of the first page', part(page.dict, 'Annots')],
    ['the form', part(catalog, 'AcroForm')],
    ['the list of fields', part(form, 'Fields')],
    ['the list of extensions', part(catalog, 'Extensions')],
    ['the validation data', part(catalog, 'DSS')],
    ...['Certs', 'OCSPs', 'CRLs'].map((key) => [`/${key}`, part(store, key)] as const),
  ];
}
