import { augmentContainer } from '../app/documents/container/augment-container.ts';
import { sealContainer } from '../app/documents/container/seal-container.ts';
import { fileFinder } from '../app/documents/detached-files.ts';
import { documentFormat } from '../app/documents/document-format.ts';
import { augmentXml } from '../app/documents/xml/augment-xml.ts';
import { sealXml } from '../app/documents/xml/seal-xml.ts';
import type { ByteSource } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { InnsigliError } from '../base/errors.ts';
import type { VerificationReport } from '../verify/report.ts';
import { namedFile } from './files/named-file.ts';
import {
  leadsToTestKeys,
  type OpenedSeal,
  openArchive,
  openSeal,
  type ToolkitContext,
} from './parties/opened-parties.ts';
import type {
  FileObjectSource,
  SealedParts,
  SealFilesOptions,
  SealXmlOptions,
} from './toolkit.types.ts';

/** An XML signature inside, around or beside one document. */
export async function sealOneXml(
  context: ToolkitContext,
  source: ByteSource,
  options: SealXmlOptions,
): Promise<SealedParts> {
  const opened = await openSeal(context, options);
  const { packaging = 'enveloped' } = options;
  const bytes = readAll(source);
  const request = { ...options, source: bytes, level: opened.level, packaging };
  const sealed = await sealXml(request, opened.ports);
  return buildSealedParts(context, opened, sealed, bytes);
}

/** One signature over several documents. */
export async function sealSeveral(
  context: ToolkitContext,
  documents: readonly FileObjectSource[],
  options: SealFilesOptions,
): Promise<SealedParts> {
  const opened = await openSeal(context, options);
  const { level, ports } = opened;
  const files = documents.map(namedFile);
  const { container, format = 'xades', ...claims } = options;
  if (container === undefined) {
    const request = { ...claims, source: files, level, packaging: 'detached' } as const;
    return buildSealedParts(context, opened, await sealXml(request, ports), new Uint8Array());
  }
  const sealed = await sealContainer({ ...claims, files, container, format, level }, ports);
  return buildSealedParts(context, opened, sealed, new Uint8Array());
}

interface Sealed {
  readonly bytes: Uint8Array;
  readonly id?: string | undefined;
  readonly warnings: readonly string[];
  readonly report: VerificationReport;
}

async function buildSealedParts(
  { development }: ToolkitContext,
  { level, signerName, silentCertificate, requests }: OpenedSeal,
  { bytes, id, warnings, report }: Sealed,
  input: Uint8Array,
): Promise<SealedParts> {
  if (level !== 'B-B' && (await leadsToTestKeys(report, development))) development.announce();
  return {
    ...resultBytes(input, bytes),
    level,
    ...defined({ signatureId: id }),
    warnings,
    report,
    signer: signerName,
    ...defined({ silentCertificate }),
    timestampRequests: requests(),
  };
}

/** Archives what is no PDF. */
export async function augmentOther(
  context: ToolkitContext,
  source: ByteSource,
  detached: readonly FileObjectSource[],
): Promise<SealedParts> {
  const { ports, requests } = await openArchive(context);
  const format = documentFormat(source);
  if (format === 'cms') {
    throw new InnsigliError(
      'usage.invalid',
      'archive: expected PDF, XML or a container, found CMS',
    );
  }
  const bytes = readAll(source);
  const archived =
    format === 'xml'
      ? await augmentXml(bytes, ports, fileFinder(detached.map(namedFile)))
      : await augmentContainer(bytes, ports);
  const { report, warnings } = archived;
  return {
    ...resultBytes(bytes, archived.bytes),
    level: 'B-LTA',
    report,
    warnings,
    signer: report.signatures.at(-1)?.signer?.subject ?? '',
    timestampRequests: requests(),
  };
}

function readAll(source: ByteSource): Uint8Array {
  return source.bytes ?? source.slice(0, source.lengthBytes);
}

const STRIDE = 1 << 16;

/** What the result has in common with the input, from the first byte on, and the rest. */
function resultBytes(input: Uint8Array, bytes: Uint8Array) {
  const most = Math.min(input.length, bytes.length);
  let keptBytes = 0;
  for (let end = STRIDE; end <= most; end += STRIDE) {
    const isSame = Buffer.compare(input.subarray(keptBytes, end), bytes.subarray(keptBytes, end));
    if (isSame !== 0) break;
    keptBytes = end;
  }
  while (keptBytes < most && input[keptBytes] === bytes[keptBytes]) keptBytes++;
  return { keptBytes, tail: bytes.subarray(keptBytes) };
}
