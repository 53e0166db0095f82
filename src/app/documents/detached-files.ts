import { attemptAny } from '../../base/errors.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { uriOfFile } from './xml/plan.ts';
import type { FileObject } from './xml/request.ts';

/**
 * Finds a file by the URI of a reference: by its name, as it is written or as the URI that it has,
 * else by the last segment of a relative path. A reference without URI means the only file.
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

/** The files that no intact signature of the reports covers. */
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
  // Only XML and CMS know files beside them; those of a container are in it.
  if (!('references' in signature) || signature.file !== undefined) return [];
  const { references } = signature;
  const valid = references.filter(({ scope, status }) => scope === 'file' && status === 'valid');
  // In CMS no URI is content that it holds itself.
  const isCms = !('offsetBytes' in signature);
  return valid.flatMap(({ uri = isCms ? undefined : '' }) => uri ?? []);
}
