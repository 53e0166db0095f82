import { expect, onTestFinished, test } from 'vitest';
import { bankidDriver } from '../../../../src/adapters/eid/bankid-se/index.ts';
import { eidHttp } from '../../../../src/adapters/eid/transport.ts';
import { bankidLogin, bankidPerson, openBankidBench } from '../../../support/eid/bankid-bench.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { chainPemOf, issueClient, keyPemOf, pemOf, serveTls } from '../../../support/tls.ts';

test('logs in over TLS with the certificate of the relying party', async () => {
  const bench = openBankidBench();
  // TLS certificates are verified by the real clock.
  const pki = makeTestPki({ nowMs: Date.now() });
  const { url, seen } = await serveTls(pki, async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { method = '', url: path = '', headers } = request;
    const answer = bench.server.handle({ method, path, headers, body, client: 'by TLS' });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const member = issueClient(pki);
  const http = eidHttp({
    ca: pemOf(pki.member('root').der),
    clientCertificate: { certificate: chainPemOf(member), key: keyPemOf(member) },
  });
  onTestFinished(() => http.close());
  const anchors = [bench.certificates.root.der];
  const driver = bankidDriver({ anchors, url: `${url}/rp/v6.0` });
  const environment = { ...bench.environment, http };

  const { state } = await driver.start(bankidLogin, environment);
  expect(await driver.poll(state, environment)).toMatchObject({ status: 'pending' });
  await bench.approve();
  bench.advance(2_000);
  expect(await driver.poll(state, environment)).toMatchObject({
    status: 'complete',
    identity: { ssn: bankidPerson.number },
  });
  expect(seen.map(({ path, client }) => [path, client])).toEqual([
    ['/rp/v6.0/auth', 'tls client'],
    ['/rp/v6.0/collect', 'tls client'],
    ['/rp/v6.0/collect', 'tls client'],
  ]);
});
