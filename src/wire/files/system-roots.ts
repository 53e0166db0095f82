import { existsSync } from 'node:fs';
import * as tls from 'node:tls';
import { InnsigliError } from '../../base/errors.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { loadCertificates } from './files.ts';
import { readCertificates } from './read-certificates.ts';

/** Files in which distributions of Linux and the BSDs keep the roots of the machine. */
const files = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * The roots that the operating system trusts, on request: they are meant for TLS, and are no
 * indication of who may sign documents. Unreadable ones are left out.
 *
 * @throws config.invalid when there are none
 */
export async function readSystemRoots(): Promise<readonly Certificate[]> {
  const file = files.find((path) => existsSync(path));
  // A bundle may have certificates that cannot be read: they are left out.
  const roots = file === undefined ? askNode() : await loadCertificates([file], () => undefined);
  if (roots.length > 0) return roots;
  throw new InnsigliError(
    'config.invalid',
    'the root certificates of this operating system were ' + 'not found',
    {
      hint: 'pass them with --trust FILE',
    },
  );
}

/** Node asks macOS and Windows since 22.15. */
function askNode(): readonly Certificate[] {
  const ask: unknown = Reflect.get(tls, 'getCACertificates');
  const found: unknown = typeof ask === 'function' ? ask('system') : [];
  const texts = Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? [] : readCertificates(texts.join('\n')).certificates;
}
