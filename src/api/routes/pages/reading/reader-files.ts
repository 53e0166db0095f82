import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { InnsigliError } from '../../../../base/errors.ts';
import type { ApiApp } from '../../../route.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
};
const folders: readonly string[] = ['cmaps', 'fonts', 'wasm'];

// Policy for the pdf.js worker, with its WebAssembly decoders and this host's CMaps and fonts.
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
  "frame-ancestors 'none'";

/** Adds the files of the reader, which the build copied into the package. */
export function registerReaderFiles(app: ApiApp): void {
  const hidden = { schema: { hide: true } } as object;
  const paths = ['/s/reader/:file', '/s/reader/:folder/:file'];
  for (const path of paths) {
    app.get<{ Params: { folder?: string; file: string } }>(path, hidden, ({ params }, reply) =>
      sendFile(params.folder, params.file, reply),
    );
  }
}

async function sendFile(
  folder: string | undefined,
  file: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = types[extname(file)];
  const isOurs = folder === undefined || folders.includes(folder);
  if (type === undefined || !isOurs || !/^[\w][\w.-]*$/.test(file)) throw unknown();
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  const path = join(dirname(manifest), 'dist/reader', folder ?? '', file);
  const content = await readFile(path).catch(() => {
    throw unknown();
  });
  const etag = `"${hash('sha256', content, 'base64url')}"`;
  // Revalidated on each request, because files of two versions do not work together.
  reply
    .type(type)
    .headers({ 'content-security-policy': policy, 'cache-control': 'public, no-cache', etag });
  const isKnown = reply.request.headers['if-none-match'] === etag;
  return isKnown ? reply.code(304).send() : reply.send(content);
}

function unknown(): InnsigliError {
  return new InnsigliError('route.not_found', 'there is no such file');
}
