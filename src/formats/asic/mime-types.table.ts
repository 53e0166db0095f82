/** Media types of common files, by file name extension. */
const mimeTypes: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['json', 'application/json'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['p7s', 'application/pkcs7-signature'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['tst', 'application/vnd.etsi.timestamp-token'],
  ['txt', 'text/plain'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xml', 'text/xml'],
  ['zip', 'application/zip'],
]);

/** Media type of files of an unknown kind. */
export const unknownMimeType = 'application/octet-stream';

/** The media type for a file name; `application/octet-stream` for an unknown extension. */
export function mimeTypeOfName(name: string): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return mimeTypes.get(ending) ?? unknownMimeType;
}
