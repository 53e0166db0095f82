import type { LightMyRequestResponse } from 'fastify';
import type { IdentityApi } from './identity.ts';

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

/** The page that answers a form, after its 303, in the same browser. */
export async function pageBehind(
  { app }: Pick<IdentityApi, 'app'>,
  { statusCode, headers }: LightMyRequestResponse,
  cookie: string,
): Promise<LightMyRequestResponse> {
  const url = String(headers.location);
  if (statusCode !== 303 || !/^\/s\/\w+(\?|$)/.test(url)) throw new Error(`no form at ${url}`);
  const set = [headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0]);
  return app.inject({ method: 'GET', url, headers: { cookie: [cookie, ...set].join('; ') } });
}
