import { attemptAny } from '../../base/errors.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { uriOfFile } from './xml/plan.ts';
import type { FileObject } from './xml/request.ts';

/**
 * Returns a function that finds a file by the URI of a reference: by its name, verbatim or
 * percent-encoded, else by the last segment of a relative path. A reference without a URI means the
 * only file.
 */
export function fileFinder(files: readonly FileObject[]): (uri: string) => Uint8Array | undefined {
  const byUri = new Map<string, Uint8Array>();
  for (const { name, content } of files) byUri.set(name, content);
  for (const { name, content } of files) byUri.set(uriOfFile(name), content);
  const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const byName = new Map(files.map(({ name, content }) => [lastOf(name), content]));
  return (uri) => {
    if (uri === '') return files.length === 1 ? files[0]?.content : undefined;
    const known = byUri.get(uri);
    if (known !== undefined || /^[A-Za-z][A-Za-z0-9+.-]*:|[?#]/.test(uri)) return known;
    return byName.get(attemptAny(() => decodeURIComponent(lastOf(uri))) ?? '');
  };
}

type Signature = VerificationReport['signatures'][number];

/** Returns the files that no intact signature of the reports covers. */
export function uncoveredFiles(
  files: readonly FileObject[],
  reports: readonly Pick<VerificationReport, 'signatures'>[],
): readonly FileObject[] {
  const findFile = fileFinder(files);
  const signatures = reports.flatMap((report): readonly Signature[] => report.signatures);
  const uris = signatures.filter(({ intact }) => intact).flatMap(coveredUris);
  const covered = new Set(uris.map(findFile));
  return files.filter(({ content }) => !covered.has(content));
}

/** URIs of the files that the references of a signature cover. */
function coveredUris(signature: Signature): readonly string[] {
  // Only XML and CMS have detached files; those of a container are inside it.
  if (!('references' in signature) || signature.file !== undefined) return [];
  const { references } = signature;
  const valid = references.filter(({ scope, status }) => scope === 'file' && status === 'valid');
  // In CMS, an absent URI means encapsulated content.
  const isCms = !('offsetBytes' in signature);
  return valid.flatMap(({ uri = isCms ? undefined : '' }) => uri ?? []);
}
