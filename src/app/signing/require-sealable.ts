import { memorySource } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  firstPage,
  listActiveContent,
  listSignatureFields,
  openPdf,
  type PdfFile,
  requireFewPages,
  withPdf,
} from '../../formats/pdf/index.ts';
import { requireUsableSigner } from '../documents/check-signer.ts';
import { requirePermission } from '../documents/pdf/check-permission.ts';
import { damageWarnings } from '../documents/pdf/damage.ts';
import type { SealingPorts } from './find-signee.ts';
import { flattenForm } from './flatten-form.ts';

/** Options for checking and changing a document before it is stored. */
export interface PreparationOptions {
  /** Whether to make the form values part of the pages. */
  readonly flatten: boolean;
  /** Whether an unidentified person uploaded it. Active content is rejected then. */
  readonly isByCustomer?: boolean;
}

/** A document ready to be shown and signed. */
export interface ReadyDocument {
  readonly content: Uint8Array;
  /** Active content of the document, by the names of the standard. */
  readonly active: readonly string[];
}

/**
 * Prepares a document to be shown and signed, before anyone is invited. Checks that it can be read,
 * is not encrypted and has no signature that forbids further ones, and that the company's key
 * works. Flattens its form if requested. The result is stored as the first revision before anyone
 * sees it.
 *
 * @throws pdf.* if it is not a PDF that can be signed
 * @throws pdf.password.needed, pdf.permission.denied if it is encrypted
 * @throws pdf.certified.locked, pdf.damaged.signed, pdf.content.active, limit.exceeded
 * @throws key.*, config.* if the company cannot seal now
 */
export async function prepareDocument(
  content: Uint8Array,
  options: PreparationOptions,
  ports: Pick<SealingPorts, 'openSealing' | 'now'> & {
    /** Runs {@link openedDocument} off the event loop; `content`'s bytes may be transferred. */
    readonly opened?: (content: Uint8Array, options: PreparationOptions) => Promise<ReadyDocument>;
  },
): Promise<ReadyDocument> {
  const ready = await (ports.opened ?? openedDocument)(content, options);
  requireUsableSigner(await ports.openSealing('B-B'), ports.now());
  return ready;
}

/** The part of {@link prepareDocument} that reads the document. @throws pdf.*, limit.exceeded */
export function openedDocument(content: Uint8Array, options: PreparationOptions): ReadyDocument {
  const active = withPdf(memorySource(content), {}, (file) => {
    requireOpen(file);
    return activeIn(file, options);
  });
  if (options.isByCustomer === true) requireOneReading(content);
  return { content: options.flatten ? flattenForm(content) : content, active };
}

/** @throws pdf.content.active, and parsing errors if an unidentified person uploaded it */
function activeIn(file: PdfFile, { isByCustomer = false }: PreparationOptions): readonly string[] {
  if (!isByCustomer) {
    // The company is responsible for its own documents, so active content is only reported.
    return attempt(
      () => listActiveContent(file, { isLenient: true }),
      () => [],
    );
  }
  const active = listActiveContent(file);
  if (active.length === 0) return active;
  const what = active.join(', ').slice(0, 200);
  throw new InnsigliError('pdf.content.active', `expected a plain document, found ${what}`, {
    details: { content: what },
    hint: 'print or save it as a new PDF without it',
  });
}

/**
 * Rejects documents with content that only some readers would execute: of duplicate keys in a
 * dictionary some readers use the first, and a reader that ignores the cross-reference table finds
 * different objects.
 */
function requireOneReading(content: Uint8Array): void {
  const strict = openPdf(memorySource(content), { strict: true });
  if (strict.previous !== undefined && listActiveContent(strict).length === 0) return;
  const message = 'expected a document that all programs read the same way, found a damaged one';
  throw new InnsigliError('pdf.structure.invalid', message, {
    hint: 'print or save it as a new PDF',
  });
}

function requireOpen(file: PdfFile): void {
  if (file.security !== undefined) {
    throw new InnsigliError('pdf.permission.denied', 'expected a document without encryption', {
      hint: 'save it without encryption, for example with qpdf --decrypt FILE OUT',
    });
  }
  firstPage(file);
  requireFewPages(file, limits.documentPages);
  const fields = listSignatureFields(file);
  damageWarnings(file, fields.filter(({ value }) => value !== undefined).length);
  requirePermission(file, fields, 'Signature', undefined);
}
