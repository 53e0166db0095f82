import { uriOfFile } from './xml-plan.ts';
import type { NamedFile } from './xml-request.ts';

/**
 * Finds a file by the URI of a reference: by the URI that its name has, else by the last segment
 * of a relative path. A reference without URI means the only file.
 */
export function fileFinder(files: readonly NamedFile[]): (uri: string) => Uint8Array | undefined {
  const byUri = new Map(files.map(({ name, content }) => [uriOfFile(name), content]));
  const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const byName = new Map(files.map(({ name, content }) => [lastOf(name), content]));
  return (uri) => {
    if (uri === '') return files.length === 1 ? files[0]?.content : undefined;
    const known = byUri.get(uri);
    if (known !== undefined || /^[A-Za-z][A-Za-z0-9+.-]*:|[?#]/.test(uri)) return known;
    return byName.get(decode(lastOf(uri)) ?? '');
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
