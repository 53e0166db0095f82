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
import { createCertificatePool } from '../../../trust/pool.ts';
import { listCertificatesToCheck } from '../../../verify/pdf/index.ts';
import type { PdfVerificationReport } from '../../../verify/report.ts';
import { checkResult, intactSignatures } from '../check-result.ts';
import { addLongTermData, addTimestamp, timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext } from '../seal-ports.ts';
import type { SealedDocument } from '../sealed-document.ts';
import { requireUserRights } from './check-permission.ts';
import { damageWarnings } from './damage.ts';

/**
 * Brings every intact signature of a PDF to the long-term archive level, or renews it: a
 * time-stamp where a signature has none, validation data for every signer and authority, and a
 * document time-stamp over all of it.
 *
 * @param open how to open an encrypted document
 * @throws pdf.signature.none, pdf.signature.broken when there is nothing to preserve
 * @throws pdf.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @spec ETSI EN 319 142-1 §5.5
 */
export function augmentPdf(
  source: ByteSource,
  ports: ArchivePorts,
  open: OpenOptions = {},
): Promise<SealedDocument<PdfVerificationReport>> {
  return archivedUntil(ports, (own) => augment(source, own, open));
}

async function augment(
  source: ByteSource,
  ports: ArchivePorts,
  open: OpenOptions,
): Promise<SealedDocument<PdfVerificationReport>> {
  const { anchors } = ports;
  const nowMs = ports.now();
  const own = createCertificatePool([
    ...(ports.certificates ?? []),
    ...anchors.map(({ der }) => der),
  ]);
  const warnings: string[] = [];
  let damage: readonly string[] = [];
  const earlier = withPdf(source, open, (file) => {
    damage = damageWarnings(file, 1);
    requireUserRights(file, false, true);
    return intactSignatures(file, 1, checkContext(ports, own, nowMs), warnings);
  });
  const [broken] = warnings;
  if (earlier.length === 0 && broken !== undefined) {
    throw new InnsigliError('pdf.signature.broken', broken, {
      hint: 'ask for an undamaged copy of the document',
    });
  }
  if (earlier.length === 0) {
    throw new InnsigliError('pdf.signature.none', 'there is no intact signature to preserve', {
      hint: 'seal the document first: innsigli seal FILE',
    });
  }
  const timestamps = timestampContext(ports, own, 'B-LTA');
  const tails: Uint8Array[] = [];
  let current = source;
  const append = (tail: Uint8Array | undefined) => {
    if (tail === undefined) return;
    tails.push(tail);
    current = joinedSource(current, tail);
  };
  const lastStamp = earlier.findLastIndex(({ kind }) => kind === 'document-timestamp');
  const unproved = earlier.some(
    ({ kind, timestamps: own }, index) =>
      kind === 'signature' && index > lastStamp && !own.some(({ valid }) => valid),
  );
  const file = () => openPdf(current, open);
  if (unproved) append(await addTimestamp(file(), timestamps));
  const list = checkContext(ports, own);
  const { certificates, pool } = listCertificatesToCheck(file(), list);
  append(await addLongTermData(file(), certificates, ports, pool, true));
  append(await addTimestamp(file(), { ...timestamps, pool }));
  const context = checkContext(ports, pool);
  const report = checkResult(file(), context, earlier, undefined)();
  requireArchived(report);
  warnings.push(...damage);
  return {
    get bytes() {
      return wholeBytes(current);
    },
    keptBytes: source.lengthBytes,
    tail: concatBytes(tails),
    level: 'B-LTA',
    field: report.signatures.at(-1)?.field ?? '',
    report,
    warnings,
  };
}

/** Every signature that is a baseline signature must have reached the level. */
function requireArchived(report: PdfVerificationReport): void {
  for (const { kind, field, level, intact } of report.signatures) {
    if (kind !== 'signature' || !intact || level === undefined || level === 'B-LTA') continue;
    throw new InnsigliError('seal.selfcheck.failed', `«${field}»: B-LTA expected, found ${level}`);
  }
}

/**
 * Why the document cannot be archived once it is sealed; empty when nothing speaks against it.
 * Archiving replaces the catalog, the form, the store of validation data and the first page. One
 * object in two of these parts would change what the seal covers, and the archive is refused then.
 */
export function augmentationDoubts(file: PdfFile): readonly string[] {
  const parts = new Map<number, string>();
  for (const [name, value] of changedParts(file)) {
    const number = asReference(value)?.objectNumber;
    if (number === undefined) continue;
    const other = parts.get(number);
    if (other !== undefined && other !== name) {
      return [`it cannot be archived later: object ${number} is ${other} and ${name} in one`];
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
