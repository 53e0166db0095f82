import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RevocationSource } from '../../src/seal/ports.ts';
import { makeTestPki, type TestPki } from '../support/pki.ts';
import { pemOf } from '../support/tls.ts';

/** The PKI of providers that keep the keys of persons, with its CRLs on this computer. */
export interface PersonsPki {
  readonly pki: TestPki;
  /** PEM file with the root. */
  readonly root: string;
  /** What it says of its certificates; those of others are asked about at `others`. */
  revocationOr(others: RevocationSource | undefined): RevocationSource;
  close(): void;
}

/** Makes the PKI as it is at `nowMs`, and serves its CRLs and certificates on a free port. */
export async function servePersonsPki(folder: string, nowMs: number): Promise<PersonsPki> {
  const server = createServer((request, response) => {
    const [, kind, name] = /^\/(crl|issuer)\/(root|ca)\./.exec(request.url ?? '') ?? [];
    const member = name === undefined ? undefined : pki.member(name as 'root' | 'ca');
    response.statusCode = member === undefined ? 404 : 200;
    response.end(member && (kind === 'crl' ? pki.crl(member) : member.der));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const pki = makeTestPki({ nowMs, baseUrl: `http://127.0.0.1:${port}`, namesOcsp: false });
  const root = join(folder, 'persons-root.pem');
  writeFileSync(root, pemOf(pki.member('root').der));
  const isOwn = (issuer: Uint8Array) =>
    [pki.member('root'), pki.member('ca')].some(({ der }) => Buffer.compare(der, issuer) === 0);
  return {
    pki,
    root,
    revocationOr: (others) => ({
      find: async (certificate, issuer) =>
        isOwn(issuer.der)
          ? pki.revocation.find(certificate, issuer)
          : ((await others?.find(certificate, issuer)) ?? { ocsp: [], crls: [] }),
    }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
