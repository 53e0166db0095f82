/** A file of a form. */
export interface UploadedFile {
  /** As the browser says it: text of somebody. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** Parts of a form that are looked at, and bytes of the headers of each. */
const PARTS_MAX = 8;
const HEADERS_BYTES_MAX = 8 * 1024;
const [LINE_END, HEADERS_END] = ['\r\n', '\r\n\r\n'];

/**
 * The file of the field `name` in a form; undefined when there is none, or the form is broken. Its
 * bytes are those of the body, not copied.
 *
 * @spec RFC 7578 §4.2
 */
export function uploadedFile(
  body: Buffer,
  contentType: string,
  name: string,
): UploadedFile | undefined {
  const [, quoted, bare] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const first = `--${boundary}`;
  const next = `${LINE_END}${first}`;
  let at = body.indexOf(first);
  for (let count = 0; at !== -1 && count < PARTS_MAX; count += 1) {
    const headersAt = body.indexOf(LINE_END, at);
    // Directly behind a boundary: two hyphens are the end, and a line end begins a part.
    if (headersAt !== at + first.length) return undefined;
    const headersEnd = body.indexOf(HEADERS_END, headersAt);
    if (headersEnd === -1 || headersEnd - headersAt > HEADERS_BYTES_MAX) return undefined;
    const end = body.indexOf(next, headersEnd);
    if (end === -1) return undefined;
    const headers = body.toString('utf8', headersAt, headersEnd);
    const { field, fileName } = dispositionOf(headers);
    const contentAt = headersEnd + HEADERS_END.length;
    if (field === name && fileName !== undefined) {
      return { fileName, bytes: body.subarray(Math.min(contentAt, end), end) };
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
    ...(field === undefined ? {} : { field }),
    ...(fileName === undefined ? {} : { fileName: readable(fileName) }),
  };
}

/** Browsers write quotes and line ends of names in this way. @spec RFC 7578 §2 */
function readable(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0d|%0a/gi, ' ');
}
