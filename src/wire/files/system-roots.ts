import { existsSync } from 'node:fs';
import * as tls from 'node:tls';
import { InnsigliError } from '../../base/errors.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { loadCertificates } from './files.ts';
import { readCertificates } from './read-certificates.ts';

/** Files in which Linux distributions and BSDs store the root certificates of the machine. */
const files = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Returns the root certificates that the operating system trusts. They are used on request only:
 * they are meant for TLS and do not indicate who may sign documents. Malformed ones are omitted.
 *
 * @throws config.invalid if there are none
 */
export async function readSystemRoots(): Promise<readonly Certificate[]> {
  const file = files.find((path) => existsSync(path));
  // A bundle may contain malformed certificates, which are omitted.
  const roots = file === undefined ? askNode() : await loadCertificates([file], () => undefined);
  if (roots.length > 0) return roots;
  throw new InnsigliError(
    'config.invalid',
    'the root certificates of this operating system were not found',
    {
      hint: 'pass them with --trust FILE',
    },
  );
}

/** Node has read the roots of macOS and Windows since 22.15. */
function askNode(): readonly Certificate[] {
  const ask: unknown = Reflect.get(tls, 'getCACertificates');
  const found: unknown = typeof ask === 'function' ? ask('system') : [];
  const texts = Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? [] : readCertificates(texts.join('\n')).certificates;
}
