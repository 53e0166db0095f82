import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CoreError, type ErrorCode } from '../base/errors.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { readCertificates } from './read-certificates.ts';

/**
 * The bytes of a configured file; `what` names it in messages.
 *
 * @throws `code`, key.unreadable unless given
 */
export async function readConfigured(
  path: string,
  what: string,
  code: ErrorCode = 'key.unreadable',
): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new CoreError(code, `${what} ${path}: cannot be read (${reason})`, {
      details: { path },
      hint: 'check the path and its permissions',
      cause,
    });
  }
}

/** The first line of a password file. @throws key.unreadable */
export async function readPassword(path: string): Promise<string> {
  const text = Buffer.from(await readConfigured(path, 'password file')).toString('utf8');
  return text.split(/\r?\n/, 1)[0] as string;
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
    for (const file of await certificateFiles(path)) {
      const bytes = await readConfigured(file, 'certificate file', 'config.invalid');
      found.push(...readCertificates(bytes));
    }
  }
  return found;
}

async function certificateFiles(path: string): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => CERTIFICATE_FILE.test(name)).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new CoreError('config.invalid', `trust folder ${path}: no .pem, .crt, .cer or .der file`);
}
