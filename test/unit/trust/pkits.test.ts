import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation.ts';

const corpora = new URL('../../../../shared/corpora/', import.meta.url).pathname;
const folder = join(
  corpora,
  'pyhanko-certvalidator/pkgs/pyhanko-certvalidator/tests/fixtures/nist_pkits',
);
const present = existsSync(folder);

/** A time inside the validity of the PKITS certificates and CRLs. */
const atMs = Date.UTC(2022, 4, 1);

interface Case {
  readonly file: string;
  readonly section: string;
  readonly valid: boolean;
}

/** Expectations of the manifest: `PKITS 40612 INVALID: …`; of several, the first is the default. */
function readCases(): Case[] {
  const cases: Case[] = [];
  for (const line of readFileSync(join(corpora, 'manifest.tsv'), 'utf8').split('\n')) {
    const [path = '', , expected = ''] = line.split('\t');
    const match = /^PKITS (\d)(\d\d)(\d\d) (valid|INVALID)/.exec(expected);
    if (!path.includes('nist_pkits/certs/') || match === null) continue;
    const section = `${match[1]}.${Number(match[2])}.${Number(match[3])}`;
    cases.push({
      file: path.slice(path.lastIndexOf('/') + 1),
      section,
      valid: match[4] === 'valid',
    });
  }
  return cases;
}

function readFolder(name: string): Uint8Array[] {
  return readdirSync(join(folder, name))
    .filter((file) => /\.(crt|crl)$/.test(file))
    .map((file) => readFileSync(join(folder, name, file)));
}

/** Tests whose subject we refuse or do not support on purpose, with the reason. */
const different: Readonly<Record<string, string>> = {
  '4.1.4': 'DSA is not accepted',
  '4.1.5': 'DSA is not accepted',
  '4.10.3': 'the manifest asks for another set of initial policies than any',
  '4.14.18': 'CRLs for some reasons only are not combined',
  '4.14.19': 'CRLs for some reasons only are not combined',
  '4.14.22': 'indirect CRLs are not used',
  '4.14.24': 'indirect CRLs are not used',
  '4.14.25': 'indirect CRLs are not used',
  '4.14.28': 'indirect CRLs are not used',
  '4.14.29': 'indirect CRLs are not used',
  '4.14.30': 'indirect CRLs are not used',
  '4.14.33': 'indirect CRLs are not used',
  '4.15.4': 'delta CRLs are not used: the base alone decides',
  '4.15.5': 'delta CRLs are not used: the base alone decides',
};

describe.skipIf(!present)(
  `NIST PKITS${present ? '' : ' (skipped: ../shared/corpora is absent)'}`,
  () => {
    const cases = present ? readCases() : [];
    const pool = createCertificatePool(present ? readFolder('certs') : []);
    const crls = present ? readFolder('crls') : [];
    const rootDer = present
      ? readFileSync(join(folder, 'certs/TrustAnchorRootCertificate.crt'))
      : new Uint8Array();
    const root = pool.add(rootDer);
    const anchors = root === undefined ? [] : [root];

    function check(file: string): string {
      const certificate = pool.add(readFileSync(join(folder, 'certs', file)));
      if (certificate === undefined) return 'unreadable';
      const result = findPath({ certificate, pool, anchors, atMs });
      if (!result.valid) return `${result.problem}: ${result.message}`;
      for (const [index, member] of result.path.entries()) {
        const issuer = result.path[index + 1];
        if (issuer === undefined) return 'valid';
        const data = { ocsp: [], crls };
        const verdict = checkRevocation({ certificate: member, issuer, data, pool, anchors, atMs });
        if (verdict.status !== 'good') return `${verdict.status}: ${verdict.message}`;
      }
      return 'valid';
    }

    test('has the expected number of cases', () => {
      expect(cases.length).toBeGreaterThan(150);
    });

    const rows = cases.map((row) => [row.section, row.file, row] as const);
    test.each(rows)('%s %s', (section, file, { valid }) => {
      const found = check(file);
      if (section in different) return;
      expect(found === 'valid', found).toBe(valid);
    });
  },
);
