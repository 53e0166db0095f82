import { escapeAttribute } from '../xml/index.ts';
import { openDocumentNamespace } from './names.table.ts';

/** Path of the manifest of files and media types. */
export const openDocumentManifestName = 'META-INF/manifest.xml';

/**
 * The bytes of `META-INF/manifest.xml`: the media type of the container and of each data file.
 *
 * @spec OpenDocument 1.2 part 3 §4
 */
export function buildOpenDocumentManifest(
  mimetype: string,
  files: readonly { readonly name: string; readonly mimeType: string }[],
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
