import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { everyJudge, type SealKey } from './matrix.ts';

/** A PKI that openssl makes, so that keys and certificates come from elsewhere. */
export interface ForeignPki {
  readonly root: string;
  readonly keys: readonly SealKey[];
  close(): void;
}

/** Leaf keys: options of `openssl genpkey`, how the file is wrapped, who can judge. */
const leaves = [
  ['p-384', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'], 'pem', everyJudge],
  ['p-521', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'], 'p12', everyJudge],
  [
    'ed25519',
    ['-algorithm', 'ED25519'],
    'pem',
    // The default policy of DSS authorises no EdDSA.
    { pdfsig: false, mutool: false, openssl: false, pyhanko: true, dss: false },
  ],
  [
    'rsa-3072-sha512',
    ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072'],
    'p12-legacy',
    everyJudge,
  ],
  [
    'rsa-2048-pem-encrypted',
    ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
    'pem-encrypted',
    everyJudge,
  ],
] as const;

const digests: Readonly<Record<string, string>> = {
  'p-384': 'sha384',
  'p-521': 'sha512',
  ed25519: 'sha512',
  'rsa-3072-sha512': 'sha512',
};

/** Makes root, leaves and a CRL with openssl and serves the CRL on a free port of 127.0.0.1. */
export async function makeForeignPki(
  folder: string,
  otherRoots: readonly string[],
): Promise<ForeignPki> {
  mkdirSync(folder, { recursive: true });
  const server = createServer((request, response) => {
    const crl = request.url === '/ca.crl';
    response.setHeader('content-type', crl ? 'application/pkix-crl' : 'application/pkix-cert');
    response.end(readFileSync(join(folder, crl ? 'ca.crl' : 'interop-root.cer')));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const address = server.address() as AddressInfo;
  writeConfig(folder, `http://127.0.0.1:${address.port}`);
  const root = makeRoot(folder);
  writeFileSync(join(folder, 'password'), 'interop\n');
  const keys = leaves.map(([name, algorithm, wrapping, covered]) => ({
    name,
    options: [
      ...makeLeaf(folder, name, algorithm, wrapping),
      ...['--trust', root],
      ...otherRoots.flatMap((other) => ['--trust', other]),
      ...(digests[name] === undefined ? [] : ['--digest', digests[name]]),
    ],
    roots: [root, ...otherRoots],
    covered,
  }));
  openssl(folder, 'ca', '-config', 'ca.cnf', '-gencrl', '-out', 'crl.pem');
  openssl(folder, 'crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'ca.crl');
  return { root, keys, close: () => closeServer(server) };
}

function closeServer(server: Server): void {
  server.closeAllConnections();
  server.close();
}

function openssl(cwd: string, ...options: string[]): void {
  execFileSync('openssl', options, { cwd, stdio: 'pipe' });
}

function writeConfig(folder: string, baseUrl: string): void {
  const lines = [
    '[ca]',
    'default_ca = authority',
    '[authority]',
    'database = index.txt',
    'serial = serial',
    'new_certs_dir = .',
    'certificate = interop-root.pem',
    'private_key = root.key',
    'default_md = sha384',
    'default_crl_days = 7',
    'default_days = 365',
    'policy = anything',
    'unique_subject = no',
    '[anything]',
    'commonName = supplied',
    'organizationName = optional',
    '[root]',
    'basicConstraints = critical, CA:TRUE',
    'keyUsage = critical, keyCertSign, cRLSign',
    'subjectKeyIdentifier = hash',
    '[leaf]',
    'basicConstraints = critical, CA:FALSE',
    'keyUsage = critical, digitalSignature, nonRepudiation',
    'subjectKeyIdentifier = hash',
    'authorityKeyIdentifier = keyid',
    `crlDistributionPoints = URI:${baseUrl}/ca.crl`,
    `authorityInfoAccess = caIssuers;URI:${baseUrl}/root.cer`,
    '[req]',
    'distinguished_name = name',
    '[name]',
  ];
  writeFileSync(join(folder, 'ca.cnf'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(join(folder, 'serial'), '1001\n');
}

function makeRoot(folder: string): string {
  const curve = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'];
  openssl(folder, 'genpkey', ...curve, '-out', 'root.key');
  openssl(
    folder,
    ...['req', '-new', '-x509', '-config', 'ca.cnf', '-extensions', 'root', '-key', 'root.key'],
    ...[
      '-sha384',
      '-days',
      '3650',
      '-subj',
      '/O=Interop/CN=Interop TEST root',
      '-out',
      'interop-root.pem',
    ],
  );
  openssl(folder, 'x509', '-in', 'interop-root.pem', '-outform', 'DER', '-out', 'interop-root.cer');
  return join(folder, 'interop-root.pem');
}

function makeLeaf(
  folder: string,
  name: string,
  algorithm: readonly string[],
  wrapping: 'pem' | 'pem-encrypted' | 'p12' | 'p12-legacy',
): string[] {
  const key = `${name}.key`;
  const certificate = `${name}.pem`;
  const encryption = wrapping === 'pem-encrypted' ? ['-aes-256-cbc', '-pass', 'file:password'] : [];
  openssl(folder, 'genpkey', ...algorithm, ...encryption, '-out', key);
  const subject = ['-subj', `/O=Interop/CN=Interop TEST ${name}`, '-passin', 'file:password'];
  openssl(folder, 'req', '-new', '-config', 'ca.cnf', '-key', key, ...subject, '-out', 'leaf.csr');
  openssl(
    folder,
    ...['ca', '-batch', '-config', 'ca.cnf', '-extensions', 'leaf', '-notext'],
    ...['-in', 'leaf.csr', '-out', certificate],
  );
  const path = (file: string): string => join(folder, file);
  const password = ['--password-file', path('password')];
  if (wrapping === 'pem') return ['--key', path(key), '--cert', path(certificate)];
  if (wrapping === 'pem-encrypted') {
    return ['--key', path(key), '--cert', path(certificate), ...password];
  }
  const legacy = wrapping === 'p12-legacy' ? ['-legacy'] : [];
  openssl(
    folder,
    ...[
      'pkcs12',
      '-export',
      ...legacy,
      '-inkey',
      key,
      '-in',
      certificate,
      '-certfile',
      'interop-root.pem',
    ],
    ...['-passout', 'file:password', '-out', `${name}.p12`],
  );
  return ['--p12', path(`${name}.p12`), ...password];
}
