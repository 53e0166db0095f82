import { expect, test } from 'vitest';
import type { InnsigliError } from '../../../src/base/errors.ts';
import { keyUsageBits } from '../../../src/formats/x509/index.ts';
import { sealPdf } from '../../../src/index.ts';
import { revokedError } from '../../../src/seal/validation-data.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';

// Personal numbers are left out of messages, but an authority must be identifiable by its name.
const pki = makeTestPki();
const authority = pki.issue({
  name: 'Autoridad CIF A62634068',
  issuer: pki.member('root'),
  extensions: {
    basicConstraints: { ca: true },
    keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
  },
});
const person = pki.issue({ name: 'MARIA,38001085718', issuer: authority });

async function refusal(trust: readonly Uint8Array[]): Promise<string> {
  const revocation = { find: () => Promise.resolve({ ocsp: [], crls: [] }) };
  const options = sealOptions(pki, { signer: signerOf(person), level: 'B-LT', revocation, trust });
  const error = await sealPdf(fixture('agreement.pdf'), options).then(
    () => undefined,
    (thrown: InnsigliError) => thrown,
  );
  const { message, hint, details } = error ?? { message: 'sealed', hint: '', details: {} };
  return `${message} ${hint} ${JSON.stringify(details)}`;
}

test('a missing status names the authority in full, and the person without their number', async () => {
  const said = await refusal([pki.member('root').der]);
  expect(said).toContain('a CRL of "Autoridad CIF A62634068"');
  expect(said).toContain('"certificate":"MARIA\\\\,…"');
  expect(said).not.toContain('38001085718');
});

test('a missing path names the issuer in full', async () => {
  const stranger = makeTestPki();
  const said = await refusal([stranger.member('root').der]);
  expect(said).not.toContain('38001085718');
  expect(said).not.toContain('CIF …');
});

test('a revoked authority is named in full, a revoked person is not', () => {
  expect(revokedError(authority.certificate).message).toContain('CIF A62634068');
  expect(revokedError(person.certificate).message).not.toContain('38001085718');
});
