/** Body and headers of a form with one file, as browsers send it. */
export function formOf(
  field: string,
  fileName: string,
  content: Buffer,
  headers: Readonly<Record<string, string>> = {},
) {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
  const disposition = `form-data; name="${field}"; filename="${fileName}"`;
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
