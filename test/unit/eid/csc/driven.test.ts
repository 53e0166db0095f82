import { verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { openVault } from '../../../../src/adapters/vault/index.ts';
import { drivenIdentity } from '../../../../src/app/eid/index.ts';
import {
  cscOrder,
  cscPeople,
  cscPerson,
  cscRequest,
  openCscBench,
} from '../../../support/eid/csc/csc-bench.ts';

test('a session can be resumed from its reference alone, up to the signature', async () => {
  const { member } = cscPeople('P-256');
  const bench = openCscBench({
    key: 'P-256',
    server: { isAsynchronous: true },
    driver: { operationMode: 'A' },
  });
  const provider = drivenIdentity(bench.driver, {
    environment: bench.environment,
    vault: openVault(Buffer.alloc(32, 7)),
    channel: 'Redirect',
    startError: 'eid.provider.error',
  });
  const { language: _, channel: __, ...asked } = cscRequest(cscOrder(member));
  const request = { ...asked, channel: 'App' } as const;
  const found = await provider.findCertificates?.(request);
  expect(found?.certificates).toHaveLength(3);
  const order = { ...cscOrder(member), ...found };
  const { ref, redirectUrl = '' } = await provider.start({ ...request, order });
  expect(await provider.poll(ref)).toMatchObject({ state: 'waiting', hint: 'userSign' });
  const way = bench.server.visit(redirectUrl, 'approve');
  const back = (await provider.callback?.(ref, way)) ?? '';
  const asking = await provider.poll(back);
  if (asking.state !== 'waiting') throw new Error(`expected to wait, found ${asking.state}`);
  bench.server.approve();
  const done = await provider.poll(asking.ref ?? back);
  expect(done).toMatchObject({ state: 'done', identity: cscPerson });
  const result = done.state === 'done' ? (done.ref ?? '') : '';
  const signature = await provider.signature(result);
  if (signature.delivery !== 'raw') throw new Error(`expected raw, found ${signature.delivery}`);
  const key = {
    key: Buffer.from(member.certificate.spkiDer),
    format: 'der',
    type: 'spki',
  } as const;
  expect(verify('sha256', order.signedBytes as Uint8Array, key, signature.value)).toBe(true);
  expect(await provider.evidence(result)).toMatchObject({ scheme: 'csc', format: 'raw-signature' });
});
