import { expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { verifyCades } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedSigner, craftCms, crlsOf } from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';
import { placedAttributes } from '../support/placed-attributes.ts';

const pki = makeTestPki();
const content = Buffer.from('Pay 100 to the bearer.\n');
const signer = pki.member('signer');
const all = placedAttributes(pki);

function check(by: Partial<CraftedSigner>) {
  const cms = craftCms({ content, signers: [{ signer, ...by }], crls: crlsOf(pki) });
  const [report] = verifyCades(cms, memorySource(content), cadesContext(pki));
  return { ...report, codes: report?.findings.map(({ code }) => code) };
}

test.each(all.filter(({ isRefused }) => !isRefused))('a signature with $name passes', ({ by }) => {
  expect(check(by)).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
});

// RFC 5652 §11.1 to §11.4, RFC 6211 §2
test.each(all.filter(({ isRefused, isOpen }) => isRefused && !isOpen))(
  'a signature with $name is not intact',
  ({ by }) => {
    const report = check(by);
    expect(report).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'FORMAT_FAILURE',
      intact: false,
    });
    expect(report.codes).toContain('signature.attributes.invalid');
  },
);

// RFC 5035 §2, §3: the signature value can still be verified, and anyone can add an unsigned
// attribute. EN 319 102-1 §5.1.3: FORMAT_FAILURE is for signatures that cannot be verified.
test.each(all.filter(({ isOpen }) => isOpen))(
  'a signature with $name is INDETERMINATE',
  ({ by }) => {
    const report = check(by);
    expect(report.indication).toBe('INDETERMINATE');
    const said = ['signature.attributes.invalid', 'signature.certificate.missing'];
    expect(report.codes?.some((code) => said.includes(code))).toBe(true);
  },
);
