import { attempt, InnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import {
  nameOfUri,
  openDocumentManifestName,
  parseXadesSignatures,
  type XadesSignatures,
} from '../../formats/asic/index.ts';
import { namespaces } from '../../formats/xmldsig/index.ts';
import { checkBroken } from '../check-signer.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding, XmlSignatureReport } from '../report/index.ts';
import { verifyXmlWithPool } from '../xml/index.ts';
import { type CheckedSignature, type OpenedContainer, simpleContent } from './open-container.ts';
import { degrade, formatFailure } from './outcome.ts';

/** Verifies each XAdES signature of a file in META-INF. */
export function checkXadesFile(file: string, opened: OpenedContainer): readonly CheckedSignature[] {
  const { contents, nowMs, budget } = opened;
  const signatures = readSignatures(contents.read(file) as Uint8Array);
  if ('code' in signatures) {
    const report: XmlSignatureReport = {
      kind: 'signature',
      form: 'xades',
      ...checkBroken('FORMAT_FAILURE').outcome,
      intact: false,
      trusted: false,
      timeProved: false,
      timestamps: [],
      offsetBytes: 0,
      file,
      coverage: 'none',
      bestTime: isoTime(nowMs),
      findings: [signatures],
      references: [],
    };
    return [checked(report, file, opened, new Set())];
  }
  const findFile = containerFinder(opened);
  budget.grant(signatures.document.bytes);
  const context = { ...opened, findFile };
  const changing = transformedFiles(signatures, opened);
  return verifyXmlWithPool(signatures.document, context).map((report) =>
    checked({ ...report, file }, file, opened, changing.get(report.offsetBytes) ?? new Set()),
  );
}

function readSignatures(bytes: Uint8Array): XadesSignatures | Finding {
  const found = attempt(
    () => parseXadesSignatures(bytes),
    ({ message }) => fault(message),
  );
  const isEmpty = 'signatures' in found && found.signatures.length === 0;
  return isEmpty ? fault('the file has no signature') : found;
}

function fault(message: string): Finding {
  return buildFinding('signature.xml.invalid', message);
}

/**
 * Returns a finder of files for references of a XAdES signature in a container, by the exact name
 * of an entry. Files in META-INF may be added later, so they are rejected, except
 * `META-INF/manifest.xml`, which OpenDocument signatures cover.
 */
export function containerFinder(
  opened: Pick<OpenedContainer, 'container' | 'contents'>,
): (uri: string) => Uint8Array | undefined {
  return (uri) => {
    const name = nameOfReference(uri, opened);
    if (name === undefined) throw refusal('the URI is not a file of the container');
    if (name.startsWith('META-INF/') && name !== openDocumentManifestName) {
      throw refusal('a signature must not cover files in META-INF');
    }
    return opened.contents.lend(name);
  };
}

/** An error that the reference parser treats as a rejection. */
function refusal(message: string): InnsigliError {
  return new InnsigliError('xml.signature.invalid', message);
}

function nameOfReference(
  uri: string | undefined,
  opened: Pick<OpenedContainer, 'container'>,
): string | undefined {
  // Without a URI, the application determines the target: an ASiC-S has only one file.
  if (uri === undefined || uri === '') return simpleContent(opened);
  return nameOfUri(uri);
}

/** Names of files with transforms, by signature: they are not completely covered. */
function transformedFiles(
  { document, signatures }: XadesSignatures,
  opened: OpenedContainer,
): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  let owner = 0;
  for (const reference of document.findAll(namespaces.dsig, 'Reference')) {
    while (signatures[owner + 1] !== undefined && !signatures[owner]?.contains(reference)) owner++;
    const start = signatures[owner]?.startOffset;
    if (start === undefined || reference.child(namespaces.dsig, 'Transforms') === undefined) {
      continue;
    }
    const uri = reference.attribute('URI');
    const name = uri?.startsWith('#') === true ? undefined : nameOfReference(uri, opened);
    if (name === undefined) continue;
    getOrCompute(found, start, () => new Set()).add(name);
  }
  return found;
}

function checked(
  own: XmlSignatureReport,
  file: string,
  opened: OpenedContainer,
  changing: ReadonlySet<string>,
): CheckedSignature {
  const touches = new Set<string>();
  const covers = new Set<string>();
  const references = own.references.map((reference) => {
    const { scope, status, uri } = reference;
    const name = scope === 'file' ? nameOfReference(uri, opened) : undefined;
    if (name === undefined) return reference;
    if (own.intact && status === 'valid') {
      if (opened.dataNames.has(name)) touches.add(name);
      if (!changing.has(name)) covers.add(name);
    }
    return { ...reference, target: name };
  });
  const report = { ...own, references };
  const base = { file, role: 'signature', covers, touches } as const;
  if (!report.intact || touches.size > 0) return { ...base, report };
  const message = 'the signature covers no file of the container';
  const finding = buildFinding('container.file.none', message);
  return { ...base, report: degrade(report, [finding], formatFailure) };
}
