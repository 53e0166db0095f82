import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Certificate, parseOcspResponse } from '../../../src/formats/x509/index.ts';
import { findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';

const folder = new URL(
  '../../../../shared/corpora/pyhanko-certvalidator/pkgs/pyhanko-certvalidator/tests/fixtures/openssl-ocsp/',
  import.meta.url,
).pathname;
const present = existsSync(folder);

/** The fault that a file name of OpenSSL's test suite states. */
const faults: Readonly<Record<string, string>> = {
  '': 'nothing',
  ISOP: 'signature of the answer',
  ISDOSC: 'signature of the delegated certificate',
  WRID: 'responder identifier',
  WINH: 'issuer name hash',
  WIKH: 'issuer key hash',
  WKDOSC: 'key of the delegated certificate',
};

function readPem(file: string): Buffer {
  const body = /-----BEGIN CERTIFICATE-----([^-]+)-/.exec(
    readFileSync(join(folder, file), 'latin1'),
  );
  return Buffer.from(body?.[1] ?? '', 'base64');
}

function check(answer: Uint8Array, id: string, issuerFile: string) {
  const subjectFile = readdirSync(folder).find((file) => file.startsWith(`${id}_Cert_`)) ?? '';
  const pool = createCertificatePool([]);
  const certificate = pool.add(readPem(subjectFile));
  const issuer = pool.add(readPem(issuerFile));
  if (certificate === undefined || issuer === undefined) throw new Error('unreadable fixture');
  const atMs = parseOcspResponse(answer).basic?.responses[0]?.thisUpdateMs ?? 0;
  const data = { ocsp: [answer], crls: [] };
  return checkRevocation({ certificate, issuer, data, pool, anchors: [issuer], atMs });
}

/** A row of openssl-ocsp.json: a path, the available data, and whether it is valid. */
interface Row {
  readonly name: string;
  readonly root: string;
  readonly other_certs?: readonly string[];
  readonly cert: string;
  readonly ocsps: readonly string[];
  readonly moment: string;
  /** Present if the path is invalid. */
  readonly error?: object;
}

function isSpokenOf({ serialNumber }: Certificate, answers: readonly Uint8Array[]): boolean {
  const statements = answers.flatMap((der) => parseOcspResponse(der).basic?.responses ?? []);
  return statements.some(({ certificateId }) =>
    Buffer.from(certificateId.serialNumber).equals(serialNumber),
  );
}

/** `valid`, or the reason. An issuer without any status information is not checked. */
function checkRow(row: Row, answers: readonly Uint8Array[]): string {
  const pool = createCertificatePool((row.other_certs ?? []).map(readPem));
  const [certificate, root] = [pool.add(readPem(row.cert)), pool.add(readPem(row.root))];
  if (certificate === undefined || root === undefined) throw new Error('unreadable fixture');
  const atMs = Date.parse(row.moment);
  const anchors = [root];
  const result = findPath({ certificate, pool, anchors, atMs });
  if (!result.valid) return result.message;
  const data = { ocsp: answers, crls: [] };
  for (const [index, member] of result.path.entries()) {
    const issuer = result.path[index + 1];
    if (issuer === undefined || (index > 0 && !isSpokenOf(member, answers))) continue;
    const verdict = checkRevocation({ certificate: member, issuer, data, pool, anchors, atMs });
    if (verdict.status !== 'good') return `${verdict.status}: ${verdict.message}`;
  }
  return 'valid';
}

describe.skipIf(!present)(
  `the OCSP responses of OpenSSL's test suite${present ? '' : ' (skipped: ../shared/corpora is absent)'}`,
  () => {
    const files = present ? readdirSync(folder) : [];
    const answers = files.filter((file) => file.endsWith('.ors'));
    const issuers = files.filter((file) => /^(WKIC|WSNIC)_.*_Issuer_/.test(file));
    const issuerOf = (id: string) => files.find((file) => file.startsWith(`${id}_Issuer_`)) ?? '';
    const read = (file: string) =>
      Buffer.from(readFileSync(join(folder, file), 'latin1'), 'base64');

    test('include the expected number of files', () => {
      expect(answers.length).toBeGreaterThanOrEqual(36);
      expect(issuers.length).toBeGreaterThanOrEqual(6);
    });

    test.each(answers)('get the same verdict as from OpenSSL: %s', (file) => {
      const [, fault = '', id = ''] = /^(?:([A-Z]+)_)?(N?D\d)\.ors$/.exec(file) ?? [];
      expect(faults).toHaveProperty([fault]);
      const verdict = check(read(file), id, issuerOf(id));
      expect(verdict.status, verdict.message).toBe(fault === '' ? 'good' : 'unknown');
    });

    const rows: readonly Row[] = present
      ? JSON.parse(readFileSync(join(folder, 'openssl-ocsp.json'), 'utf8'))
      : [];

    test('come with a table of 29 rows', () => expect(rows).toHaveLength(29));

    test.each(rows.map((row) => [row.name, row] as const))(
      "get the verdict of OpenSSL's table: %s",
      (_, row) => {
        const found = checkRow(row, row.ocsps.map(read));
        expect(found === 'valid', found).toBe(row.error === undefined);
      },
    );

    test.each(issuers)('are rejected with the wrong issuer %s', (file) => {
      const id = file.split('_')[1] ?? '';
      expect(check(read(`${id}.ors`), id, file).status).toBe('unknown');
    });
  },
);
