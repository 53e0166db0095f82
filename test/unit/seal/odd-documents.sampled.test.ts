import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';
import { InnsigliError, type SealLevel, sealPdf } from '../../../src/index.ts';
import { pdfWithObjectStream, pdfWithTable } from '../../support/pdf-builder.ts';
import { makeTestPki } from '../../support/pki.ts';
import { costlyTest, sampleOf } from '../../support/sample.ts';
import { sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();
const verification = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };

const bodies = ({ catalog = '', kids = '3 0 R', parent = '2 0 R', page = '', pages = '' }) => [
  `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
  `<</Type/Pages/Kids[${kids}]/Count 1${pages}>>`,
  `<</Type/Page/Parent ${parent}/MediaBox[0 0 595 842]${page}>>`,
];
type Odd = Parameters<typeof bodies>[0];

const oddities: Readonly<Record<string, Odd>> = {
  '/DSS is a string': { catalog: '/DSS(x)' },
  '/DSS is an array': { catalog: '/DSS[1 2]' },
  '/DSS leads nowhere': { catalog: '/DSS 77 0 R' },
  '/DSS is the page': { catalog: '/DSS 3 0 R' },
  '/DSS holds odd things': { catalog: '/DSS<</Certs 5/OCSPs(x)/VRI[]>>' },
  '/DSS holds the page': { catalog: '/DSS<</VRI<</X 5>>/Certs[null 5 3 0 R]>>' },
  '/AcroForm is a string': { catalog: '/AcroForm(x)' },
  '/AcroForm is the page': { catalog: '/AcroForm 3 0 R' },
  '/Fields holds odd things': { catalog: '/AcroForm<</Fields[null 5 77 0 R 3 0 R]>>' },
  '/DR and /DA are odd': { catalog: '/AcroForm<</DR 5/DA 7/Fields[]>>' },
  '/Parent is null': { parent: 'null' },
  '/Parent is the page': { parent: '3 0 R' },
  '/Parent leads nowhere': { parent: '77 0 R' },
  '/Kids begins with null': { kids: 'null 3 0 R' },
  '/Kids has the page twice': { kids: '3 0 R 3 0 R' },
  '/Annots is a string': { page: '/Annots(x)' },
  '/Annots holds odd things': { page: '/Annots[null 5(x)77 0 R]' },
  '/Extensions is odd': { catalog: '/Extensions<</ESIC 5/ADBE(x)>>' },
  '/Perms is odd': { catalog: '/Perms<</DocMDP 77 0 R>>' },
};

async function outcomeOf(pdf: Uint8Array, level: SealLevel): Promise<string> {
  try {
    const { bytes } = await sealPdf(pdf, sealOptions(pki, { level }));
    return (await verifyPdfDocument(bytes, verification)).indication;
  } catch (error) {
    if (error instanceof InnsigliError) return error.code;
    throw error;
  }
}

describe.each(['B-B', 'B-T', 'B-LT', 'B-LTA'] as const)('an unusual document at %s', (level) => {
  test.each(sampleOf(Object.entries(oddities), 4))(
    '%s: the seal passes or the self-check rejects it',
    async (_, odd) => {
      const outcome = await outcomeOf(pdfWithTable(bodies(odd)), level);
      expect(['TOTAL-PASSED', 'seal.selfcheck.failed']).toContain(outcome);
    },
  );

  costlyTest('rejected are only oddities that the updates of this level change', async () => {
    const refused: string[] = [];
    for (const [name, odd] of Object.entries(oddities)) {
      if ((await outcomeOf(pdfWithTable(bodies(odd)), level)) !== 'TOTAL-PASSED')
        refused.push(name);
    }
    // An oddity that existed when signing and stays does not count as a change.
    const byData = ['/DSS is the page'];
    const byStamps = ['/DSS is the page', '/AcroForm is the page'];
    expect(refused).toEqual({ 'B-B': [], 'B-T': [], 'B-LT': byData, 'B-LTA': byStamps }[level]);
  });
});

describe('object numbers that the document references but does not define', () => {
  const absent = [4, 5, 6, 7, 8, 9, 12];
  const list = absent.map((number) => `${number} 0 R`).join(' ');
  const mentions: Readonly<Record<string, Uint8Array>> = {
    'as contents of the page': pdfWithTable(bodies({ page: `/Contents[${list}]` })),
    'as annotations': pdfWithTable(bodies({ page: `/Annots[${list}]` })),
    'with a comment in it': pdfWithTable(
      bodies({ page: `/Contents[${list.replaceAll(' 0 ', ' %x\n0 % R\n')}]` }),
    ),
    'of a higher generation': pdfWithTable(
      bodies({ page: `/X[${list.replaceAll(' 0 ', ' 7 ')}]` }),
    ),
  };

  test.each(Object.entries(mentions))('stay unused: %s', async (_, pdf) => {
    const { bytes } = await sealPdf(pdf, sealOptions(pki, { level: 'B-LTA' }));
    const file = openPdf(memorySource(bytes));
    expect(absent.map((number) => file.locate(number))).toEqual(absent.map(() => undefined));
    expect((await verifyPdfDocument(bytes, verification)).indication).toBe('TOTAL-PASSED');
  });

  test('stay unused if referenced from an object stream', async () => {
    const inStream = bodies({ page: '/Contents[92 0 R 93 0 R 95 0 R]' });
    const pdf = pdfWithObjectStream(inStream);
    const { bytes } = await sealPdf(pdf, sealOptions(pki, { level: 'B-LTA' }));
    const file = openPdf(memorySource(bytes));
    expect([92, 93, 95].map((number) => file.locate(number))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(file.objectCount).toBeGreaterThan(95);
  });
});
