import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';
import type { ApiApp } from '../../route.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
};
const folders: readonly string[] = ['cmaps', 'fonts', 'wasm'];

// Of the worker of pdf.js: it compiles its decoders, and reads character maps and fonts from here.
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
  "frame-ancestors 'none'";

/** Adds the files of the reader, which the build has put into the package. */
export function registerReaderFiles(app: ApiApp): void {
  const hidden = { schema: { hide: true } } as object;
  const send = (folder: string | undefined, file: string, reply: FastifyReply) =>
    sendFile(folder, file, reply);
  app.get<{ Params: { file: string } }>('/s/reader/:file', hidden, ({ params }, reply) =>
    send(undefined, params.file, reply),
  );
  app.get<{ Params: { folder: string; file: string } }>(
    '/s/reader/:folder/:file',
    hidden,
    ({ params }, reply) => send(params.folder, params.file, reply),
  );
}

async function sendFile(
  folder: string | undefined,
  file: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = types[extname(file)];
  const isKnown = folder === undefined || folders.includes(folder);
  if (type === undefined || !isKnown || !/^[\w][\w.-]*$/.test(file)) throw unknown();
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  const path = join(dirname(manifest), 'dist/reader', folder ?? '', file);
  const content = await readFile(path).catch(() => {
    throw unknown();
  });
  return reply
    .type(type)
    .header('content-security-policy', policy)
    .header('cache-control', 'public, max-age=3600')
    .send(content);
}

function unknown(): InnsigliError {
  return new InnsigliError('route.not_found', 'there is no such file');
}
