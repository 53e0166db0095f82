/** Body and headers of a form with one file and texts, as browsers send it. */
export function formOf(
  field: string,
  fileName: string,
  content: Buffer,
  headers: Readonly<Record<string, string>> = {},
  texts: Readonly<Record<string, string>> = {},
) {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
  const part = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const head = Object.entries(texts).map(([name, text]) => `${part(`name="${name}"`)}${text}\r\n`);
  const file = part(`name="${field}"; filename="${fileName}"`);
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    payload: Buffer.concat([Buffer.from([...head, file].join('')), content, end]),
  };
}
