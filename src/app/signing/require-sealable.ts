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

/** Checks and changes of a document before it is stored. */
export interface PreparationOptions {
  /** Make the values of its form part of its pages. */
  readonly flatten: boolean;
  /** A stranger brings it: content that acts by itself is refused. */
  readonly isByCustomer?: boolean;
}

/** A document as it is shown and signed. */
export interface ReadyDocument {
  readonly content: Uint8Array;
  /** What acts in it by itself, by the names of the standard. */
  readonly active: readonly string[];
}

/**
 * The document as it is shown and signed, before anybody is invited to: it can be read, is not
 * encrypted, no signature in it forbids further ones, and the key of the company works. When that
 * is wanted, its form is flattened. To be stored as the first revision, before anybody sees it.
 *
 * @throws pdf.* when it is no PDF that can be signed
 * @throws pdf.password.needed, pdf.permission.denied for an encrypted one
 * @throws pdf.certified.locked, pdf.damaged.signed, pdf.content.active, limit.exceeded
 * @throws key.*, config.* when the company cannot seal now
 */
export async function prepareDocument(
  content: Uint8Array,
  options: PreparationOptions,
  ports: Pick<SealingPorts, 'openSealing' | 'now'> & {
    /** {@link openedDocument}, done where it stalls nobody; the bytes of `content` may be moved. */
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

/** @throws pdf.content.active, and what cannot be read where a stranger brings it */
function activeIn(file: PdfFile, { isByCustomer = false }: PreparationOptions): readonly string[] {
  if (!isByCustomer) {
    // The company answers for its own documents: it is told what they have, and no more.
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
 * Refuses what could act in some readers only: of two entries with one key some take the first, and
 * who reads a file without its table takes objects that others do not.
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
