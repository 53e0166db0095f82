import { expect, test } from 'vitest';
import { certificateInfo, check, exclusive, pki, type SignXmlParts, signXml } from './sign-xml.ts';

const [signer, rsa, ca] = [pki.member('signer'), pki.member('rsa'), pki.member('ca')];
const references = [{ uri: '#sum', transforms: exclusive }];
const host = ['<inv xmlns="urn:x"><sum Id="sum">10</sum>', '</inv>'] as const;

/** Two signatures in one document, the second after or before the first. */
function signed(first: Partial<SignXmlParts>, second: Partial<SignXmlParts>, isBehind: boolean) {
  const one = signXml({ signer, references, host, ...first });
  const at = isBehind ? one.lastIndexOf(host[1]) : host[0].length;
  const around = [one.slice(0, at), one.slice(at)] as const;
  return check(signXml({ signer: rsa, references, host: around, suffix: '2', ...second }));
}

test("a signature without its issuer's certificate has no certificate chain", () => {
  const alone = signXml({ signer, references, host, keyInfo: certificateInfo(signer) });
  expect(check(alone)).toMatchObject([
    { indication: 'INDETERMINATE', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND', intact: true },
  ]);
});

// EN 319 102-1 §5.2.6.4: a chain may use all available certificates, whatever their order.
test.each([
  ['before', false],
  ['behind', true],
] as const)('certificates of a signature %s it complete its path', (_, isBehind) => {
  const keyInfo = certificateInfo(rsa, ca);
  const reports = signed({ keyInfo: certificateInfo(signer) }, { keyInfo }, isBehind);
  expect(reports.map(({ indication }) => indication)).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
  const broken = signed(
    {
      keyInfo: certificateInfo(signer),
      signatureValue: (value) => value.map((octet) => octet ^ 1),
    },
    { keyInfo },
    isBehind,
  );
  expect(broken.map(({ intact }) => intact).sort()).toEqual([false, true]);
});
