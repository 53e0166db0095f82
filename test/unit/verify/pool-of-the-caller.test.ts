import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { openPdf } from '../../../src/formats/pdf/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { sealPdf, sealXml } from '../../../src/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { verifyContainer } from '../../../src/verify/container/index.ts';
import {
  findWeakSignature,
  listCertificatesToCheck,
  verifyIntegrity,
  verifyPdf,
} from '../../../src/verify/pdf/index.ts';
import { verifyXmlDocument } from '../../../src/verify/xml/index.ts';
import { containerBy } from '../../support/containers.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const field = 'Signature1';

/** A context whose pool contains one unrelated certificate. */
function contextOf() {
  const own = makeTestPki().member('root');
  const pool = createCertificatePool([own.der]);
  return { anchors: [pki.member('root').certificate], pool, nowMs: pki.nowMs };
}

describe("the caller's certificate pool", () => {
  const pdf = sealPdf(fixture('minimal.pdf'), sealOptions(pki));
  type Context = ReturnType<typeof contextOf>;

  test.each<[string, (context: Context) => unknown]>([
    ['verifyPdf', async (context) => verifyPdf(openPdf(memorySource((await pdf).bytes)), context)],
    [
      'verifyIntegrity',
      async ({ pool }) => verifyIntegrity(openPdf(memorySource((await pdf).bytes)), field, pool),
    ],
    [
      'findWeakSignature',
      async (context) =>
        findWeakSignature(openPdf(memorySource((await pdf).bytes)), field, context),
    ],
    [
      'listCertificatesToCheck',
      async (context) => listCertificatesToCheck(openPdf(memorySource((await pdf).bytes)), context),
    ],
    [
      'verifyXmlDocument',
      async (context) => {
        const { bytes } = await sealXml(Buffer.from('<a/>'), sealOptions(pki));
        return verifyXmlDocument(parseXml(bytes), context);
      },
    ],
    [
      'verifyContainer, XAdES',
      async (context) => verifyContainer(await containerBy(pki, { level: 'B-LTA' }), context),
    ],
    [
      'verifyContainer, CAdES',
      async (context) => {
        const container = await containerBy(pki, { level: 'B-LTA', format: 'cades' });
        return verifyContainer(container, context);
      },
    ],
  ])('is unchanged after %s', async (_, verify) => {
    const context = contextOf();
    const before = [...context.pool.all];
    await verify(context);
    expect(context.pool.all).toEqual(before);
  });
});
