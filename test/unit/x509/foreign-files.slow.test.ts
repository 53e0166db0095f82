import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import {
  commonNameOf,
  parseCertificate,
  parseCrl,
  parseOcspRequest,
  parseOcspResponse,
} from '../../../src/formats/x509/index.ts';

const corpora = new URL('../../../../shared/corpora/', import.meta.url).pathname;
const present = existsSync(join(corpora, 'manifest.tsv'));

/** DER of the values in a file, which may be PEM. */
function valuesIn(bytes: Buffer): Uint8Array[] {
  const blocks = bytes.toString('latin1').matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]+)-----END/g);
  const found = [...blocks].filter(([, label]) => /CERTIFICATE$|CRL$/.test(label ?? ''));
  // OpenSSL's suite stores OCSP responses in bare base64.
  if (bytes.subarray(0, 3).toString('latin1') === 'MII') {
    return [Buffer.from(bytes.toString('latin1'), 'base64')];
  }
  if (!bytes.includes('-----BEGIN')) return [bytes];
  return found.map(([, , body]) => Buffer.from(body ?? '', 'base64'));
}

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (isInnsigliError(error)) return false;
    throw error;
  }
}

function nodeReads(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

describe.skipIf(!present)(
  `files of other projects${present ? '' : ' (skipped: ../shared/corpora is absent)'}`,
  () => {
    const files = present
      ? readFileSync(join(corpora, 'manifest.tsv'), 'utf8')
          .split('\n')
          .map((line) => line.split('\t')[0] ?? '')
          .filter((path) => /^(rustcrypto|pyhanko-certvalidator|pyhanko|dss-)/.test(path))
      : [];
    const values = (suffix: RegExp) =>
      files
        .filter((path) => suffix.test(path) && existsSync(join(corpora, path)))
        .flatMap((path) =>
          valuesIn(readFileSync(join(corpora, path))).map((der) => ({ path, der })),
        );

    test('certificates that node reads parse to the same values', () => {
      let count = 0;
      const refused: string[] = [];
      for (const { path, der } of values(/\.(crt|cer|der|pem|cert\.pem)$/)) {
        const seen = nodeReads(der);
        if (seen === undefined) {
          accepts(() => parseCertificate(der));
          continue;
        }
        count++;
        if (!accepts(() => parseCertificate(der))) {
          refused.push(path);
          continue;
        }
        const { serialNumber, notAfterMs, subjectDer } = parseCertificate(der);
        const hex = Buffer.from(serialNumber)
          .toString('hex')
          .replace(/^(00)+(?=..)|^0(?=0$)/, '');
        // Node shows negative numbers as -7F, although the content bytes are the same.
        if (!seen.serialNumber.startsWith('-'))
          expect(hex, path).toBe(seen.serialNumber.toLowerCase());
        expect(Math.abs(new Date(seen.validTo).getTime() - notAfterMs), path).toBeLessThan(1000);
        const line = seen.subject?.split('\n').findLast((part) => part.startsWith('CN='));
        if (line !== undefined && /^CN=[\w .-]+$/.test(line)) {
          expect(commonNameOf(subjectDer), path).toBe(line.slice(3));
        }
      }
      expect(count).toBeGreaterThan(400);
      // Their signatures are damaged and no longer whole bytes.
      expect(refused.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual([
        'BadSignedCACert.crt',
        'InvalidDSASignatureTest6EE.crt',
      ]);
    });

    test('CRLs and OCSP messages are read or rejected', () => {
      const counts = (kind: RegExp, parse: (der: Uint8Array) => unknown) => {
        const all = values(kind);
        const refused = all.filter(({ der }) => !accepts(() => parse(der)));
        return { read: all.length - refused.length, refused: refused.map(({ path }) => path) };
      };
      const crls = counts(/\.crl(\.pem)?$/, parseCrl);
      // Its signature is damaged and no longer whole bytes.
      expect(crls.refused).toEqual([expect.stringMatching(/BadCRLSignatureCACRL\.crl$/)]);
      expect(crls.read).toBeGreaterThan(190);
      const answers = counts(/(\.ors|-res(p)?\.der)$/, parseOcspResponse);
      expect(answers.refused).toEqual([]);
      expect(answers.read).toBeGreaterThan(50);
      const requests = counts(/-req\.der$/, parseOcspRequest);
      expect(requests).toEqual({ read: 9, refused: [] });
    });
  },
);
