import { expect, test } from 'vitest';
import { cscPerson } from '../../../support/eid/csc/csc-bench.ts';
import { flippedSignature } from '../../../support/eid/csc/flipped-signature.ts';

test.each([
  ['RSA', {}, 5],
  ['PSS', { driver: { rsaPadding: 'pss' } }, 5],
  ['ECDSA', { key: 'P-256' }, 1],
] as const)('a flipped byte in a signature value of %s is rejected', async (_, options, step) => {
  const flipped = await flippedSignature(options);
  expect(flipped.lengthBytes).toBeGreaterThan(63);
  for (let at = 0; at < flipped.lengthBytes; at += step) {
    const answer = await flipped.poll(at, 1);
    expect(answer, `byte ${at}`).toEqual({ status: 'failed', code: 'invalidResponse' });
  }
});

test('a flipped byte of a CMS never yields a different person', async () => {
  const flipped = await flippedSignature({ driver: { delivery: 'cms' } });
  let refused = 0;
  for (let at = 0; at < flipped.lengthBytes; at += 23) {
    const answer = await flipped.poll(at, 0x10);
    if (answer.status === 'complete') expect(answer.identity).toMatchObject(cscPerson);
    else expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
    refused += answer.status === 'failed' ? 1 : 0;
  }
  // Undetected changes are in issuer certificates, which the signature does not cover.
  expect(refused).toBeGreaterThan(20);
});
