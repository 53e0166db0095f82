import { fileFinder } from '../../app/documents/detached-files.ts';
import { saysPdf } from '../../app/documents/document-format.ts';
import type { ArchivePlan } from '../../app/documents/plan/archive-plan.ts';
import type { SealedDocument } from '../../app/documents/sealed-document.ts';
import type { FileObject } from '../../app/documents/xml/request.ts';
import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { SealLevel } from '../../base/level.ts';
import { copyBytes, reading } from '../../base/taken.ts';
import type { Signer } from '../../seal/ports.ts';
import type { EnvelopedTransform, XadesClaims } from '../../seal/xades/index.ts';
import type {
  CmsVerificationReport,
  ContainerVerificationReport,
  PdfVerificationReport,
  XmlVerificationReport,
} from '../../verify/report/index.ts';
import { defaultLevel, type LongTermOptions, portsOf } from './ports.ts';
import { takeFiles, takeOptions } from './take-arguments.ts';
import { wrapSigner } from './take-ports.ts';

/** Options common to seals of XML and of containers. */
export interface SignFilesOptions extends LongTermOptions, XadesClaims {
  /** The key to sign with. */
  readonly signer: Signer;
  /** Level. Default: `B-LTA` with `timestampAuthority` and `revocation`; otherwise required. */
  readonly level?: SealLevel;
}

/** Options for sealing XML. */
export interface SealXmlOptions extends SignFilesOptions {
  /**
   * `enveloped`: the signature is in the document; `enveloping`: the document is in the signature;
   * `detached`: the signature is separate from the document, or follows the element with `id`.
   * Default: `enveloped`.
   */
  readonly packaging?: 'enveloped' | 'enveloping' | 'detached';
  /** Cover only the element with this Id. Default: the whole document. */
  readonly id?: string;
  /**
   * Parent element of an enveloped signature: `#id`, local names from the root on, such as
   * `Invoice/Note`, or `ubl` for an extension. Default: the root element; for UBL, an extension.
   */
  readonly parent?: string;
  /** `filter` allows further signatures; `enveloped` is supported everywhere. Default: `filter`. */
  readonly transform?: EnvelopedTransform;
  /** Encoding in an enveloping signature. Default: `xml` where this preserves the meaning. */
  readonly encoding?: 'xml' | 'base64';
  /** Media type of the data. Default: `text/xml`; for files, derived from the name extension. */
  readonly mimeType?: string;
}

/**
 * Signs XML, or detached files (packaging `detached`), and returns the signed document, verified.
 * Without its signature, an enveloped result is identical to the input, byte for byte.
 *
 * @param document an XML document, or the files of a detached signature
 * @throws xml.*, key.*, tsa.*, revocation.*, certificate.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes } = await sealXml(invoice, { signer, level: 'B-B' });
 * @example
 * const files = [{ name: 'a.pdf', content: await readFile('a.pdf') }];
 * const { bytes } = await sealXml(files, { signer, level: 'B-B', packaging: 'detached' });
 */
export async function sealXml(
  document: Uint8Array | readonly FileObject[],
  options: SealXmlOptions,
): Promise<SealedDocument<XmlVerificationReport>> {
  const isList = reading('the document', () => Array.isArray(document));
  const source = isList
    ? takeFiles(document as readonly FileObject[])
    : copyBytes('the document', document);
  const taken = takeSealing('sealXml', options);
  const { sealXml: seal } = await import('../../app/documents/xml/seal-xml.ts');
  const { signer, packaging = 'enveloped', level = defaultLevel(taken) } = taken;
  const { id, parent, transform, encoding, mimeType } = taken;
  const request = { source, level, packaging, id, parent, transform, encoding, mimeType };
  const ports = { ...portsOf(taken), signer };
  return seal({ ...request, ...claimsOf(taken) }, ports);
}

/** Options for augmenting XML. */
export interface AugmentXmlOptions extends LongTermOptions {
  /** Files that detached signatures refer to. Default: none. */
  readonly detached?: readonly FileObject[];
}

/**
 * Augments the signatures of an XML document to level B-LTA, or renews their archive time-stamps.
 *
 * @throws xml.*, archive.*, tsa.*, revocation.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes } = await augmentXml(sealed, { timestampAuthority, revocation, trust: [root] });
 */
export async function augmentXml(
  xml: Uint8Array,
  options: AugmentXmlOptions,
): Promise<SealedDocument<XmlVerificationReport>> {
  const bytes = copyBytes('the document', xml);
  const taken = takeOptions('augmentXml', options);
  const ports = portsOf(taken);
  const { augmentXml: archive } = await import('../../app/documents/xml/augment-xml.ts');
  return archive(bytes, ports, fileFinder(taken.detached ?? []));
}

/** Options for sealing files in a container. */
export interface SealContainerOptions extends SignFilesOptions {
  /** `asic-e` for any number of files, `asic-s` for one. Default: `asic-e`. */
  readonly container?: 'asic-s' | 'asic-e';
  /** Signature format. Default: `xades`; in an existing container, that of its signatures. */
  readonly format?: 'xades' | 'cades';
}

/**
 * Puts files and a signature over them into an ASiC container. If the only file is a container,
 * adds a further signature to it.
 *
 * @throws container.*, key.*, tsa.*, revocation.*, certificate.*, usage.invalid, limit.exceeded
 * @example
 * const files = [{ name: 'a.pdf', content: await readFile('a.pdf') }];
 * const { bytes } = await sealContainer(files, { signer, level: 'B-B', container: 'asic-s' });
 */
export async function sealContainer(
  files: readonly FileObject[],
  options: SealContainerOptions,
): Promise<SealedDocument<ContainerVerificationReport>> {
  const copies = takeFiles(files);
  const taken = takeSealing('sealContainer', options);
  const { sealContainer: seal } = await import('../../app/documents/container/seal-container.ts');
  const { signer, container = 'asic-e', format = 'xades', level = defaultLevel(taken) } = taken;
  const ports = { ...portsOf(taken), signer };
  return seal({ files: copies, container, format, level, ...claimsOf(taken) }, ports);
}

/**
 * Augments the signatures of an ASiC container to level B-LTA, or renews their archive time-stamps.
 *
 * @throws container.*, archive.*, tsa.*, revocation.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes } = await augmentContainer(sealed, { timestampAuthority, revocation, trust });
 */
export async function augmentContainer(
  container: Uint8Array,
  options: LongTermOptions,
): Promise<SealedDocument<ContainerVerificationReport>> {
  const bytes = copyBytes('the document', container);
  const ports = portsOf(takeOptions('augmentContainer', options));
  const { augmentContainer: archive } = await import(
    '../../app/documents/container/augment-container.ts'
  );
  return archive(bytes, ports);
}

/** Options for augmenting a CMS file. */
export interface AugmentCmsOptions extends LongTermOptions {
  /** Files that a detached signature may cover. Default: none. */
  readonly detached?: readonly FileObject[];
}

/**
 * Augments the signatures of a CMS file (CAdES: `.p7m`, `.p7s`) to level B-LTA, or renews their
 * archive time-stamps.
 *
 * @throws cms.*, archive.*, tsa.*, revocation.*, usage.invalid, limit.exceeded
 * @example
 * const longTerm = { timestampAuthority, revocation, trust: [root] };
 * const detached = [{ name: 'a.pdf', content: await readFile('a.pdf') }];
 * const { bytes } = await augmentCms(await readFile('a.pdf.p7s'), { ...longTerm, detached });
 */
export async function augmentCms(
  file: Uint8Array,
  options: AugmentCmsOptions,
): Promise<SealedDocument<CmsVerificationReport>> {
  const bytes = copyBytes('the document', file);
  const taken = takeOptions('augmentCms', options);
  const ports = portsOf(taken);
  const { augmentCms: archive } = await import('../../app/documents/cms/augment-cms.ts');
  return archive(bytes, ports, taken.detached ?? []);
}

/** Options of {@link planArchive}. */
export interface PlanArchiveOptions extends LongTermOptions {
  /** Files that detached signatures refer to. Default: none. */
  readonly detached?: readonly FileObject[];
}

/**
 * Lists, for each signature of a document, what augmentation would add and which addresses it would
 * query. Sends no request. If the document cannot be augmented, `problems` contains the reason.
 *
 * @throws usage.invalid, limit.exceeded
 * @example
 * const plan = await planArchive(signed, { timestampAuthority, revocation, trust: [root] });
 * for (const { name, missing } of plan.signatures) console.log(name, missing.join(', '));
 */
export async function planArchive(
  document: Uint8Array,
  options: PlanArchiveOptions,
): Promise<ArchivePlan> {
  const bytes = copyBytes('the document', document);
  const taken = takeOptions('planArchive', options);
  const ports = portsOf(taken);
  const { planArchive: plan } = await import('../../app/documents/plan/plan-archive.ts');
  const open = defined({ password: taken.password });
  return plan(memorySource(bytes), ports, { open, detached: taken.detached ?? [] });
}

/** Options for a time-stamp over a document. */
export interface TimestampOptions extends LongTermOptions {
  /** Name in the container of a file that is not a PDF. Default: `document`. */
  readonly name?: string;
}

/**
 * Covers a document, signed or not, with a time-stamp only: a PDF gets a document time-stamp, a
 * file of any other kind is put into an ASiC-S container. No key is needed.
 *
 * @throws pdf.*, container.limit, tsa.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes } = await timestampDocument(pdf, { timestampAuthority, trust: [root] });
 */
export async function timestampDocument(
  document: Uint8Array,
  options: TimestampOptions,
): Promise<SealedDocument<PdfVerificationReport | ContainerVerificationReport>> {
  const content = copyBytes('the document', document);
  const taken = takeOptions('timestampDocument', options);
  const ports = portsOf(taken);
  const source = memorySource(content);
  if (saysPdf(source)) {
    const { timestampPdf } = await import('../../app/documents/pdf/timestamp-pdf.ts');
    return timestampPdf(source, ports, defined({ password: taken.password }));
  }
  const { timestampFile } = await import('../../app/documents/container/timestamp-file.ts');
  return timestampFile({ name: taken.name ?? 'document', content }, ports);
}

function takeSealing<T extends SignFilesOptions>(call: 'sealXml' | 'sealContainer', options: T): T {
  const taken = takeOptions(call, options);
  return { ...taken, signer: wrapSigner(taken.signer) };
}

function claimsOf({ roles, place, commitments, policy }: XadesClaims): XadesClaims {
  return { roles, place, commitments, policy };
}
