import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CoreError, type ErrorCode, isCoreError } from '../base/errors.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { STDIN } from './config-layer.ts';
import { readCertificates } from './read-certificates.ts';
import type { ToolkitIo } from './toolkit.types.ts';

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const PASSWORD_BYTES_MAX = 64 * 1024;

/**
 * The bytes of a configured file, a regular one of at most 16 MiB; `what` names it in messages.
 *
 * @throws `code`, key.unreadable unless given
 */
export async function readConfigured(
  path: string,
  what: string,
  code: ErrorCode = 'key.unreadable',
): Promise<Uint8Array> {
  try {
    const entry = await stat(path);
    if (!entry.isFile()) throw new CoreError(code, `${what} ${path}: expected a regular file`);
    if (entry.size > FILE_BYTES_MAX) {
      const found = `found ${entry.size}`;
      throw new CoreError(code, `${what} ${path}: at most ${FILE_BYTES_MAX} bytes, ${found}`);
    }
    return await readFile(path);
  } catch (cause) {
    if (isCoreError(cause)) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new CoreError(code, `${what} ${path}: cannot be read (${reason})`, {
      details: { path },
      hint: 'check the path and its permissions',
      cause,
    });
  }
}

/**
 * The first line of a password file; of `-` what standard input says, which only `io` knows.
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

/** The first 64 KiB of a file or pipe: `<(…)` of a shell is a usual way to hand a password over. */
async function readStart(path: string, what: string): Promise<string> {
  const { createReadStream } = await import('node:fs');
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: PASSWORD_BYTES_MAX - 1 })) {
      chunks.push(chunk as Buffer);
      if ((chunk as Buffer).includes(0x0a)) break;
    }
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new CoreError('key.unreadable', `${what} ${path}: cannot be read (${reason})`, {
      cause,
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}

const CERTIFICATE_FILE = /\.(pem|crt|cer|der)$/i;

/**
 * The certificates of PEM or DER files, and of every such file in the folders.
 *
 * @throws config.invalid when a path cannot be read or holds no certificate
 */
export async function loadCertificates(paths: readonly string[]): Promise<readonly Certificate[]> {
  const found: Certificate[] = [];
  for (const path of paths) {
    for (const file of await filesAt(path)) {
      const bytes = await readConfigured(file, 'certificate file', 'config.invalid');
      found.push(...certificatesIn(file, bytes));
    }
  }
  return found;
}

function certificatesIn(file: string, bytes: Uint8Array): readonly Certificate[] {
  try {
    return readCertificates(bytes);
  } catch (cause) {
    if (!isCoreError(cause)) throw cause;
    const { message, hint = 'give PEM (-----BEGIN CERTIFICATE-----) or DER' } = cause;
    throw new CoreError('config.invalid', `certificate file ${file}: ${message}`, { cause, hint });
  }
}

/** The file, or all of a folder whose names fit. @throws config.invalid when none does */
export async function filesAt(path: string, form = CERTIFICATE_FILE): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => form.test(name)).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new CoreError('config.invalid', `folder ${path}: no .pem, .crt, .cer or .der file`);
}
