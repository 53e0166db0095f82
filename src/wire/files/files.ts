import { closeSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { latin1Text } from '../../base/bytes.ts';
import { type ErrorCode, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { osReason } from '../../base/os-errors.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { STDIN } from '../config/layer.ts';
import { type FileObject, foundInstead, openNamed, pipeChunks } from '../documents.ts';
import type { ToolkitIo } from '../toolkit.types.ts';
import { type ReadCertificates, readCertificates, tooManyGiven } from './read-certificates.ts';

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const PASSWORD_BYTES_MAX = 64 * 1024;

/**
 * Reads a configured file, which must be a regular file of at most 16 MiB. `what` names it in
 * messages.
 *
 * @throws `code`, key.unreadable unless given
 */
export async function readConfigured(
  path: string,
  what: string,
  code: ErrorCode = 'key.unreadable',
): Promise<Uint8Array> {
  try {
    return readRegular(path, (problem) => new InnsigliError(code, `${what} ${path}: ${problem}`));
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    throw new InnsigliError(code, `${what} ${path} cannot be read: ${osReason(cause)}`, {
      details: { path },
      hint: 'check the path and its permissions',
      cause,
    });
  }
}

function readRegular(path: string, refusal: (problem: string) => InnsigliError): Uint8Array {
  const { descriptor, stats } = openAsked(path, refusal);
  try {
    if (!stats.isFile()) throw refusal('expected a regular file');
    const { size } = stats;
    if (size > FILE_BYTES_MAX) throw refusal(`at most ${FILE_BYTES_MAX} bytes, found ${size}`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openAsked(path: string, refusal: (problem: string) => InnsigliError): FileObject {
  try {
    return openNamed(path);
  } catch (error) {
    const found = foundInstead(error);
    if (found === undefined) throw error;
    throw refusal(`expected a regular file, found ${found}`);
  }
}

/**
 * Returns the first line of a password file; for `-`, that of standard input, which only `io` can
 * read.
 *
 * @throws key.unreadable
 */
export async function readPassword(
  path: string,
  io?: Pick<ToolkitIo, 'readStdinLine'>,
  what = 'password file',
): Promise<string> {
  if (path === STDIN && io?.readStdinLine !== undefined) return io.readStdinLine();
  const text = await readStart(path, what);
  return text.split(/\r?\n/, 1)[0] as string;
}

/** Reads the first 64 KiB of a file or pipe: shells' `<(…)` is a common way to pass passwords. */
async function readStart(path: string, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  try {
    const refusal = (problem: string) =>
      new InnsigliError('key.unreadable', `${what} ${path}: ${problem}`);
    for await (const chunk of chunksOf(openAsked(path, refusal))) {
      chunks.push(chunk);
      lengthBytes += chunk.length;
      if (chunk.includes(0x0a) || lengthBytes >= PASSWORD_BYTES_MAX) break;
    }
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const message = `${what} ${path} cannot be read: ${osReason(cause)}`;
    throw new InnsigliError('key.unreadable', message, { cause });
  }
  return Buffer.concat(chunks).toString('utf8', 0, Math.min(lengthBytes, PASSWORD_BYTES_MAX));
}

async function* chunksOf({ descriptor, isPipe }: FileObject): AsyncGenerator<Uint8Array> {
  if (isPipe) return yield* pipeChunks(descriptor);
  const { createReadStream } = await import('node:fs');
  yield* createReadStream('', { fd: descriptor, end: PASSWORD_BYTES_MAX - 1 });
}

const CERTIFICATE_FILE = /\.(pem|crt|cer|der)$/i;

/**
 * Reads the certificates of PEM or DER files, and of all such files in the folders. Duplicates are
 * dropped: files in a folder often include their chain.
 *
 * @param warn receives a sentence for each malformed certificate; if it is omitted, or no
 * certificate can be read, the first malformed one is an error
 * @throws config.invalid if a path cannot be read or contains no certificate
 */
export async function loadCertificates(
  paths: readonly string[],
  warn?: (message: string) => void,
): Promise<readonly Certificate[]> {
  const found = new Map<string, Certificate>();
  const damaged: InnsigliError[] = [];
  const count = countGiven();
  for (const path of paths) {
    for (const file of await filesAt(path)) {
      const bytes = await readConfigured(file, 'certificate file', 'config.invalid');
      const { certificates, unreadable } = certificatesIn(file, bytes);
      count(bytes.length, certificates.length + unreadable.length);
      for (const one of certificates) found.set(latin1Text(one.der), one);
      for (const one of unreadable) damaged.push(unusable(file, one));
    }
  }
  const [first] = damaged;
  if (first !== undefined && (warn === undefined || found.size === 0)) throw first;
  for (const { message } of damaged.slice(0, MAX_TOLD)) warn?.(`${message}: skipped`);
  if (damaged.length > MAX_TOLD) warn?.(`${damaged.length - MAX_TOLD} more cannot be read`);
  return [...found.values()];
}

/** Limit for malformed certificates that are reported individually. */
const MAX_TOLD = 10;

/**
 * Counts the bytes of named files and the objects in them.
 *
 * @throws limit.exceeded if they exceed any plausible need
 */
export function countGiven(): (bytes: number, objects: number) => void {
  let [allBytes, allObjects] = [0, 0];
  return (bytes, objects) => {
    allBytes += bytes;
    allObjects += objects;
    if (allObjects > limits.givenObjects) throw tooManyGiven();
    if (allBytes <= limits.givenFilesBytes) return;
    const max = limits.givenFilesBytes;
    const message = `expected files of at most ${max} bytes in total, found more`;
    throw new InnsigliError('limit.exceeded', message, {
      details: { maxBytes: max },
      hint: 'pass only those of the authorities named in the documents',
    });
  };
}

function certificatesIn(file: string, bytes: Uint8Array): ReadCertificates {
  try {
    return readCertificates(bytes);
  } catch (cause) {
    if (!isInnsigliError(cause) || cause.code === 'limit.exceeded') throw cause;
    throw unusable(file, cause);
  }
}

function unusable(file: string, cause: InnsigliError): InnsigliError {
  const { message, hint = 'pass PEM (-----BEGIN CERTIFICATE-----) or DER' } = cause;
  return new InnsigliError('config.invalid', `certificate file ${file}: ${message}`, {
    cause,
    hint,
  });
}

/**
 * Returns the file, or all files of a folder with a matching name.
 *
 * @param kinds the matching extensions, for the message
 * @throws config.invalid if no file matches
 */
export async function filesAt(
  path: string,
  form = CERTIFICATE_FILE,
  kinds = '.pem, .crt, .cer or .der',
): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => form.test(name)).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new InnsigliError('config.invalid', `folder ${path}: no ${kinds} file`);
}
