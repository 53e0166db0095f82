import { augmentCms } from '../app/documents/cms/augment-cms.ts';
import { augmentContainer } from '../app/documents/container/augment-container.ts';
import { sealContainer } from '../app/documents/container/seal-container.ts';
import { timestampFile } from '../app/documents/container/timestamp-file.ts';
import { fileFinder } from '../app/documents/detached-files.ts';
import { type DocumentFormat, documentFormat, saysPdf } from '../app/documents/document-format.ts';
import { timestampPdf } from '../app/documents/pdf/timestamp-pdf.ts';
import type { ArchivePlan } from '../app/documents/plan/archive-plan.ts';
import { planArchive } from '../app/documents/plan/plan-archive.ts';
import type { ArchivePorts } from '../app/documents/seal-ports.ts';
import { type SealedDocument, withMembers } from '../app/documents/sealed-document.ts';
import { augmentXml } from '../app/documents/xml/augment-xml.ts';
import type { FileObject } from '../app/documents/xml/request.ts';
import { sealXml } from '../app/documents/xml/seal-xml.ts';
import { type ByteSource, wholeBytes } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { findTestKeys } from './development.ts';
import { namedFile } from './files/named-file.ts';
import {
  type OpenedSeal,
  openArchive,
  openSeal,
  openWithoutAuthority,
  type ToolkitContext,
} from './parties/opened-parties.ts';
import type { FileObjectSource, SealFilesOptions, SealXmlOptions } from './toolkit.types.ts';

/** Creates an XML signature in, around or detached from one document. */
export async function sealOneXml(
  context: ToolkitContext,
  source: ByteSource,
  options: SealXmlOptions,
): Promise<SealedDocument> {
  const opened = await openSeal(context, options);
  const { packaging = 'enveloped' } = options;
  const request = { ...options, source: wholeBytes(source), level: opened.level, packaging };
  return withFacts(context, opened, await sealXml(request, opened.ports));
}

/** Creates one signature over several documents. */
export async function sealSeveral(
  context: ToolkitContext,
  documents: readonly FileObjectSource[],
  options: SealFilesOptions,
): Promise<SealedDocument> {
  const opened = await openSeal(context, options);
  const { level, ports } = opened;
  const files = documents.map(namedFile);
  const { container, format = 'xades', ...claims } = options;
  if (container === undefined) {
    const request = { ...claims, source: files, level, packaging: 'detached' } as const;
    return withFacts(context, opened, await sealXml(request, ports));
  }
  const request = { ...claims, files, container, format, level };
  return withFacts(context, opened, await sealContainer(request, ports));
}

async function withFacts(
  { development }: ToolkitContext,
  { level, signerName, silentCertificate, requests }: OpenedSeal,
  sealed: SealedDocument,
): Promise<SealedDocument> {
  if (level !== 'B-B' && (await findTestKeys(sealed.report, development)) !== undefined) {
    development.announce();
  }
  const facts = { signer: signerName, timestampRequests: requests() };
  return { ...sealed, ...facts, ...defined({ silentCertificate }) };
}

/** Augments a document that is not a PDF. */
export async function augmentOther(
  context: ToolkitContext,
  source: ByteSource,
  detached: readonly FileObjectSource[],
): Promise<SealedDocument> {
  const { ports, requests } = await openArchive(context);
  const bytes = wholeBytes(source);
  const beside = detached.map(namedFile);
  const archived = await augmentBytes(documentFormat(source), bytes, ports, beside);
  const signer = archived.report.signatures.at(-1)?.signer?.subject ?? '';
  return { ...archived, signer, timestampRequests: requests() };
}

/** The data that augmentation would add, and the addresses it would query. */
export async function planDocument(
  context: ToolkitContext,
  source: ByteSource,
  detached: readonly FileObjectSource[] = [],
): Promise<ArchivePlan> {
  const ports = await openPlan(context);
  const open = await context.parties.opening();
  return planArchive(source, ports, { open, detached: detached.map(namedFile) });
}

/** Ports for planning an augmentation. The authority is a placeholder, and nothing is created. */
async function openPlan(context: ToolkitContext): Promise<ArchivePorts> {
  const { config } = context;
  const ports = await openWithoutAuthority(context);
  if (config.tsa.length === 0 && config.production) return ports;
  const [first] = config.tsa;
  const timestamp = () => Promise.reject(new Error('a plan requests no time-stamp'));
  return { ...ports, authority: { name: first?.url ?? 'embedded', timestamp } };
}

function augmentBytes(
  format: DocumentFormat,
  bytes: Uint8Array,
  ports: ArchivePorts,
  beside: readonly FileObject[],
): Promise<SealedDocument> {
  if (format === 'xml') return augmentXml(bytes, ports, fileFinder(beside));
  if (format === 'cms') return augmentCms(bytes, ports, beside);
  return augmentContainer(bytes, ports);
}

/** Covers a document with a time-stamp: a PDF directly, any other file in a container. */
export async function timestampDocument(
  context: ToolkitContext,
  source: ByteSource,
  name: string,
  form: 'pdf' | 'container' = saysPdf(source) ? 'pdf' : 'container',
): Promise<SealedDocument> {
  const { ports, requests } = await openArchive(context);
  const opening = await context.parties.opening();
  const made =
    form === 'pdf'
      ? await timestampPdf(source, ports, opening)
      : await timestampFile({ name, content: wholeBytes(source) }, ports);
  return withMembers(made, { timestampRequests: requests() });
}
