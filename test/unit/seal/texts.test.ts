import { expect, test } from 'vitest';
import { sealPdf } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyPdfDocument } from '../../support/verify-pdf.ts';

const pki = makeTestPki();

test.each(['field', 'reason', 'location', 'name', 'contact'])(
  '%s: a control character is rejected',
  async (key) => {
    const options = sealOptions(pki, { level: 'B-B', [key]: 'r\u001b[31m' });
    await expect(sealPdf(fixture('agreement.pdf'), options)).rejects.toMatchObject({
      code: 'usage.invalid',
      message: `${key}: expected a text without control characters, found U+001B`,
    });
  },
);

test('any other text is returned unchanged by verification', async () => {
  const reason = 'Þórunn ✓ 署名\tΑθήνα\nЖ — “x” (y) \\ 😀';
  const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki, { reason }));
  const { signatures } = await verifyPdfDocument(bytes, { trust: [pki.member('root').der] });
  expect(signatures[0]?.reason).toBe(reason);
});
