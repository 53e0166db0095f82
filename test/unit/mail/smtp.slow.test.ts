import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { outboxMailer, type SmtpOptions, smtpMailer } from '../../../src/adapters/mail/index.ts';
import type { Mailer, MailMessage } from '../../../src/app/ports/index.ts';
import { type InnsigliError, isInnsigliError } from '../../../src/base/errors.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { selfSigned, startSmtpServer, type TestSmtpOptions } from '../../support/smtp-server.ts';

const tls = selfSigned();
const folder = newTemporaryFolder('mail');

const message: MailMessage = {
  messageId: '<ms0123@sign.example>',
  from: '"Þjónusta ehf." <no-reply@sign.example>',
  to: 'anna@example.is',
  replyTo: 'owner@example.is',
  subject: 'Beiðni um undirritun – Þjónusta ehf.',
  text: 'Góðan dag\n',
  html: '<p>Góðan dag</p>',
  attachments: [],
  sentAtMs: Date.UTC(2025, 1, 3, 4, 5, 6),
};

async function open(serverOptions: TestSmtpOptions = {}, options: Partial<SmtpOptions> = {}) {
  const server = await startSmtpServer(serverOptions);
  const mailer = smtpMailer({
    host: 'localhost',
    port: server.port,
    tls: 'none',
    timeoutMs: 3_000,
    ...options,
  });
  onTestFinished(async () => {
    mailer.close();
    await server.close();
  });
  return { server, mailer };
}

async function failure(mailer: Mailer, sent: MailMessage = message): Promise<InnsigliError> {
  const error = await mailer.send(sent).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isInnsigliError(error)) throw new Error(`expected a InnsigliError, found ${String(error)}`);
  return error;
}

/** The header lines of a mail, unfolded. */
function headers(raw: string): string[] {
  return (raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]/g, ' ').split('\r\n');
}

describe('delivery to a real SMTP server', () => {
  test('sends all headers, and the same bytes for the same message', async () => {
    const { server, mailer } = await open();
    const full = {
      ...message,
      unsubscribeUrl: 'https://sign.example/s/sp1/si1/unsubscribe',
      attachments: [
        {
          fileName: 'Húsaleiga.pdf',
          contentType: 'application/pdf',
          content: Buffer.from('%PDF-'),
        },
      ],
    };
    expect(await mailer.send(full)).toEqual({ reference: '<ms0123@sign.example>' });
    await mailer.send(full);
    const [mail, again] = server.mails;
    expect(again?.raw).toBe(mail?.raw);
    expect(mail).toMatchObject({ from: 'no-reply@sign.example', to: ['anna@example.is'] });
    const lines = headers(mail?.raw ?? '');
    expect(lines).toEqual(
      expect.arrayContaining([
        'Message-ID: <ms0123@sign.example>',
        'To: anna@example.is',
        'Reply-To: owner@example.is',
        'Date: Mon, 03 Feb 2025 04:05:06 +0000',
        'Auto-Submitted: auto-generated',
        'List-Unsubscribe: <https://sign.example/s/sp1/si1/unsubscribe>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('X-Mailer'))).toEqual([]);
    expect(mail?.raw).toContain('Content-Type: text/plain; charset=utf-8');
    expect(mail?.raw).toContain('Content-Type: text/html; charset=utf-8');
    expect(mail?.raw).toContain(Buffer.from('%PDF-').toString('base64'));
    expect(server.connections()).toBe(1);
  });

  test('sends a blind copy separately, and a rejected copy is reported without affecting the mail', async () => {
    const { server, mailer } = await open({
      check: (address) => (address === 'gone@example.is' ? 550 : undefined),
    });
    await mailer.send({ ...message, bcc: 'archive@example.is' });
    expect(server.mails.map(({ to }) => to)).toEqual([['anna@example.is'], ['archive@example.is']]);
    expect(server.mails.map(({ raw }) => /^bcc:/im.test(raw))).toEqual([false, false]);
    expect(await mailer.send({ ...message, bcc: 'gone@example.is' })).toEqual({
      reference: message.messageId,
      copyFailure: expect.objectContaining({ code: 'mail.refused' }),
    });
    expect(server.mails).toHaveLength(3);
    expect(
      (await failure(mailer, { ...message, to: 'gone@example.is', bcc: 'x@example.is' })).code,
    ).toBe('mail.refused');
    expect(server.mails).toHaveLength(3);
  });

  test.each([
    ['RCPT TO', 550, 'mail.refused'],
    ['RCPT TO', 553, 'mail.refused'],
    ['RCPT TO', 450, 'mail.failed'],
    ['RCPT TO', 421, 'mail.unavailable'],
    ['DATA', 554, 'mail.refused'],
    ['DATA', 552, 'mail.refused'],
    ['DATA', 451, 'mail.failed'],
  ] as const)('maps %s answered with %i to %s', async (step, status, code) => {
    const { server, mailer } = await open(
      step === 'DATA' ? { judgeData: () => status } : { check: () => status },
    );
    const error = await failure(mailer);
    expect(error.code).toBe(code);
    expect(error.message).toContain(String(status));
    expect(JSON.stringify([error.message, error.details, error.hint])).not.toContain('anna');
    expect(error.cause).toBeUndefined();
    expect(server.mails).toEqual([]);
  });

  test('sends the next mail after a rejection', async () => {
    const { server, mailer } = await open({
      check: (address) => (address === 'bad@example.is' ? 550 : undefined),
    });
    expect((await failure(mailer, { ...message, to: 'bad@example.is' })).code).toBe('mail.refused');
    await mailer.send(message);
    expect(server.mails.map(({ to }) => to)).toEqual([['anna@example.is']]);
  });

  test('fails when the connection drops and succeeds later', async () => {
    let drops = 1;
    const { server, mailer } = await open({
      judgeData: () => (drops-- > 0 ? 'drop' : undefined),
    });
    expect((await failure(mailer)).code).toBe('mail.failed');
    await mailer.send(message);
    expect(server.mails).toHaveLength(1);
  });

  test('reports a silent server, a closed port and an unknown name', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    onTestFinished(() => void silent.close());
    const mute = smtpMailer({ host: '127.0.0.1', port, tls: 'none', timeoutMs: 300 });
    onTestFinished(() => mute.close());
    const late = await failure(mute);
    expect(late.code).toBe('mail.unavailable');
    expect(late.message).toContain('no response in time (ETIMEDOUT)');
    const { server } = await open();
    await server.close();
    const none = smtpMailer({ host: '127.0.0.1', port: server.port, tls: 'none', timeoutMs: 300 });
    onTestFinished(() => none.close());
    const closed = await failure(none);
    expect(closed.code).toBe('mail.unavailable');
    expect(closed.message).toContain('connection refused (ECONNREFUSED)');
    const name = 'mail.invalid';
    const lost = smtpMailer({ host: name, port: 25, tls: 'none', timeoutMs: 300 });
    onTestFinished(() => lost.close());
    expect((await failure(lost)).message).toMatch(/its name cannot be resolved/);
  });
});

test('a server that responds byte by byte does not block the worker forever', async () => {
  const dripping = createServer((socket) => {
    socket.on('error', () => undefined);
    const timer = setInterval(() => socket.write('220-wait\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void dripping.close());
  const { port } = dripping.address() as { port: number };
  const mailer = smtpMailer({ host: '127.0.0.1', port, tls: 'none', timeoutMs: 200 });
  onTestFinished(() => mailer.close());
  const started = performance.now();
  expect((await failure(mailer)).code).toBe('mail.unavailable');
  expect(performance.now() - started).toBeLessThan(3_000);
});

describe('TLS to a mail server', () => {
  test.each(['implicit', 'starttls'] as const)(
    'accepts a trusted certificate: %s',
    async (kind) => {
      const { server, mailer } = await open(
        { ...tls, secure: kind === 'implicit' },
        { tls: kind, ca: tls.cert },
      );
      await mailer.send(message);
      expect(server.mails[0]?.isSecure).toBe(true);
    },
  );

  test.each(['implicit', 'starttls'] as const)(
    'rejects a self-signed certificate: %s',
    async (kind) => {
      const { server, mailer } = await open({ ...tls, secure: kind === 'implicit' }, { tls: kind });
      const error = await failure(mailer);
      expect(error.code).toBe('mail.configuration');
      expect(error.hint).toContain('not trusted');
      expect(error.message).toContain('its certificate is not trusted');
      expect(server.mails).toEqual([]);
    },
  );

  test('rejects a certificate for a different name', async () => {
    const { server, mailer } = await open(
      { ...tls, secure: true },
      { tls: 'implicit', ca: tls.cert, host: '127.0.0.1' },
    );
    const error = await failure(mailer);
    expect(error.code).toBe('mail.configuration');
    expect(error.message).toContain('its certificate is for a different name');
    expect(server.mails).toEqual([]);
  });

  test('is required: without STARTTLS no mail is sent in clear', async () => {
    const { server, mailer } = await open({}, { tls: 'starttls' });
    const error = await failure(mailer);
    expect(error.code).toBe('mail.configuration');
    expect(error.message).toContain('expected STARTTLS, found none');
    expect(server.mails).toEqual([]);
  });
});

describe('login at a mail server', () => {
  const login: TestSmtpOptions = {
    ...tls,
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'innsigli' && password === 's3cret-pass')
        return done(null, { user: username });
      return done(Object.assign(new Error('bad'), { responseCode: 535 }));
    },
  };
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 's3cret-pass\n', { mode: 0o600 });
  const options = { tls: 'starttls', ca: tls.cert, user: 'innsigli', passwordFile } as const;

  test('uses the password of the file', async () => {
    const { server, mailer } = await open(login, options);
    await mailer.send(message);
    expect(server.mails[0]).toMatchObject({ user: 'innsigli', isSecure: true });
  });

  test('fails on a wrong password without revealing it', async () => {
    const wrong = join(folder, 'wrong');
    writeFileSync(wrong, 'another-s3cret');
    const { mailer } = await open(login, { ...options, passwordFile: wrong });
    const error = await failure(mailer);
    expect(error.code).toBe('mail.configuration');
    expect(error.hint).toContain('password');
    expect(error.message).toContain('it does not accept the login');
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('another-s3cret');
  });

  test('is reported if the server requires it and none is configured', async () => {
    const { mailer } = await open(login, { tls: 'starttls', ca: tls.cert });
    const error = await failure(mailer);
    expect(error).toMatchObject({ code: 'mail.configuration', details: { status: 530 } });
  });

  test('names a missing password file', async () => {
    const { mailer } = await open(login, { ...options, passwordFile: join(folder, 'none') });
    expect(await failure(mailer)).toMatchObject({
      code: 'mail.configuration',
      message: expect.stringContaining('mail.passwordFile'),
    });
  });

  test('without TLS is rejected as an invalid setting', () => {
    const far = { host: 'mail.example.org', port: 25, tls: 'none', user: 'u' } as const;
    expect(() => smtpMailer(far)).toThrowError(expect.objectContaining({ code: 'config.invalid' }));
  });
});

describe('header injection', () => {
  test.each([
    { subject: 'a\r\nBcc: victim@example.org' },
    { subject: 'a\nb' },
    { to: 'anna@example.is\r\nRCPT TO:<victim@example.org>' },
    { to: 'anna@example.is, victim@example.org' },
    { to: 'anna@example.is victim@example.org' },
    { to: 'anna@example.is>' },
    { to: 'group:anna@example.is;' },
    { to: '"a b"@example.is' },
    { to: '' },
    { bcc: 'a@example.is,b@example.is' },
    { bcc: 'a@example.is\nb' },
    { replyTo: 'a@example.is\r\nX: y' },
    { replyTo: 'a@example.is, b@example.is' },
    { messageId: '<a@b>\r\nX: y' },
    { messageId: '<a@b> <c@d>' },
    { unsubscribeUrl: 'https://e.org/\r\nX: y' },
    { unsubscribeUrl: 'https://e.org/>, <mailto:x@e.org' },
    { unsubscribeUrl: 'nothing' },
  ])('through %j is rejected', async (change) => {
    const { server, mailer } = await open();
    expect((await failure(mailer, { ...message, ...change })).code).toBe('mail.refused');
    expect(server.connections()).toBe(0);
    const outbox = outboxMailer({ folder: join(folder, 'injected') });
    expect((await failure(outbox, { ...message, ...change })).code).toBe('mail.refused');
  });

  test.each([
    '"x" <a@sign.example>\r\nX: y',
    '"x" <a@sign.example>, <b@sign.example>',
    'Acme, Inc. <a@sign.example>',
    'nobody',
    '',
  ])('through the sender %j is rejected, and the setting is named', async (from) => {
    const { server, mailer } = await open();
    const error = await failure(mailer, { ...message, from });
    const isHeader = /[\r\n]/.test(from);
    expect(error.code).toBe(isHeader ? 'mail.refused' : 'mail.configuration');
    if (!isHeader) expect(error.message).toContain('mail.from');
    expect(server.connections()).toBe(0);
  });

  test.each([
    ['Undirritun <no-reply@sign.example>', 'Undirritun <no-reply@sign.example>'],
    ['"Acme, Inc." <no-reply@sign.example>', '"Acme, Inc." <no-reply@sign.example>'],
    ['"A \\"B\\" <c@d>" <no-reply@sign.example>', '"A \\"B\\" <c@d>" <no-reply@sign.example>'],
    ['Þjónusta ehf. <no-reply@sign.example>', /^=\?UTF-8\?[QB]\?\S+\?= <no-reply@sign\.example>$/i],
    ['no-reply@sign.example', 'no-reply@sign.example'],
  ] as const)(
    'is impossible through the sender %s, which is written according to RFC 5322',
    async (from, header) => {
      const { server, mailer } = await open();
      await mailer.send({ ...message, from });
      const [mail] = server.mails;
      expect(mail?.from).toBe('no-reply@sign.example');
      const line = headers(mail?.raw ?? '').find((each) => each.startsWith('From: ')) ?? '';
      if (typeof header === 'string') expect(line.slice(6)).toBe(header);
      else expect(line.slice(6)).toMatch(header);
    },
  );

  test('through names of files and senders is impossible', async () => {
    const { server, mailer } = await open();
    await mailer.send({
      ...message,
      from: '"Acme, Bcc: x@example.org" <no-reply@sign.example>',
      attachments: [
        { fileName: 'a"\r\nX-Evil: 1.pdf', contentType: 'application/pdf', content: Buffer.of(1) },
      ],
    });
    const raw = server.mails[0]?.raw ?? '';
    expect(raw).not.toMatch(/^X-Evil/im);
    expect(raw).not.toMatch(/^Bcc/im);
    expect(server.mails[0]?.to).toEqual(['anna@example.is']);
  });
});

describe('the mail outbox folder', () => {
  test('contains one complete, owner-only file per message, however often it is sent', async () => {
    const box = join(folder, 'outbox', 'mail');
    const mailer = outboxMailer({ folder: box });
    const sent = { ...message, bcc: 'archive@example.is' };
    expect(await mailer.send(sent)).toEqual({ reference: '<ms0123@sign.example>' });
    const first = readFileSync(join(box, 'ms0123.eml'), 'utf8');
    await Promise.all([mailer.send(sent), mailer.send(sent)]);
    expect(readdirSync(box)).toEqual(['ms0123.eml']);
    expect(readFileSync(join(box, 'ms0123.eml'), 'utf8')).toBe(first);
    expect(headers(first)).toEqual(
      expect.arrayContaining(['To: anna@example.is', 'Bcc: archive@example.is']),
    );
    expect(first).not.toMatch(/[^\r]\n/);
  });

  test('cannot be left by a message ID', async () => {
    const box = join(folder, 'inside');
    await outboxMailer({ folder: box }).send({ ...message, messageId: '<../../x@sign.example>' });
    expect(readdirSync(box)).toEqual(['.._.._x.eml']);
  });

  test('that cannot be created makes sending fail', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const error = await failure(outboxMailer({ folder: join(file, 'box') }));
    expect(error.code).toBe('mail.unavailable');
  });
});
