import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyDocument as verifyWith } from '../../../src/app/documents/verify-document.ts';
import type { SecondOpinion } from '../../../src/app/ports/index.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import {
  type SealXmlOptions,
  sealContainer,
  sealXml,
  type XmlVerificationReport,
} from '../../../src/index.ts';
import { withSecondOpinion } from '../../../src/verify/second-opinion.ts';
import { makeTestPki } from '../../support/pki.ts';
import { costlyRows } from '../../support/sample.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';
import { documents } from '../interop-peers/documents.ts';

const pki = makeTestPki();
const trust = [pki.member('root').der];
const at = new Date(pki.nowMs);

async function sealed(xml: string, options: Partial<SealXmlOptions> = {}): Promise<Uint8Array> {
  const result = await sealXml(Buffer.from(xml), {
    ...sealOptions(pki),
    level: 'B-B',
    transform: 'enveloped',
    ...options,
  });
  return result.bytes;
}

/** The conclusion on the only signature, and that of the other implementation. */
async function opinionOn(bytes: Uint8Array) {
  const report = await verifyDocument(bytes, { trust, at, secondOpinion: true });
  const { indication, subIndication, findings } = (report as XmlVerificationReport).signatures[0]!;
  const prefix = 'signature.second-opinion.';
  const codes = findings.map(({ code }) => code).filter((code) => code.startsWith(prefix));
  const [opinion] = codes.map((code) => code.slice(prefix.length));
  expect(codes).toHaveLength(1);
  return {
    indication,
    overall: report.indication,
    subIndication,
    opinion,
    coverage: report.coverage,
  };
}

const passed = { indication: 'TOTAL-PASSED', overall: 'TOTAL-PASSED', coverage: 'full' };

describe('the second opinion', () => {
  test.each([
    ['ECDSA, an enveloped signature', {}],
    ['RSA', { signer: signerOf(pki.member('rsa')) }],
    ['at B-T', { level: 'B-T' }],
    ['an enveloping signature', { packaging: 'enveloping', transform: undefined }],
  ] as const)('agrees on %s', async (_, options) => {
    const bytes = await sealed(documents.plain, options as Partial<SealXmlOptions>);
    expect(await opinionOn(bytes)).toMatchObject({ ...passed, opinion: 'agrees' });
  });

  test.each<[string, () => Promise<Uint8Array>]>([
    ['an XPath filter', () => sealed(documents.plain, { transform: 'filter' })],
    ['EdDSA', () => sealed(documents.plain, { signer: signerOf(pki.member('ed25519')) })],
    ...costlyRows<[string, () => Promise<Uint8Array>]>([
      'a document of more than two megabytes',
      () => sealed(`<a>${'x'.repeat(2_200_000)}</a>`),
    ]),
  ])('is unavailable for %s, and the conclusion stays', async (_, make) => {
    expect(await opinionOn(await make())).toMatchObject({ ...passed, opinion: 'none' });
  });

  test('makes a signature INDETERMINATE without coverage if it disagrees', async () => {
    // Its canonical form has another attribute order than the specification.
    const bytes = await sealed(documents['order by namespaces of which one begins the other']);
    expect(await opinionOn(bytes)).toEqual({
      indication: 'INDETERMINATE',
      overall: 'INDETERMINATE',
      subIndication: 'GENERIC',
      opinion: 'disagrees',
      coverage: 'none',
    });
    const without = await verifyDocument(bytes, { trust, at });
    expect(without).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
  });

  test('does not change the failure of a changed document', async () => {
    const text = Buffer.from(await sealed(documents.plain)).toString('utf8');
    const bytes = Buffer.from(text.replace('text', 'test'));
    const { indication, opinion } = await opinionOn(bytes);
    expect({ indication, opinion }).toEqual({ indication: 'TOTAL-FAILED', opinion: 'disagrees' });
  });

  test('requires the key of the signer, not another one in the signature', async () => {
    const text = Buffer.from(await sealed(documents.plain)).toString('utf8');
    const [own] = /<ds:X509Certificate>[^<]*<\/ds:X509Certificate>/.exec(text) ?? [''];
    expect(own).not.toBe('');
    const other = Buffer.from(pki.member('rsa').der).toString('base64');
    const forged = text.replace(own, `<ds:X509Certificate>${other}</ds:X509Certificate>`);
    const { indication } = await opinionOn(Buffer.from(forged));
    expect(indication).not.toBe('TOTAL-PASSED');
  });

  test('is reported as unavailable for PDF and containers', async () => {
    const report = await verifyDocument(fixture('agreement.pdf'), { trust, secondOpinion: true });
    expect(report.signatures).toEqual([]);
    const file = { name: 'a.txt', content: Buffer.from('a') };
    const container = await sealContainer([file], { ...sealOptions(pki), level: 'B-B' });
    const { signatures, indication } = await verifyDocument(container.bytes, {
      ...{ trust, at, secondOpinion: true },
    });
    expect(indication).toBe('TOTAL-PASSED');
    expect(signatures[0]?.findings.at(-1)).toMatchObject({
      code: 'signature.second-opinion.none',
      severity: 'info',
    });
  });
});

describe('the effect of a second opinion', () => {
  const verdicts: readonly SecondOpinion['verdict'][] = ['agrees', 'disagrees', 'none'];
  const base = { intact: true, trusted: true, bestTime: '', timeProved: false, timestamps: [] };
  const indications = ['TOTAL-PASSED', 'INDETERMINATE', 'TOTAL-FAILED'] as const;
  const cases = verdicts.flatMap((verdict) => indications.map((from) => ({ verdict, from })));

  test.each(cases)('«$verdict» on $from', ({ verdict, from }) => {
    const before = { ...base, indication: from, subIndication: 'X', findings: [] };
    const after = withSecondOpinion(before, { verdict, why: 'why' });
    const isLowered = verdict === 'disagrees' && from === 'TOTAL-PASSED';
    expect(after.indication).toBe(isLowered ? 'INDETERMINATE' : from);
    expect(after.subIndication).toBe(isLowered ? 'GENERIC' : 'X');
    expect(after.findings).toHaveLength(1);
  });

  test('is requested per signature, by its index among all and with its signer', async () => {
    const once = await sealed(documents.plain, { transform: 'filter' });
    const twice = await sealed(Buffer.from(once).toString('utf8'), {
      ...{ transform: 'filter', random: randomBytes },
    });
    const asked: unknown[] = [];
    const checker = {
      check: async (_: Uint8Array, questions: readonly unknown[]) => {
        asked.push(...questions);
        return questions.map((): SecondOpinion => ({ verdict: 'agrees' }));
      },
    };
    const request = { source: memorySource(twice), anchors: [], nowMs: pki.nowMs, checker };
    const report = await verifyWith(request);
    const serialNumbers = report.signatures.map(({ signer }) => signer?.serialNumber);
    expect(asked).toEqual(serialNumbers.map((serialNumber, index) => ({ index, serialNumber })));
    expect(asked).toHaveLength(2);
  });
});
