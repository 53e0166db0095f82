import { InnsigliError } from './errors.ts';

/** Descriptions of codes that the operating system and TLS report for failed access. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'another program is listening there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EDQUOT: 'the quota is exceeded',
  EEXIST: 'a file with this name exists',
  EHOSTUNREACH: 'no route to it',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'its name is too long',
  ENETUNREACH: 'no route to it',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left',
  ENOTDIR: 'part of its path is not a folder',
  ENOTFOUND: 'its name cannot be resolved',
  EPERM: 'permission denied',
  EROFS: 'read-only file system',
  ETIMEDOUT: 'no response in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS there',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different name',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
};

/** `connection refused (ECONNREFUSED)`, or the code alone if it has no description. */
export function osErrorText(code: string): string {
  return Object.hasOwn(words, code) ? `${words[code]} (${code})` : code;
}

/** {@link osErrorText} of a thrown error. */
export function osReason(error: unknown): string {
  return osErrorText(systemCode(error) ?? 'unknown');
}

const listenHints: Readonly<Record<string, string>> = {
  EACCES: 'ports below 1024 need elevated privileges: choose a different one with --port',
  EADDRINUSE: 'stop that program, or choose a different port with --port; 0 picks a free one',
};

/** The error for an address on which a server cannot listen. */
export function listenError(host: string, port: number, cause: unknown): InnsigliError {
  const code = systemCode(cause) ?? 'unknown';
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new InnsigliError('config.invalid', `cannot listen on ${place}: ${osErrorText(code)}`, {
    cause,
    hint: listenHints[code] ?? '--host: expected an address of this machine, such as 127.0.0.1',
  });
}

/** Returns an error handler: undefined for system errors with these codes; rethrows all others. */
export function onSystemCode(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(systemCode(error) ?? '')) throw error;
  };
}

/** The code of a system error, such as `ENOENT`. Undefined for any other thrown value. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
