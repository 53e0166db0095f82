import { escapeAttribute, parseXml } from '../xml/index.ts';
import { asicInvalid } from './asic-error.ts';
import { openDocumentNamespace } from './names.table.ts';

/** Place of the manifest of files and media types. */
export const openDocumentManifestName = 'META-INF/manifest.xml';

/** One file that the manifest lists; the path is that of the entry, not a URI. */
export interface ListedFile {
  readonly name: string;
  readonly mimeType: string;
}

/**
 * The bytes of `META-INF/manifest.xml`: the media type of the container and of each data file.
 *
 * @spec OpenDocument 1.2 part 3 §4
 */
export function buildOpenDocumentManifest(
  mimetype: string,
  files: readonly ListedFile[],
): Uint8Array {
  const rows = [{ name: '/', mimeType: mimetype }, ...files].map(
    ({ name, mimeType }) =>
      `<manifest:file-entry manifest:full-path="${escapeAttribute(name)}"` +
      ` manifest:media-type="${escapeAttribute(mimeType)}"/>`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest` +
      ` xmlns:manifest="${openDocumentNamespace}" manifest:version="1.2">` +
      `${rows.join('')}</manifest:manifest>\n`,
  );
}

/**
 * The files that `META-INF/manifest.xml` lists, in its order; the one of the name `/` is the
 * container itself.
 *
 * @throws container.invalid when it has another form or lists a file twice
 * @throws xml.* when it is no acceptable XML
 */
export function parseOpenDocumentManifest(bytes: Uint8Array): readonly ListedFile[] {
  const { root } = parseXml(bytes);
  if (!root.is(openDocumentNamespace, 'manifest')) {
    throw asicInvalid(`expected a file manifest, found <${root.name.slice(0, 60)}>`);
  }
  const seen = new Set<string>();
  return root.childrenNamed(openDocumentNamespace, 'file-entry').map((row) => {
    const name = row.attribute('full-path', openDocumentNamespace);
    const mimeType = row.attribute('media-type', openDocumentNamespace);
    if (name === undefined || mimeType === undefined) {
      throw asicInvalid('an entry of the manifest has no path or media type');
    }
    if (seen.has(name)) throw asicInvalid('the manifest lists a file twice');
    seen.add(name);
    return { name, mimeType };
  });
}
