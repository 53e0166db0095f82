import { existsSync } from 'node:fs';
import * as tls from 'node:tls';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';
import { readConfigured } from './files.ts';

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
  const texts = file === undefined ? askNode() : await readTexts(file);
  const roots = texts.flatMap(tryParse);
  if (roots.length > 0) return roots;
  throw new InnsigliError('config.invalid', 'the roots of this operating system are not found', {
    hint: 'name them with --trust FILE',
  });
}

async function readTexts(file: string): Promise<readonly string[]> {
  const bytes = await readConfigured(file, 'roots of the system', 'config.invalid');
  const text = Buffer.from(bytes).toString('latin1');
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

/** Node asks macOS and Windows since 22.15. */
function askNode(): readonly string[] {
  const ask: unknown = Reflect.get(tls, 'getCACertificates');
  const found: unknown = typeof ask === 'function' ? ask('system') : [];
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
}

function tryParse(pem: string): readonly Certificate[] {
  try {
    return [parseCertificate(Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64'))];
  } catch (error) {
    if (isInnsigliError(error)) return [];
    throw error;
  }
}
