import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../src/formats/cms/index.ts';
import { verifyCades } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedSigner, craftCms, crlsOf, withoutType } from '../support/crafted-cms.ts';
import { claiming, cmsBy, signedFile } from '../support/hand-signed.ts';
import { makeTestPki } from '../support/pki.ts';
import { verifyPdfDocument } from '../support/verify-pdf.ts';
import { first, host, keyInfo, signer as xmlSigner } from '../unit/verify/xml/sealed-xml.ts';
import { signXml } from '../unit/verify/xml/sign-xml.ts';

// EN 319 102-1 §5.2.8.4: a certificate cannot have signed before it existed or after its end. Such
// a claimed time does not invalidate the signature, but the signature does not pass.
const pki = makeTestPki();
const signer = pki.member('signer');
const { notBeforeMs, notAfterMs } = signer.certificate;
const content = Buffer.from('Pay 100 to the bearer.\n');
const open = { indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' };
const passed = { indication: 'TOTAL-PASSED' };

interface Concluded {
  readonly findings: readonly { readonly code: string }[];
}

function inCms(crafted: Partial<CraftedSigner>): Concluded {
  const signers = [{ signer, ...crafted }];
  const cms = craftCms({ content, signers, crls: crlsOf(pki) });
  return verifyCades(cms, memorySource(content), cadesContext(pki))[0] as Concluded;
}

async function inPdf(edit?: (text: string) => string): Promise<Concluded> {
  const file = await signedFile(cmsBy(signer), edit);
  const trust = [pki.member('root').der];
  const given = { trust, at: new Date(pki.nowMs), revocationMode: 'ignore' } as const;
  return (await verifyPdfDocument(file, given)).signatures[0] as Concluded;
}

function inXml(claimedMs: number): Concluded {
  const claimedTime = new Date(claimedMs).toISOString();
  return first(signXml({ signer: xmlSigner, host, keyInfo, claimedTime }));
}

const forms: Readonly<Record<string, (claimedMs: number) => Concluded | Promise<Concluded>>> = {
  CMS: (signingTimeMs) => inCms({ signingTimeMs }),
  PDF: (claimedMs) => inPdf(claiming(claimedMs)),
  XML: inXml,
};

describe.each(Object.entries(forms))('a claimed signing time in %s', (form, verify) => {
  const validity = form === 'XML' ? xmlSigner.certificate : { notBeforeMs, notAfterMs };
  test.each([
    ['the first second of validity', validity.notBeforeMs, passed],
    ['the second before validity', validity.notBeforeMs - 1000, open],
    ['the last second of validity', validity.notAfterMs, passed],
    ['the second after validity', validity.notAfterMs + 1000, open],
  ])(
    '%s: is accepted only within the validity period of the certificate',
    async (_, claimedMs, expected) => {
      const report = await verify(claimedMs);
      expect(report).toMatchObject({ intact: true, ...expected });
      const codes = report.findings.map(({ code }) => code);
      expect(codes.includes('signature.time.outside')).toBe(expected === open);
    },
  );
});

describe('a malformed or missing signing time', () => {
  // RFC 5652 §11.3: from 1950 to 2049 it is a UTCTime.
  test('a CMS signing-time as GeneralizedTime before 2050 counts as missing', () => {
    const time = der.element(0x18, [Buffer.from('20260601110000Z')]);
    const attributes: CraftedSigner['attributes'] = (list) => {
      const others = withoutType(list, oids.signingTime);
      return sorted([...others, buildAttribute(oids.signingTime, time)]);
    };
    const report = inCms({ attributes });
    expect(report).toMatchObject({ intact: true, ...open });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'signature.time.missing' }),
    );
  });

  // EN 319 142-1 §6.3: the entry /M.
  test('a PDF signature without /M is INDETERMINATE', async () => {
    const report = await inPdf((text) =>
      text.replace(/\/M ?\(D:/, (found) => found.replace('M', 'Q')),
    );
    expect(report).toMatchObject({ intact: true, ...open });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'signature.time.missing' }),
    );
  });
});

function sorted(list: readonly Uint8Array[]): readonly Uint8Array[] {
  return list.toSorted((a, b) => Buffer.compare(a, b));
}
