import type { SecureContextOptions } from 'node:tls';
import type { ServerOptions } from '../../api/index.ts';
import { defined } from '../../base/defined.ts';
import { codeOf, InnsigliError } from '../../base/errors.ts';
import { osErrorText, systemCode } from '../../base/os-errors.ts';
import { readNamedNow } from '../documents.ts';
import type { ToolkitIo } from '../toolkit.types.ts';
import { readPassword } from './files.ts';

/** PEM files of a TLS server. */
export interface TlsFiles {
  readonly keyFile: string;
  readonly certificateFile: string;
  /** File with the password of an encrypted key; `-` for standard input. */
  readonly passwordFile?: string;
}

/** Reads the files and tests that they work together. @throws config.invalid, key.unreadable */
export async function readTls(
  files: TlsFiles | undefined,
  io: Pick<ToolkitIo, 'readStdinLine'> = {},
): Promise<ServerOptions['tls']> {
  if (files === undefined) return undefined;
  const { keyFile, certificateFile, passwordFile } = files;
  const key = readPem(keyFile);
  const cert = readPem(certificateFile);
  const passphrase = passwordFile === undefined ? undefined : await readPassword(passwordFile, io);
  const tls = { key, cert, ...defined({ passphrase }) };
  const { createSecureContext } = await import('node:tls');
  const { readPrivateKey } = await import('../../adapters/keys/pem-reader.ts');
  const attempt = (options: SecureContextOptions, refusal: () => InnsigliError) => {
    try {
      createSecureContext(options);
    } catch {
      throw refusal();
    }
  };
  const { cert: _cert, ...alone } = tls;
  attempt(alone, () => keyError(keyFile, () => readPrivateKey(key, passphrase)));
  attempt({ cert }, () => notPem(certificateFile, 'a certificate'));
  attempt(tls, () => {
    const what = `${certificateFile}: expected the certificate of the key in ${keyFile}`;
    return refuse(`${what}, found a certificate of a different key`);
  });
  return tls;
}

function readPem(file: string): string {
  try {
    return Buffer.from(readNamedNow(file)).toString('utf8');
  } catch (cause) {
    const code = systemCode(cause) ?? 'unknown';
    throw refuse(`${file} cannot be read: ${osErrorText(code)}`);
  }
}

/** The error for a key that OpenSSL rejects, worded like that for any other key. */
function keyError(file: string, read: () => unknown): InnsigliError {
  try {
    read();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'key.password.wrong') {
      return refuse(`${file}: the password of this private key is incorrect`);
    }
    if (code === 'key.password.missing') {
      return refuse(`${file}: expected the password of this private key, found none`, passwordHint);
    }
  }
  return notPem(file, 'a private key');
}

const passwordHint = 'pass a file with it: --tls-password-file';

function notPem(file: string, what: string): InnsigliError {
  const message = `${file}: expected ${what} in PEM, found something else or damaged data`;
  return refuse(message, 'it starts with a line -----BEGIN');
}

function refuse(message: string, hint?: string): InnsigliError {
  return new InnsigliError('config.invalid', message, defined({ hint }));
}
