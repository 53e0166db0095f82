import { expect, test } from 'vitest';
import { planValidationData } from '../../../src/seal/plan-validation-data.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { makeTestPki } from '../../support/pki.ts';

const pki = makeTestPki();
const { certificate } = pki.issue({ name: '131052A308T' });
const context = {
  anchors: [],
  pool: createCertificatePool([]),
  nowMs: pki.nowMs,
  revocation: { find: async () => ({ ocsp: [], crls: [] }) },
};

test('a certificate missing data at two times is reported once, with its full name', () => {
  const subjects = [pki.nowMs, pki.nowMs + 1000].map((atMs) => ({ certificate, atMs }));
  const { certificates, problems } = planValidationData(subjects, context);
  expect(problems).toMatchObject([{ code: 'certificate.untrusted' }]);
  expect(certificates).toMatchObject([{ subject: expect.stringContaining('131052A308T') }]);
});
