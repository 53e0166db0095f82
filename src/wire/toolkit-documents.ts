import { augmentContainer } from '../app/documents/container/augment-container.ts';
import { sealContainer } from '../app/documents/container/seal-container.ts';
import { timestampFile } from '../app/documents/container/timestamp-file.ts';
import { fileFinder } from '../app/documents/detached-files.ts';
import { documentFormat, saysPdf } from '../app/documents/document-format.ts';
import { timestampPdf } from '../app/documents/pdf/timestamp-pdf.ts';
import { type SealedDocument, withMembers } from '../app/documents/sealed-document.ts';
import { augmentXml } from '../app/documents/xml/augment-xml.ts';
import { sealXml } from '../app/documents/xml/seal-xml.ts';
import { type ByteSource, wholeBytes } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { InnsigliError } from '../base/errors.ts';
import { namedFile } from './files/named-file.ts';
import {
  leadsToTestKeys,
  type OpenedSeal,
  openArchive,
  openSeal,
  type ToolkitContext,
} from './parties/opened-parties.ts';
import type { FileObjectSource, SealFilesOptions, SealXmlOptions } from './toolkit.types.ts';

/** An XML signature inside, around or beside one document. */
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

/** One signature over several documents. */
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
  if (level !== 'B-B' && (await leadsToTestKeys(sealed.report, development))) {
    development.announce();
  }
  const facts = { signer: signerName, timestampRequests: requests() };
  return { ...sealed, ...facts, ...defined({ silentCertificate }) };
}

/** Archives what is no PDF. */
export async function augmentOther(
  context: ToolkitContext,
  source: ByteSource,
  detached: readonly FileObjectSource[],
): Promise<SealedDocument> {
  const { ports, requests } = await openArchive(context);
  const format = documentFormat(source);
  if (format === 'cms') {
    throw new InnsigliError(
      'usage.invalid',
      'archive: expected PDF, XML or a container, found CMS',
    );
  }
  const bytes = wholeBytes(source);
  const archived =
    format === 'xml'
      ? await augmentXml(bytes, ports, fileFinder(detached.map(namedFile)))
      : await augmentContainer(bytes, ports);
  const signer = archived.report.signatures.at(-1)?.signer?.subject ?? '';
  return { ...archived, signer, timestampRequests: requests() };
}

/** Covers a PDF, or a file of any other kind in a container, with a time-stamp. */
export async function timestampDocument(
  context: ToolkitContext,
  source: ByteSource,
  name: string,
): Promise<SealedDocument> {
  const { ports, requests } = await openArchive(context);
  const opening = await context.parties.opening();
  const made = saysPdf(source)
    ? await timestampPdf(source, ports, opening)
    : await timestampFile({ name, content: wholeBytes(source) }, ports);
  return withMembers(made, { timestampRequests: requests() });
}
