import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agreement } from './material.mjs';

/** @libpdf/core with the same key, when it is installed: its import is part of no figure. */
export async function libpdfSealers({ directory, keys }, kind) {
  let libpdf;
  try {
    libpdf = await import('@libpdf/core');
  } catch (error) {
    console.error(`skip libpdf: ${error.message}`);
    return [];
  }
  const signer = await libpdf.P12Signer.create(makeP12(directory, keys[kind], kind), 'bench');
  const work = async () => {
    const pdf = await libpdf.PDF.load(agreement);
    return pdf.sign({ signer, level: 'B-B' });
  };
  return [{ name: '@libpdf/core 0.4.2', work }];
}

/** A PKCS#12 file with a key of the development trust; password «bench». */
export function makeP12(directory, key, kind) {
  const pem = (der) => `-----BEGIN CERTIFICATE-----\n${base64(der)}\n-----END CERTIFICATE-----\n`;
  const base64 = (der) =>
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g)
      .join('\n');
  const keyPath = join(directory, `bench-${kind}.key`);
  const chainPath = join(directory, `bench-${kind}.pem`);
  const p12Path = join(directory, `bench-${kind}.p12`);
  writeFileSync(keyPath, key.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(chainPath, [key.certificate, ...key.chain].map(pem).join(''));
  execFileSync('openssl', [
    ...['pkcs12', '-export', '-inkey', keyPath, '-in', chainPath],
    ...['-passout', 'pass:bench', '-out', p12Path],
  ]);
  return new Uint8Array(readFileSync(p12Path));
}

/** The pyHanko program, when it is installed: path and arguments before the files. */
export function pyhankoCommand({ directory, keys }) {
  const found = process.env.PYHANKO ?? 'pyhanko';
  const probe = spawnSync(found, ['--version'], { stdio: 'ignore' });
  if (probe.status !== 0) return undefined;
  makeP12(directory, keys.ec, 'ec');
  const passwordPath = join(directory, 'bench-password');
  writeFileSync(passwordPath, 'bench');
  const options = ['sign', 'addsig', '--field', 'Seal', '--use-pades', 'pkcs12'];
  return { program: found, options: [...options, '--passfile', passwordPath] };
}
