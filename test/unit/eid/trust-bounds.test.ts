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
