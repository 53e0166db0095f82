import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  renderReport,
  sealContainer,
  sealPdf,
  sealXml,
  type VerificationReport,
  verifyDocument,
} from '../../../../src/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { fixture, sealOptions } from '../../../support/sealing.ts';
import { someReport, someSignature } from './some-report.ts';

const judge = resolve('../shared/tools/judge');
const isThere = existsSync(judge);
if (!isThere) console.warn('foreign judges of reports: skipped, ../shared/tools/judge is absent');

const pki = makeTestPki();
const check = (bytes: Uint8Array, trust: readonly Uint8Array[] = [pki.member('root').der]) =>
  verifyDocument(bytes, { trust, at: new Date(pki.nowMs) });

/** Reports of every format, passed and failed, and one with hostile names. */
async function someReports(): Promise<ReadonlyMap<string, VerificationReport>> {
  const options = sealOptions(pki);
  const pdf = (await sealPdf(fixture('minimal.pdf'), { ...options, reason: 'Approved' })).bytes;
  const short = (await sealPdf(fixture('minimal.pdf'), { ...options, level: 'B-B' })).bytes;
  const claims = { roles: ['<Buyer>'], place: { city: 'Reykjavík' }, commitments: ['approval'] };
  const xml = (await sealXml(Buffer.from('<a><b/></a>'), { ...options, ...claims })).bytes;
  const files = [{ name: 'a b&<.txt', content: Buffer.from('text') }];
  const xades = (await sealContainer(files, options)).bytes;
  const cades = (await sealContainer(files, { ...options, format: 'cades' })).bytes;
  const broken = pdf.slice();
  broken[20] = (broken[20] ?? 0) ^ 1;
  const name = `\u202e<script>\ud800\u0000]]>&${'A'.repeat(10_000)}`;
  const validity = { notBefore: '2025-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' };
  const signer = { subject: `CN=${name}`, issuer: name, serialNumber: '01', ...validity };
  const hostile = someSignature({ field: name, name, reason: name, location: name });
  return new Map<string, VerificationReport>([
    ['pdf', await check(pdf)],
    ['pdf-b', await check(short)],
    ['pdf-untrusted', await check(pdf, [])],
    ['pdf-broken', await check(broken)],
    ['pdf-unsigned', await check(fixture('minimal.pdf'))],
    ['xml', await check(xml)],
    ['xades', await check(xades)],
    ['cades', await check(cades)],
    ['hostile', someReport({ ...hostile, signer })],
  ]);
}

test.runIf(isThere)(
  'the XML report is valid against the TS 119 102-2 schema, and the PDF report is PDF/A-2a',
  { timeout: 300_000 },
  async () => {
    const folder = newTemporaryFolder('reports');
    try {
      const names: string[] = [];
      for (const [name, report] of await someReports()) {
        const document = { name: `${name}.pdf`, content: Buffer.from(name) };
        for (const format of ['xml', 'pdf'] as const) {
          const file = await renderReport(report, { format, document, language: 'hu' });
          writeFileSync(join(folder, `${name}.${format}`), file);
        }
        names.push(join(folder, name));
      }
      const ask = async (kind: string, ending: string) => {
        const files = names.map((name) => `${name}.${ending}`);
        const { stdout } = await promisify(execFile)(judge, [kind, ...files]);
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
      };
      const schema = await ask('etsi-report', 'xml');
      expect(schema.map(({ faults }) => faults)).toEqual(names.map(() => []));
      const archival = await ask('pdfa', 'pdf');
      expect(archival.map((each) => each['2a'])).toEqual(
        names.map(() => ({ compliant: true, failed: [] })),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
