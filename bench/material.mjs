import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyObjectSigner, localTimestampAuthority } from 'innsigli';
import { startTrustServer } from 'innsigli/server';
import { openDevelopmentTrust } from 'innsigli/toolkit';

/** The document of the measurements: one page, about 13 KB. */
export const agreement = new Uint8Array(
  readFileSync(new URL('../fixtures/pdf/agreement.pdf', import.meta.url)),
);

/**
 * Opens a development PKI, signers, and the authority in process: in a new folder that is removed
 * at the end, or in the folder of another process.
 */
export async function openMaterial(existing) {
  const directory = existing ?? mkdtempSync(join(tmpdir(), 'innsigli-bench-'));
  const development = await openDevelopmentTrust({ directory });
  const keys = { rsa: development.seal('rsa'), ec: development.seal('ec') };
  const authority = localTimestampAuthority(development.tsa());
  return {
    directory,
    development,
    keys,
    signers: { rsa: keyObjectSigner(keys.rsa), ec: keyObjectSigner(keys.ec) },
    authority,
    trust: [development.rootCertificate],
    revocation: development.revocationSource(),
    close: () => existing ?? rmSync(directory, { recursive: true, force: true }),
  };
}

/** Serves the embedded authority over HTTP on a free local port, in this process. */
export function serveAuthority({ authority, development }) {
  return startTrustServer({
    host: '127.0.0.1',
    port: 0,
    timestamp: (request) => authority.timestamp(request),
    ocsp: (request) => development.ocspAnswer(request),
    crl: (name) => development.crl(name),
    certificate: (name) => development.issuer(name),
  });
}

/**
 * The minimum of any B-B seal: hash the document, create one signature over the attributes, and
 * copy the document with its update into the result.
 */
export function rawSeal(document, key, tailLength) {
  const tail = new Uint8Array(tailLength);
  const attributes = new Uint8Array(160);
  return () => {
    attributes.set(createHash('sha256').update(document).digest(), 32);
    const value = sign('sha256', attributes, key);
    const result = new Uint8Array(document.length + tailLength);
    result.set(document);
    result.set(tail, document.length);
    result.set(value, document.length);
    return result;
  };
}

/** The minimum of B-LTA: the document is hashed and signed three times, twice by the authority. */
export function rawArchive(document, key, authorityKey, tailLength) {
  const seal = rawSeal(document, key, tailLength);
  const stamp = rawSeal(document, authorityKey, tailLength);
  return () => {
    seal();
    stamp();
    return stamp();
  };
}
