import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node } from './processes.mjs';
import { pythonWith } from './python.mjs';

const libpdfFile = fileURLToPath(new URL('libpdf-file.mjs', import.meta.url));
const pyhankoSeal = fileURLToPath(new URL('pyhanko_seal.py', import.meta.url));

/** Path of the 13 KB document. */
export const agreementPath = fileURLToPath(
  new URL('../fixtures/pdf/agreement.pdf', import.meta.url),
);

/**
 * Writes a PKCS#12 file with a key of the development trust, password "bench"; returns its path.
 */
export function makeP12({ directory, keys }, kind) {
  const { privateKey, certificate, chain } = keys[kind];
  const path = (extension) => join(directory, `bench-${kind}.${extension}`);
  const pem = (der) => {
    const lines = Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g);
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  };
  writeFileSync(path('key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(path('pem'), [certificate, ...chain].map(pem).join(''));
  execFileSync('openssl', [
    ...['pkcs12', '-export', '-inkey', path('key'), '-in', path('pem')],
    ...['-passout', 'pass:bench', '-out', path('p12')],
  ]);
  return path('p12');
}

/** Version of the installed @libpdf/core. */
export function libpdfVersion() {
  const manifest = new URL('../node_modules/@libpdf/core/package.json', import.meta.url);
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'missing';
}

/** The peers as programs that seal a file, or the files of a folder, at B-B. */
export function peersOnFiles(material, kind, input, output) {
  const p12 = makeP12(material, kind);
  const libpdf = node(libpdfFile, p12, output, input);
  const contenders = [{ name: `@libpdf/core ${libpdfVersion()}`, command: libpdf }];
  const { python, version } = pyhanko();
  if (python !== undefined) {
    const command = [python, pyhankoSeal, 'file', p12, output, input];
    contenders.push({ name: `pyHanko ${version}`, command });
  }
  return contenders.map((contender) => ({ ...contender, output, isPeer: true }));
}

/** pyHanko as a contender of the rates. */
export function pyhankoRounds(p12, input) {
  const { python, version } = pyhanko();
  if (python === undefined) return [];
  const command = [python, pyhankoSeal, 'rounds', p12, input];
  return [{ name: `pyHanko ${version}`, command, isPeer: true }];
}

let found;

/** A Python with pyHanko: from PYHANKO_PYTHON, the foreign judges, or the system. */
function pyhanko() {
  found ??= pythonWith(
    'pyHanko',
    'import pyhanko.version; print(pyhanko.version.__version__)',
    'PYHANKO_PYTHON',
  );
  return found;
}
