import { afterEach, expect, test } from 'vitest';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

let it: TestService;
let smtp: TestSmtpServer;
afterEach(async () => {
  await it?.close();
  await smtp?.close();
});

test('mail rejected by server policy is held for days, counted, and sent when the server accepts it', async () => {
  const refuse: { sender?: string } = { sender: '550 5.7.1 you may not send as that' };
  smtp = await startSmtpServer({ refuse });
  it = await openTestService({
    INNSIGLI_MAIL_SERVER: `smtp://127.0.0.1:${smtp.port}?tls=none`,
    INNSIGLI_MAIL_FROM: '"Undirritun, Acme" <sign@acme.example>',
  });
  const { key } = await it.toolkit.processes.create({
    flowKey: it.flowKey,
    pdf: agreement,
    signees: [
      { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign', delivery: 'Email' },
      { name: 'B', email: 'b@example.test', signatureType: 'ClickToSign', delivery: 'Email' },
    ],
  });
  for (let round = 0; round < 12; round += 1) {
    const { failed } = await it.service.work(['message']);
    expect(failed.map(({ code, isFinal }) => [code, isFinal])).toEqual(
      [0, 1].map(() => ['mail.configuration', false]),
    );
    it.pass(6 * 3_600_000);
  }
  const why = 'the mail server returned 550 5.7.1 to MAIL FROM, it does not accept the sender';
  const waiting = await it.toolkit.messages.list({ processKey: key });
  expect(waiting.map(({ state, lastError }) => [state, lastError])).toEqual(
    [0, 1].map(() => ['waiting', why]),
  );
  expect(await it.service.held()).toMatchObject([{ code: 'mail.configuration', count: 2 }]);
  delete refuse.sender;
  expect((await it.toolkit.messages.retryAll({ states: ['waiting'] })).due).toHaveLength(2);
  expect((await it.service.work(['message'])).failed).toEqual([]);
  expect(await it.service.held()).toEqual([]);
  expect(smtp.mails.map(({ from, to }) => [from, ...to]).sort()).toEqual([
    ['sign@acme.example', 'a@example.test'],
    ['sign@acme.example', 'b@example.test'],
  ]);
  expect(smtp.mails[0]?.raw).toContain('From: "Undirritun, Acme" <sign@acme.example>');
}, 60_000);
