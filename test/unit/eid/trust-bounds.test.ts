import { expect, test } from 'vitest';
import { eidTrust } from '../../../src/app/eid/eid-trust.ts';
import { EidError } from '../../../src/domain/auth/index.ts';
import { makeTestPki } from '../../support/pki.ts';

const nowMs = Date.UTC(2026, 0, 2);

test('revocation data above the limit fails the check, whatever else it contains', () => {
  const pki = makeTestPki({ nowMs });
  const { certificate, der } = pki.member('signer');
  const good = pki.ocsp(certificate);
  // Each is a different response with an invalid signature.
  const ocsp = Array.from({ length: 600 }, (_, at) => {
    const other = Uint8Array.from(good);
    const view = new DataView(other.buffer);
    const place = Buffer.from(good).lastIndexOf(Buffer.from(pki.member('ocsp').der)) - 40;
    view.setUint16(place, view.getUint16(place) ^ (at + 1));
    return other;
  });
  const check = () => eidTrust().checkStatus({ ocsp, crls: [] }, der, pki.member('ca').der, nowMs);
  expect(check).toThrow(EidError);
  expect(check).toThrow(/more than 512 signatures/);
});

test.each([
  ['plain', 'Jón Jónsson 010130-2989'],
  ['with quotes', 'Jón "Nonni" Jónsson 010130-2989'],
  ['with a quote at the end', 'Jón 010130-2989"'],
  ['with a backslash at the end', 'Jón 010130-2989\\'],
  ['with backslashes and quotes', '\\"Jón\\\\" 010130-2989\\"'],
  ['with guillemets', '«Jón» 010130-2989»'],
  ['with line breaks', 'Jón\n"010130-2989\r\n" '],
])('a failed path names neither the person nor numbers of authorities: %s', (_, commonName) => {
  const pki = makeTestPki({ nowMs });
  const other = makeTestPki({ nowMs }).member('root').der;
  const person = pki.issue({ name: commonName });
  const authority = pki.issue({
    name: `authority of ${commonName}`,
    issuer: pki.member('root'),
    extensions: { basicConstraints: { ca: true }, keyUsage: undefined },
  });
  const below = pki.issue({ name: commonName, issuer: authority });
  const expired = pki.issue({ name: commonName, notAfterMs: nowMs - 1000 });
  const failures = [
    failureOf([person.der], other),
    failureOf([below.der], other),
    failureOf([below.der, authority.der], other),
    failureOf([expired.der, pki.member('ca').der], pki.member('root').der),
  ];
  for (const message of failures) {
    expect(message).toContain('no valid path');
    expect(message).not.toContain('2989');
  }
  expect(failures[0]).not.toContain('Jón');
  expect(failures[3]).not.toContain('Jón');
});

function failureOf(certificates: readonly Uint8Array[], anchor: Uint8Array): string {
  try {
    eidTrust().requirePath(certificates, [anchor], nowMs);
  } catch (error) {
    if (error instanceof EidError) return error.message;
    throw error;
  }
  throw new Error('the path is valid');
}
