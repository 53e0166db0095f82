import { memorySource } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import { findLocale, type LocaleCode, localeOf } from '../../base/locale.ts';
import type { SigningMethod } from '../../base/locale.types.ts';
import type { ProvedIdentity } from '../../domain/person/index.ts';
import type { DocumentRef, Signee, SigningProcess } from '../../domain/process/index.ts';
import { plainText, stampTemplate, writtenNumber } from '../../domain/signing/index.ts';
import { listPages, openPdf } from '../../formats/pdf/index.ts';
import { describeName, parseCertificate } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import type { SealedPdf } from '../documents/pdf/seal-pdf.ts';
import type { VisibleSeal } from '../documents/pdf/visible-seal.ts';
import type { SigningPorts } from './find-signee.ts';
import { requireDocument } from './view-document.ts';

/** A signature to make. */
export interface SignatureOrder {
  readonly process: SigningProcess;
  readonly signee: Signee;
  readonly method: SigningMethod;
  /** The signee's own key with who they are; absent: the key of the company signs for them. */
  readonly own?: { readonly signer: Signer; readonly login: ProvedIdentity };
  /** Test persons or test numbers are at work: the visible signature says so. */
  readonly isTest?: boolean;
}

/** A document with one signature more, stored and verified. */
export interface SignedDocument {
  /** Digest of the document that was signed. */
  readonly seenSha256: string;
  readonly document: DocumentRef;
  /** Subject of the certificate that signed. */
  readonly certificate: string;
  /** Name of its field. */
  readonly field: string;
}

/** Pages that are tried for a visible signature. */
const PAGES_MAX = 64;

/**
 * Puts the signature of a signee on the document, as an incremental update with a visible stamp;
 * earlier signatures are verified again. The result is stored; the process is not changed.
 *
 * A stamp takes the first free place of its page, then of the next ones (of the last page and those
 * before it, from the bottom up). If no page has a place, the signature is invisible.
 *
 * @throws process.file.not_found, blob.*, store.full, store.readonly
 * @throws pdf.*, key.*, tsa.*, seal.* when no signature can be made
 */
export async function signDocument(
  order: SignatureOrder,
  ports: SigningPorts,
): Promise<SignedDocument> {
  const { process, own } = order;
  const { sha256 } = requireDocument(process.document, process.key);
  const content = await ports.blobs.get(sha256);
  // Proofs for the long term are added with the seal at the end.
  const level: SealLevel = process.policy.sealLevel === 'B-B' ? 'B-B' : 'B-T';
  const sealing = await ports.openSealing(level);
  const signer = own?.signer ?? sealing.signer;
  const { bytes, field } = await sealOnSomePage(order, content, level, { ...sealing, signer });
  return {
    seenSha256: sha256,
    document: { sha256: await ports.blobs.put(bytes), lengthBytes: bytes.length },
    certificate: describeName(parseCertificate(signer.certificate).subjectDer),
    field,
  };
}

async function sealOnSomePage(
  order: SignatureOrder,
  content: Uint8Array,
  level: SealLevel,
  sealing: Awaited<ReturnType<SigningPorts['openSealing']>>,
): Promise<SealedPdf> {
  const { sealPdf } = await import('../documents/pdf/seal-pdf.ts');
  const { signee } = order;
  const source = memorySource(content);
  const request = {
    source,
    level,
    name: signeeName(order),
    ...(signee.reason === undefined ? {} : { reason: plainText(signee.reason) }),
  };
  for (const visible of placesFor(order, content)) {
    try {
      return await sealPdf({ ...request, visible }, sealing);
    } catch (error) {
      if (!isInnsigliError(error) || !noPlaceCodes.has(error.code)) throw error;
    }
  }
  return sealPdf({ ...request, visible: false }, sealing);
}

const noPlaceCodes: ReadonlySet<string> = new Set(['seal.page.full', 'seal.rect.invalid']);

/** Places to try, in order; the pages are counted only when the first one is full. */
function* placesFor(order: SignatureOrder, content: Uint8Array): Generator<VisibleSeal> {
  const { process, signee } = order;
  const language = findLocale(signee.language ?? process.policy.language) ?? 'is';
  const look = { template: stampText(order, language), language };
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
  const ssn = own?.login.ssn ?? '';
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

/** The name as the identity provider knows it, else as the process does. */
function signeeName({ signee, own }: SignatureOrder): string {
  return plainText(own?.login.name ?? signee.name);
}
