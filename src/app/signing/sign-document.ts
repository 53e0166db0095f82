import { concatBytes, memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { isInnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import {
  findLocale,
  type LocaleCode,
  localeOf,
  type SigningMethod,
} from '../../base/words/index.ts';
import type { DocumentRef, Signee, SigningProcess } from '../../domain/process/index.ts';
import {
  type Drawing,
  plainText,
  stampTemplate,
  writtenNumber,
} from '../../domain/signing/index.ts';
import { listPages, openPdf } from '../../formats/pdf/index.ts';
import { describeName, parseCertificate } from '../../formats/x509/index.ts';
import type { CmsSigner, Signer } from '../../seal/ports.ts';
import type { SealedPdf } from '../documents/pdf/seal-pdf.ts';
import type { ForeignSealedPdf } from '../documents/pdf/seal-with-cms.ts';
import type { VisibleSignature } from '../documents/pdf/visible-seal.ts';
import type { SigningPorts } from './find-signee.ts';
import { requireDocument } from './view-document.ts';

/**
 * Source of a signee's signature: a key, a CMS created elsewhere, a seal of the company that
 * contains evidence of the signee's approval, or a document signed elsewhere.
 */
export type SignatureSource =
  | { readonly kind: 'key'; readonly signer: Signer }
  | { readonly kind: 'cms'; readonly signer: CmsSigner }
  | { readonly kind: 'evidence'; readonly signedAttributes: readonly Uint8Array[] }
  | { readonly kind: 'document'; readonly signed: Uint8Array };

/** The signee's e-ID signature. Its digest may have been fixed earlier. */
export interface OwnSignature {
  readonly by: SignatureSource;
  /** Name shown in the visible signature. */
  readonly name: string;
  /** National number, if known. */
  readonly ssn?: string;
  /** Rejects a certificate of a different person by its subject (DER). */
  requireSigner?(subjectDer: Uint8Array): void;
  /** Time and space fixed together with the digest. */
  readonly fixed?: { readonly signedAtMs: number; readonly reservedBytes?: number };
}

/** A signature to be created. */
export interface SignatureOrder {
  readonly process: SigningProcess;
  readonly signee: Signee;
  readonly method: SigningMethod;
  /** The signee's own signature. Undefined: the company's key signs on their behalf. */
  readonly own?: OwnSignature;
  /** Whether test persons or test numbers are in use, as stated in the visible signature. */
  readonly isTest?: boolean;
  /** The signature as drawn by the signee. Undefined: only the name is shown. */
  readonly drawing?: Drawing;
}

/** A document with one more signature, stored and verified. */
export interface SignedDocument {
  /** Digest of the document before the signature. */
  readonly seenSha256: string;
  readonly document: DocumentRef;
  /** Subject of the signing certificate. */
  readonly certificate: string;
  /** Name of the signature field. */
  readonly field: string;
}

/** Maximum number of pages tried for a visible signature. */
const PAGES_MAX = 64;

/**
 * Adds a signee's signature to the document as an incremental update with a visible stamp. Earlier
 * signatures are verified again. The result is stored; the process is not changed.
 *
 * The stamp uses the first free position on its page, otherwise on the following pages (or, from
 * the bottom up, on the last page and the preceding ones). If no page has room, the signature is
 * invisible.
 *
 * @throws process.file.not_found, blob.*, store.full, store.readonly
 * @throws pdf.*, key.*, tsa.*, seal.* if no signature can be created
 */
export async function signDocument(
  order: SignatureOrder,
  ports: SigningPorts,
): Promise<SignedDocument> {
  const { process } = order;
  const { sha256 } = requireDocument(process.document, process.key);
  const content = await ports.blobs.get(sha256);
  // Long-term validation data is added with the final seal.
  const level: SealLevel = process.policy.sealLevel === 'B-B' ? 'B-B' : 'B-T';
  const sealing = await ports.openSealing(level);
  const { tail, keptBytes, field, certificate } = await signedBy(order, content, level, sealing);
  const bytes = concatBytes([content.subarray(0, keptBytes), tail]);
  return {
    seenSha256: sha256,
    document: { sha256: await ports.blobs.put(bytes), lengthBytes: bytes.length },
    certificate,
    field,
  };
}

type Sealing = Awaited<ReturnType<SigningPorts['openSealing']>>;
type SignedUpdate = Pick<SealedPdf, 'tail' | 'keptBytes' | 'field'> & { certificate: string };

async function signedBy(
  order: SignatureOrder,
  content: Uint8Array,
  level: SealLevel,
  sealing: Sealing,
): Promise<SignedUpdate> {
  const by = order.own?.by;
  if (by?.kind === 'cms') return withForeignCms(order, content, by.signer, sealing);
  if (by?.kind === 'document') {
    const { acceptSignedPdf } = await import('../documents/pdf/seal-with-cms.ts');
    return described(order, acceptSignedPdf(content, by.signed, sealing));
  }
  const signer = by?.kind === 'key' ? by.signer : sealing.signer;
  const further = by?.kind === 'evidence' ? { signedAttributes: by.signedAttributes } : {};
  const sealed = await sealOnSomePage(order, content, level, { ...sealing, signer }, further);
  const { tail, keptBytes, field } = sealed;
  const { subjectDer } = parseCertificate(signer.certificate);
  if (by?.kind === 'key') order.own?.requireSigner?.(subjectDer);
  return { tail, keptBytes, field, certificate: describeName(subjectDer) };
}

async function withForeignCms(
  order: SignatureOrder,
  content: Uint8Array,
  signer: CmsSigner,
  { anchors, algorithms, now, fonts }: Sealing,
): Promise<SignedUpdate> {
  const { sealWithCms } = await import('../documents/pdf/seal-with-cms.ts');
  const { reason } = order.signee;
  const request = {
    source: memorySource(content),
    subFilter: 'ETSI.CAdES.detached',
    name: signeeName(order),
    ...(reason === undefined ? {} : { reason: plainText(reason) }),
    ...defined({ signedAtMs: order.own?.fixed?.signedAtMs }),
  } as const;
  const ports = { signer, anchors, algorithms, now, ...defined({ fonts }) };
  return onSomePage(order, content, async (visible) =>
    described(order, await sealWithCms({ ...request, ...defined({ visible }) }, ports)),
  );
}

/** The update with the subject of the certificate found by its verification. */
function described(
  { own }: SignatureOrder,
  { tail, keptBytes, field = '', certificate }: ForeignSealedPdf,
): SignedUpdate {
  own?.requireSigner?.(certificate.subjectDer);
  return { tail, keptBytes, field, certificate: describeName(certificate.subjectDer) };
}

async function sealOnSomePage(
  order: SignatureOrder,
  content: Uint8Array,
  level: SealLevel,
  sealing: Sealing,
  further: { readonly signedAttributes?: readonly Uint8Array[] },
): Promise<SealedPdf> {
  const { sealPdf } = await import('../documents/pdf/seal-pdf.ts');
  const { signee } = order;
  const source = memorySource(content);
  const request = {
    source,
    level,
    name: signeeName(order),
    ...(signee.reason === undefined ? {} : { reason: plainText(signee.reason) }),
    ...order.own?.fixed,
    ...further,
  };
  return onSomePage(order, content, (visible) =>
    sealPdf({ ...request, visible: visible ?? false }, sealing),
  );
}

/** Runs `seal` with a position on the first page that has room, or with none if none has. */
async function onSomePage<T>(
  order: SignatureOrder,
  content: Uint8Array,
  seal: (visible?: Place) => Promise<T>,
): Promise<T> {
  for (const visible of placesFor(order, content)) {
    try {
      return await seal(visible);
    } catch (error) {
      if (!isInnsigliError(error) || !noPlaceCodes.has(error.code)) throw error;
    }
  }
  return seal();
}

type Place = VisibleSignature & { readonly page: number | 'last' };

const noPlaceCodes: ReadonlySet<string> = new Set(['seal.page.full', 'seal.rect.invalid']);

/** Positions to try, in order. The pages are counted only if the first one is full. */
function* placesFor(order: SignatureOrder, content: Uint8Array): Generator<Place> {
  const { process, signee, drawing } = order;
  const language = findLocale(signee.language ?? process.policy.language) ?? 'is';
  const look = { template: stampText(order, language), language, ...defined({ drawing }) };
  const fromBottom = process.signatureLocation === 'BottomLastPage';
  const from = fromBottom ? 'bottom' : 'top';
  yield { ...look, startAt: from, page: fromBottom ? 'last' : 1 };
  const count = listPages(openPdf(memorySource(content))).length;
  for (let tried = 1; tried < Math.min(count, PAGES_MAX); tried++) {
    yield { ...look, startAt: from, page: fromBottom ? count - tried : 1 + tried };
  }
}

function stampText(order: SignatureOrder, language: LocaleCode): string {
  const { signee, method, own } = order;
  const { seal: words, methods } = localeOf(language);
  const { reason } = signee;
  const ssn = own?.ssn ?? '';
  const isNumberShown = ssn !== '' && !signee.hidePersonalCode;
  return stampTemplate({
    heading: order.isTest === true ? `TEST · ${words.signature}` : words.signature,
    name: signeeName(order),
    ...(isNumberShown ? { personalCode: writtenNumber(ssn) } : {}),
    ...(reason === undefined ? {} : { reason: `${words.reason}${words.colon}${reason}` }),
    timeLabel: `${words.time}${words.colon}`,
    method: methods[method],
  });
}

/** The name according to the identity provider, otherwise according to the process. */
function signeeName({ signee, own }: SignatureOrder): string {
  return plainText(own?.name ?? signee.name);
}
