import { type ByteSource, concatBytes, joinedSource, wholeBytes } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../../base/level.ts';
import {
  asDict,
  firstPage,
  listSignatureFields,
  openPdf,
  type PdfDict,
  type PdfFile,
  type PdfPage,
  type SignatureField,
  withPdf,
} from '../../../formats/pdf/index.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import { chooseField, type FieldChoice } from '../../../seal/field/index.ts';
import { signPdf } from '../../../seal/pades.ts';
import type { SignatureDetails } from '../../../seal/signature-dictionary.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import type { PdfVerificationReport, SignatureReport } from '../../../verify/report/index.ts';
import { checkResult, intactSignatures } from '../check-result.ts';
import { requireSignerPath, requireUsableSigner } from '../check-signer.ts';
import { addLongTermData, addTimestamp, timestampContext } from '../long-term-steps.ts';
import { sealedUntil } from '../proof-end.ts';
import { checkContext, type SealPorts } from '../seal-ports.ts';
import { type SealedDocument, withLateMembers } from '../sealed-document.ts';
import { augmentationDoubts } from './augment-pdf.ts';
import { requirePermission, requireUserRights } from './check-permission.ts';
import { requireSeedValues } from './check-seed-values.ts';
import { requirePlainTexts } from './check-texts.ts';
import { damageWarnings, pageWarnings } from './damage.ts';
import type { VisibleSignature } from './visible-seal.ts';

/** Options of a seal. */
export interface SealPdfRequest extends Omit<SignatureDetails, 'signedAtMs'> {
  readonly source: ByteSource;
  /** Password of an encrypted document. */
  readonly password?: string | undefined;
  /** Create a new field even if the encrypted document permits users only to fill fields. */
  readonly ignorePermissions?: boolean | undefined;
  readonly level: SealLevel;
  /** An empty field of the document, or the name of a new one. */
  readonly field?: string | undefined;
  /** Time stated in the signature, epoch milliseconds. Default: the time of the call. */
  readonly signedAtMs?: number | undefined;
  /** Signed attributes in addition to those of the baseline profile, DER. */
  readonly signedAttributes?: readonly Uint8Array[] | undefined;
  /** Bytes to reserve for the CMS, regardless of its size. Default: as many as it will need. */
  readonly reservedBytes?: number | undefined;
  /** Appearance of the seal. Absent: drawn only in an existing field with an area. False: never. */
  readonly visible?: VisibleSignature | false | undefined;
}

/** A sealed PDF that passed verification. */
export type SealedPdf = SealedDocument<PdfVerificationReport> & { readonly field: string };

/**
 * Seals a PDF: signs it, augments the seal to the level, and verifies the result, including earlier
 * signatures, before returning it. The input is never changed: the result is the input followed by
 * {@link SealedDocument.tail}.
 *
 * @throws pdf.* if the input cannot be sealed
 * @throws key.* if the signer may not or cannot sign
 * @throws tsa.*, revocation.*, certificate.*, network.* if the level cannot be reached
 * @throws seal.selfcheck.failed if the result does not verify
 */
export function sealPdf(request: SealPdfRequest, ports: SealPorts): Promise<SealedPdf> {
  return sealedUntil(ports, (own) => seal(request, own));
}

async function seal(request: SealPdfRequest, ports: SealPorts): Promise<SealedPdf> {
  const { level } = request;
  const { signer, anchors } = ports;
  const open = defined({ password: request.password });
  const prepared = withPdf(request.source, open, (file) => prepare(file, request, ports));
  const { certificate, pool, nowMs, warnings, earlier } = prepared;
  const timestamps = level === 'B-B' ? undefined : timestampContext(ports, pool, level);
  if (reachesLevel(level, 'B-LT')) requireSignerPath(prepared, anchors);
  const { reason, location, name, contact, certify, signedAtMs = nowMs } = request;
  const details = { reason, location, name, contact, certify, signedAtMs };
  const choice = await withLook(prepared, request, ports, details);
  warnings.push(...pageWarnings(changedPages(prepared.file, choice)));
  const signed = await signPdf(prepared.file, choice, details, signer, certificate, {
    timestamps,
    reservedBytes: request.reservedBytes,
    signedAttributes: request.signedAttributes,
  });
  const tails = [signed.container.tail];
  let current = signed.container.source;
  if (reachesLevel(level, 'B-LT') && timestamps !== undefined) {
    const stampedBy = signed.timestamp?.verdict.certificate;
    const subjects = [{ certificate, atMs: nowMs }];
    if (stampedBy !== undefined) subjects.push({ certificate: stampedBy, atMs: nowMs });
    const withSeal = openPdf(current, { ...open, earlier: prepared.file });
    current = append(current, await addLongTermData(withSeal, subjects, ports, pool), tails);
    if (level === 'B-LTA') {
      const withData = openPdf(current, { ...open, earlier: withSeal });
      current = append(current, await addTimestamp(withData, timestamps), tails);
    }
  }
  const context = checkContext(ports, pool);
  const result = openPdf(current, { ...open, earlier: prepared.file });
  const report = checkResult(result, context, earlier, {
    field: choice.name,
    level,
  });
  const made = {
    keptBytes: request.source.lengthBytes,
    tail: tails.length === 1 ? (tails[0] as Uint8Array) : concatBytes(tails),
    level,
    field: choice.name,
    sealCount: 1 + (choice.look?.further.length ?? 0),
    warnings,
  };
  return withLateMembers(made, { bytes: () => wholeBytes(current), report });
}

/** Facts and permissions determined before anything is drawn, signed or requested. */
interface PreparedSeal {
  readonly nowMs: number;
  readonly certificate: Certificate;
  readonly file: PdfFile;
  readonly choice: FieldChoice;
  readonly pool: CertificatePool;
  /** Signatures that must survive. */
  readonly earlier: readonly SignatureReport[];
  /** Number of signatures in the document, intact or not. */
  readonly signedCount: number;
  readonly warnings: string[];
}

function prepare(file: PdfFile, request: SealPdfRequest, ports: SealPorts): PreparedSeal {
  const { level, reason, certify } = request;
  const { signer } = ports;
  requirePlainTexts(request);
  const nowMs = ports.now();
  const { certificate, pool } = requireUsableSigner(ports, nowMs);
  const fields = listSignatureFields(file);
  const signedCount = fields.filter(({ value }) => value !== undefined).length;
  const warnings = [...damageWarnings(file, signedCount)];
  const choice = chooseField(file, fields, request.field);
  requirePermission(file, fields, choice.name, certify);
  requireUserRights(file, choice.existing !== undefined, request.ignorePermissions === true);
  firstPage(file);
  if (choice.existing !== undefined) {
    const { algorithm, chain } = signer;
    const subFilter = 'ETSI.CAdES.detached';
    const seal = { subFilter, digest: algorithm.digest, level, reason, certify } as const;
    requireSeedValues(file, choice.existing.dict, { ...seal, certificate, chain });
  }
  const earlier = intactSignatures(file, signedCount, checkContext(ports, pool, nowMs), warnings);
  warnings.push(...doubts(file, fields, choice, request));
  return { nowMs, certificate, file, choice, pool, earlier, signedCount, warnings };
}

/** Pages that get a widget or a stamp; a document time-stamp has its widget on the first. */
function changedPages(file: PdfFile, { existing, look }: FieldChoice): readonly PdfPage[] {
  const first = firstPage(file);
  if (existing !== undefined || look === undefined) return [first];
  return [first, ...[look.widget, ...look.further].map(({ page }) => page)];
}

/** Warnings about facts that the user may have overlooked. */
function doubts(
  file: PdfFile,
  fields: readonly SignatureField[],
  choice: FieldChoice,
  { field, certify, level }: SealPdfRequest,
): readonly string[] {
  const warnings: string[] = [];
  const empty = fields.find(({ value }) => value === undefined);
  if (field !== undefined && choice.existing === undefined && empty !== undefined) {
    warnings.push(
      `a new field "${field}" was created; the document has the empty field "${empty.name}"`,
    );
  }
  if (asDict(file.resolve(file.catalog.get('AcroForm')))?.has('XFA') === true) {
    warnings.push('the document has an XFA form: some viewers show it instead of the pages');
  }
  if (certify === 1 && reachesLevel(level, 'B-LT')) {
    warnings.push(
      'certified p1: some viewers treat later validation data as a change; p2 is safer',
    );
  }
  if (level !== 'B-LTA') warnings.push(...augmentationDoubts(file));
  return warnings;
}

async function withLook(
  { file, choice, signedCount, certificate, warnings }: PreparedSeal,
  { visible }: SealPdfRequest,
  { fonts }: SealPorts,
  details: SignatureDetails,
): Promise<FieldChoice> {
  const widget = choice.existing?.dict;
  if (visible === false || fonts === undefined) return choice;
  if (visible === undefined && widget?.has('Rect') !== true) return choice;
  const { drawSeal } = await import('./draw-seal.ts');
  const { hasArea } = await import('./seal-places.ts');
  if (visible === undefined && !hasArea(file, widget as PdfDict)) return choice;
  if (visible?.page === 'all' && signedCount > 0) {
    throw new InnsigliError('seal.pages.signed', 'the document is already signed', {
      hint: 'stamps on further pages would change signed content: seal one page',
    });
  }
  const facts = { ...details, time: details.signedAtMs, certificate };
  const drawn = await drawSeal(file, choice, visible ?? {}, facts, await fonts());
  warnings.push(...drawn.warnings);
  return { ...choice, look: drawn.look };
}

function append(source: ByteSource, tail: Uint8Array | undefined, tails: Uint8Array[]): ByteSource {
  if (tail === undefined) return source;
  tails.push(tail);
  return joinedSource(source, tail);
}
