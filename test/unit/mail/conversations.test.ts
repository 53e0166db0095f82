import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SmtpOptions, smtpMailer } from '../../../src/adapters/mail/index.ts';
import type { Mailer, MailMessage } from '../../../src/app/ports/index.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { drip, type SmtpReply, silence, startScriptedSmtp } from '../../support/smtp-script.ts';

const mail = (id: string, to = 'anna@example.is'): MailMessage => ({
  messageId: `<${id}@sign.example>`,
  from: 'no-reply@sign.example',
  to,
  subject: 'x',
  text: 'x',
  html: '<p>x</p>',
  attachments: [],
  sentAtMs: 0,
});

const timeoutMs = 100;

async function open(
  reply: SmtpReply,
  changes: Partial<SmtpOptions> = {},
  finished: typeof onTestFinished = onTestFinished,
) {
  const server = await startScriptedSmtp(reply, finished);
  const mailer = smtpMailer({
    host: '127.0.0.1',
    port: server.port,
    tls: 'none',
    timeoutMs,
    textTimeoutMs: 300,
    restMs: 0,
    ...changes,
  });
  finished(() => mailer.close());
  return { server, mailer };
}

async function codeOfSending(mailer: Mailer, message: MailMessage): Promise<string> {
  try {
    await mailer.send(message);
    return 'sent';
  } catch (error) {
    if (isInnsigliError(error)) return error.code;
    throw error;
  }
}

// They spend most of their time waiting.
describe.concurrent('an SMTP session that fails is unavailable before the text is sent and failed after it', () => {
  const breaks: Readonly<Record<string, SmtpReply>> = {
    'is closed': (_step, _line, socket) => {
      socket.end();
      return silence();
    },
    'is reset': (_step, _line, socket) => {
      socket.resetAndDestroy();
      return silence();
    },
    'falls silent': () => silence(),
    drips: (_step, _line, socket) => drip(socket),
    'says what is no answer': () => 'what?',
  };
  const steps = ['CONN', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'TEXT'];
  test.for(steps.flatMap((step) => Object.keys(breaks).map((how) => [step, how] as const)))(
    'at %s when it %s',
    async ([at, how], { expect, onTestFinished }) => {
      const fault = breaks[how] as SmtpReply;
      const { mailer, server } = await open(
        (step, ...rest) =>
          step === at || (step === 'HELO' && at === 'EHLO') ? fault(step, ...rest) : undefined,
        {},
        onTestFinished,
      );
      const expected = at === 'TEXT' ? 'mail.failed' : 'mail.unavailable';
      expect(await codeOfSending(mailer, mail('a'))).toBe(expected);
      expect(server.read).toHaveLength(at === 'TEXT' ? 1 : 0);
      // Nothing continues after the failure was reported.
      await expect.poll(server.open).toBe(0);
    },
  );
});

test('a server that responds slowly after the final dot receives the mail once', async () => {
  const { mailer, server } = await open(
    async (step) => {
      if (step === 'TEXT') await sleep(6 * timeoutMs);
      return undefined as never;
    },
    { textTimeoutMs: 2000 },
  );
  await mailer.send(mail('a'));
  expect(server.taken).toEqual(['<a@sign.example>']);
});

test('a slow response for one recipient delays no other mail, and its mail is not sent later', async () => {
  const { mailer, server } = await open(
    (step, line, socket) => (step === 'RCPT' && line.includes('bad') ? drip(socket) : undefined),
    { connections: 2 },
  );
  const bad = ['1', '2', '3'].map((id) => codeOfSending(mailer, mail(id, `bad${id}@example.is`)));
  expect(await Promise.all(bad)).toEqual(new Array(3).fill('mail.unavailable'));
  await mailer.send(mail('good'));
  expect(server.taken).toEqual(['<good@sign.example>']);
  await expect.poll(server.open).toBeLessThanOrEqual(1);
});

test('waiting for a connection does not count against the timeout', async () => {
  const { mailer, server } = await open(
    async (step) => {
      if (step === 'TEXT') await sleep(3 * timeoutMs);
      return undefined as never;
    },
    { connections: 1, textTimeoutMs: 2000 },
  );
  await Promise.all(['1', '2', '3'].map((id) => mailer.send(mail(id))));
  expect(server.taken).toHaveLength(3);
  expect(server.connections()).toBe(1);
});

test('a connection closed by the server after a mail does not fail the next mail', async () => {
  const { mailer, server } = await open((step, _line, socket) => {
    if (step !== 'MAIL' || server.taken.length !== 1 || server.connections() > 1) return undefined;
    socket.destroy();
    return silence();
  });
  await mailer.send(mail('1'));
  await mailer.send(mail('2'));
  expect([server.taken.length, server.connections()]).toEqual([2, 2]);
});

test('a rejected mail leaves its connection usable for the next', async () => {
  const { mailer, server } = await open((step, line) =>
    step === 'RCPT' && line.includes('bad') ? '550 5.1.1 no such user' : undefined,
  );
  expect(await codeOfSending(mailer, mail('1', 'bad@example.is'))).toBe('mail.refused');
  await mailer.send(mail('2'));
  expect([server.taken.length, server.connections()]).toEqual([1, 1]);
});

test('closing the mailer ends a session with a silent server', async () => {
  const { mailer, server } = await open((step) => (step === 'TEXT' ? silence() : undefined), {
    textTimeoutMs: 60_000,
  });
  const sending = codeOfSending(mailer, mail('1'));
  await expect.poll(() => server.read.length).toBe(1);
  mailer.close();
  expect(await sending).toBe('mail.failed');
});
