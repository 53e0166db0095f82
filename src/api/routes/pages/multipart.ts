/** A file of a form. */
export interface UploadedFile {
  /** As sent by the browser: untrusted text. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** The fields of a form: texts, and files by field name. */
export interface MultipartForm {
  readonly texts: URLSearchParams;
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** All files in order. */
  readonly every: readonly (UploadedFile & { readonly field: string })[];
}

/** Limits of a form: number of parts, bytes of the headers of each part, and bytes of all texts. */
const PARTS_MAX = 4096;
const HEADERS_BYTES_MAX = 8 * 1024;
const TEXTS_BYTES_MAX = 1024 * 1024;
const [LINE_END, HEADERS_END] = ['\r\n', '\r\n\r\n'];

/**
 * Reads a form with files. Undefined if it is malformed. `files` has the first file of each field;
 * the bytes are views of the body, not copies.
 *
 * @spec RFC 7578 §4.2
 */
export function readMultipart(body: Buffer, contentType: string): MultipartForm | undefined {
  const [, quoted, bare] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const texts = new URLSearchParams();
  const files = new Map<string, UploadedFile>();
  const every: (UploadedFile & { readonly field: string })[] = [];
  const first = `--${boundary}`;
  const next = `${LINE_END}${first}`;
  let textBytes = 0;
  let at = body.indexOf(first);
  for (let count = 0; at !== -1 && count < PARTS_MAX; count += 1) {
    const headersAt = at + first.length;
    // Directly after a boundary, two hyphens mark the end, and a line break starts a part.
    if (body.toString('latin1', headersAt, headersAt + 2) === '--') return { texts, files, every };
    if (body.indexOf(LINE_END, headersAt) !== headersAt) return undefined;
    const headersEnd = body.indexOf(HEADERS_END, headersAt);
    if (headersEnd === -1 || headersEnd - headersAt > HEADERS_BYTES_MAX) return undefined;
    const end = body.indexOf(next, headersEnd);
    if (end === -1) return undefined;
    const { field, fileName } = dispositionOf(body.toString('utf8', headersAt, headersEnd));
    const bytes = body.subarray(Math.min(headersEnd + HEADERS_END.length, end), end);
    if (field !== undefined && fileName !== undefined) {
      every.push({ field, fileName, bytes });
      if (!files.has(field)) files.set(field, { fileName, bytes });
    } else if (field !== undefined) {
      textBytes += bytes.length;
      if (textBytes > TEXTS_BYTES_MAX) return undefined;
      texts.append(field, bytes.toString('utf8'));
    }
    at = end + LINE_END.length;
  }
  return undefined;
}

function dispositionOf(headers: string): { field?: string; fileName?: string } {
  const [line] = /^content-disposition:.*$/im.exec(headers) ?? [];
  const [, field] = /;\s*name="([^"]*)"/i.exec(line ?? '') ?? [];
  const [, fileName] = /;\s*filename="([^"]*)"/i.exec(line ?? '') ?? [];
  return {
    ...(field === undefined ? {} : { field: readable(field) }),
    ...(fileName === undefined ? {} : { fileName: readable(fileName) }),
  };
}

/** Undoes the encoding that browsers apply to quotes and line breaks in names. @spec RFC 7578 §2 */
function readable(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0d|%0a/gi, ' ');
}
