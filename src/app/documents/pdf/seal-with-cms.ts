import { equalBytes, memorySource } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  firstPage,
  listSignatureFields,
  openPdf,
  type PdfFile,
  withPdf,
} from '../../../formats/pdf/index.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import { chooseField, type FieldChoice } from '../../../seal/field/index.ts';
import { embedForeignCms } from '../../../seal/foreign-cms.ts';
import type { CmsSigner } from '../../../seal/ports.ts';
import type { CmsSubFilter, SignatureDetails } from '../../../seal/signature-dictionary.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import type { StatusContext } from '../../../verify/existence/index.ts';
import {
  findFurtherChange,
  findWeakSignature,
  type VerificationContext,
  verifyIntegrity,
} from '../../../verify/pdf/index.ts';
import type { PdfVerificationReport } from '../../../verify/report/index.ts';
import { checkResult, intactSignatures } from '../check-result.ts';
import { weakKey } from '../check-signer.ts';
import { checkContext, type SealPorts } from '../seal-ports.ts';
import type { SealedDocument } from '../sealed-document.ts';
import { augmentationDoubts } from './augment-pdf.ts';
import { requirePermission, requireUserRights } from './check-permission.ts';
import { requirePlainTexts } from './check-texts.ts';
import { damageWarnings, pageWarnings } from './damage.ts';
import type { SealPdfRequest } from './seal-pdf.ts';
import type { VisibleSignature } from './visible-seal.ts';

/** Options of a seal with a CMS from an external signer. */
export interface ForeignSealRequest
  extends Pick<
    SealPdfRequest,
    'source' | 'password' | 'field' | 'reason' | 'location' | 'name' | 'contact' | 'signedAtMs'
  > {
  readonly subFilter: CmsSubFilter;
  /** Appearance, on one page. Default: none. It is drawn before the signer is known. */
  readonly visible?: VisibleSignature & { readonly page?: number | 'last' };
}

/** Dependencies of verifying the result. */
export interface ForeignSealPorts
  extends Pick<SealPorts, 'anchors' | 'algorithms' | 'now' | 'fonts'> {
  readonly signer: CmsSigner;
}

/** A document with the signature of an external signer. */
export interface ForeignSealedPdf
  extends Omit<SealedDocument<PdfVerificationReport>, 'level' | 'bytes'> {
  /** Certificate of the signer. */
  readonly certificate: Certificate;
}

/**
 * Seals with a CMS from an external signer, and verifies the result like any other seal.
 *
 * @throws pdf.*, key.sign.failed, seal.reservation.exceeded, seal.selfcheck.failed
 * @throws key.weak, tsa.algorithm.weak for a signature or time-stamp that `verify` rejects as too
 * weak
 */
export async function sealWithCms(
  request: ForeignSealRequest,
  ports: ForeignSealPorts,
): Promise<ForeignSealedPdf> {
  requirePlainTexts(request);
  const { signer } = ports;
  const context = checkContext(ports, createCertificatePool());
  const open = defined({ password: request.password });
  const prepared = withPdf(request.source, open, (file) => prepare(file, request, context));
  const { file, earlier, warnings } = prepared;
  const { visible, signedAtMs = context.nowMs, ...texts } = request;
  const details = { ...texts, signedAtMs };
  const choice = await withLook(prepared, visible, details, ports.fonts);
  const container = await embedForeignCms(file, choice, details, signer, request.subFilter);
  const expected = { field: choice.name, level: undefined };
  const sealed = openPdf(container.source, open);
  requireStrong(sealed, choice.name, context);
  const report = checkResult(sealed, context, earlier, expected);
  const certificate = requireSigner(sealed, choice.name, context);
  return {
    ...{ keptBytes: request.source.lengthBytes, tail: container.tail, field: choice.name },
    ...{ report: report(), warnings, certificate },
  };
}

async function withLook(
  { file, choice, warnings }: ReturnType<typeof prepare>,
  visible: VisibleSignature | undefined,
  details: SignatureDetails,
  fonts: SealPorts['fonts'],
): Promise<FieldChoice> {
  const pages = [firstPage(file)];
  if (visible === undefined || fonts === undefined) {
    warnings.push(...pageWarnings(pages));
    return choice;
  }
  const { drawSeal } = await import('./draw-seal.ts');
  const facts = { ...details, time: details.signedAtMs };
  const { look, warnings: more } = await drawSeal(file, choice, visible, facts, await fonts());
  warnings.push(...more, ...pageWarnings([...pages, look.widget.page]));
  return { ...choice, look };
}

/**
 * Accepts a document signed by an external signer: the original with exactly one added signature
 * and no other change. The signature is verified like any other.
 *
 * @throws seal.selfcheck.failed if it differs in any other way
 */
export function acceptSignedPdf(
  original: Uint8Array,
  signed: Uint8Array,
  ports: Omit<ForeignSealPorts, 'signer'>,
): ForeignSealedPdf {
  const context = checkContext(ports, createCertificatePool());
  const keptBytes = original.length;
  const isUpdate = signed.length > keptBytes && equalBytes(signed.subarray(0, keptBytes), original);
  const open = openPdf(memorySource(original));
  const before = listSignatureFields(open);
  const file = openPdf(memorySource(signed));
  const names = new Set(before.flatMap(({ name, value }) => (value === undefined ? [] : [name])));
  const added = listSignatureFields(file).filter(
    ({ name, value }) => value !== undefined && !names.has(name),
  );
  const [field] = added;
  if (!isUpdate || field === undefined || added.length !== 1) {
    const message =
      'expected the document with one additional signature, found a different document';
    throw new InnsigliError('seal.selfcheck.failed', message);
  }
  // Any other addition may alter what is displayed: the person agreed to the original.
  const further = findFurtherChange(open, file, field.name);
  if (further !== undefined) {
    const message = `expected the document with only a signature added: ${further}`;
    throw new InnsigliError('seal.selfcheck.failed', message);
  }
  const earlier = intactSignatures(open, names.size, context, []);
  requireStrong(file, field.name, context);
  const report = checkResult(file, context, earlier, { field: field.name, level: undefined });
  return {
    ...{ keptBytes, field: field.name, report: report(), warnings: [] },
    tail: signed.subarray(keptBytes),
    certificate: requireSigner(file, field.name, context),
  };
}

function requireSigner(file: PdfFile, field: string, { pool }: VerificationContext): Certificate {
  const made = verifyIntegrity(file, field, createCertificatePool([], pool));
  if (made?.certificate !== undefined) return made.certificate;
  const message = `the certificate of the signature "${field}" was not found`;
  throw new InnsigliError('seal.selfcheck.failed', message);
}

function requireStrong(file: PdfFile, field: string, context: StatusContext): void {
  const weak = findWeakSignature(file, field, context);
  if (weak === undefined) return;
  if (weak.what === 'signature') throw weakKey(`the CMS of the signer: ${weak.message}`);
  throw new InnsigliError('tsa.algorithm.weak', `the time-stamp in the CMS: ${weak.message}`, {
    hint: 'let the signer use a different time-stamp authority',
  });
}

function prepare(file: PdfFile, request: ForeignSealRequest, context: VerificationContext) {
  const fields = listSignatureFields(file);
  const signedCount = fields.filter(({ value }) => value !== undefined).length;
  const warnings = [...damageWarnings(file, signedCount)];
  const choice = chooseField(file, fields, request.field);
  requirePermission(file, fields, choice.name, undefined);
  requireUserRights(file, choice.existing !== undefined, false);
  warnings.push(...augmentationDoubts(file));
  const earlier = intactSignatures(file, signedCount, context, warnings);
  return { file, choice, earlier, warnings };
}
