import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseOcspResponse } from '../../../src/formats/x509/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation.ts';

const folder = new URL(
  '../../../../shared/corpora/pyhanko-certvalidator/pkgs/pyhanko-certvalidator/tests/fixtures/openssl-ocsp/',
  import.meta.url,
).pathname;
const present = existsSync(folder);

/** What the name of an answer of OpenSSL's test suite says is wrong with it. */
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

describe.skipIf(!present)(
  `OCSP responses of OpenSSL's suite${present ? '' : ' (skipped: ../shared/corpora is absent)'}`,
  () => {
    const files = present ? readdirSync(folder) : [];
    const answers = files.filter((file) => file.endsWith('.ors'));
    const issuers = files.filter((file) => /^(WKIC|WSNIC)_.*_Issuer_/.test(file));
    const issuerOf = (id: string) => files.find((file) => file.startsWith(`${id}_Issuer_`)) ?? '';
    const read = (file: string) =>
      Buffer.from(readFileSync(join(folder, file), 'latin1'), 'base64');

    test('has the expected number of files', () => {
      expect(answers.length).toBeGreaterThanOrEqual(36);
      expect(issuers.length).toBeGreaterThanOrEqual(6);
    });

    test.each(answers)('%s', (file) => {
      const [, fault = '', id = ''] = /^(?:([A-Z]+)_)?(N?D\d)\.ors$/.exec(file) ?? [];
      expect(faults).toHaveProperty([fault]);
      const verdict = check(read(file), id, issuerOf(id));
      expect(verdict.status, verdict.message).toBe(fault === '' ? 'good' : 'unknown');
    });

    test.each(issuers)('with the wrong issuer %s', (file) => {
      const id = file.split('_')[1] ?? '';
      expect(check(read(`${id}.ors`), id, file).status).toBe('unknown');
    });
  },
);
