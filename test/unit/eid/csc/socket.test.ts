import { createServer, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { EidEnvironment, EidHttpAnswer } from '../../../../src/app/ports/index.ts';
import {
  type CscBench,
  cscOrder,
  cscPeople,
  cscPerson,
  cscRequest,
  openCscBench,
} from '../../../support/eid/csc/csc-bench.ts';

/** The provider behind a socket. The Host of a request selects one of its servers. */
async function listen({ server }: CscBench) {
  const listener = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part) => parts.push(part));
    incoming.on('end', () => {
      const { method = '', headers } = incoming;
      const url = `https://${headers.host}${incoming.url}`;
      const body = Buffer.concat(parts).toString();
      const answer = server.handle({ method, url, headers, body });
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  return { listener, port: (listener.address() as AddressInfo).port };
}

function overSocket(port: number): EidEnvironment['http'] {
  return ({ method, url, headers, body, timeoutMs }) =>
    new Promise<EidHttpAnswer>((done, fail) => {
      const { host, pathname } = new URL(url);
      const target = { port, method, path: pathname, headers: { ...headers, host } };
      const sent = openRequest({ ...target, host: '127.0.0.1', timeout: timeoutMs }, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part) => parts.push(part));
        incoming.on('end', () => {
          const { statusCode: status = 0, headers: found } = incoming;
          done({ status, headers: found, body: Buffer.concat(parts) });
        });
      });
      sent.on('error', fail);
      sent.end(body);
    });
}

test('signs over a socket', async () => {
  const bench = openCscBench({ key: 'P-256', server: { isPushedOnly: true } });
  const { listener, port } = await listen(bench);
  try {
    const environment = { ...bench.environment, http: overSocket(port) };
    const order = cscOrder(cscPeople('P-256').member);
    const { driver } = bench;
    const { state, challenge } = await driver.start(cscRequest(order), environment);
    const way = bench.server.visit(challenge.redirectUrl ?? '', 'approve');
    const back = (await driver.callback?.(state, way, environment)) ?? state;
    const answer = await driver.poll(back, environment);
    expect(answer).toMatchObject({ status: 'complete', identity: cscPerson });
    expect(bench.server.paths()).toEqual([
      '/csc/v2/info',
      '/oauth2/token',
      '/csc/v2/credentials/list',
      '/csc/v2/credentials/info',
      '/oauth2/pushed_authorize',
      '/oauth2/token',
      '/csc/v2/signatures/signHash',
    ]);
  } finally {
    listener.closeAllConnections();
    await new Promise((done) => listener.close(done));
  }
});
