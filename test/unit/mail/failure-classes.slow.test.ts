import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkSmtp, type SmtpOptions, smtpMailer } from '../../../src/adapters/mail/index.ts';
import { smtpError } from '../../../src/adapters/mail/smtp-error.ts';
import type { MailMessage } from '../../../src/app/ports/index.ts';
import { type InnsigliError, isInnsigliError } from '../../../src/base/errors.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { startScriptedSmtp } from '../../support/smtp-script.ts';
import { selfSigned, startSmtpServer, type TestSmtpOptions } from '../../support/smtp-server.ts';

const tls = selfSigned();
const folder = newTemporaryFolder('mail-class');

const message: MailMessage = {
  messageId: '<ms0123@sign.example>',
  from: 'no-reply@sign.example',
  to: 'anna@example.is',
  subject: 'Beiðni',
  text: 'x',
  html: '<p>x</p>',
  attachments: [],
  sentAtMs: 0,
};

async function open(serverOptions: TestSmtpOptions = {}, options: Partial<SmtpOptions> = {}) {
  const server = await startSmtpServer(serverOptions);
  onTestFinished(() => server.close());
  const how = { host: 'localhost', port: server.port, tls: 'none', timeoutMs: 3000, ...options };
  const mailer = smtpMailer(how as SmtpOptions);
  onTestFinished(() => mailer.close());
  return { server, mailer, how: how as SmtpOptions };
}

async function thrown(work: Promise<unknown>): Promise<InnsigliError> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!isInnsigliError(error)) throw new Error(`expected a InnsigliError, found ${String(error)}`);
  return error;
}

test('a DNS timeout is explained in words', () => {
  const failure = Object.assign(new Error('DNS lookup timeout'), { code: 'EDNS' });
  expect(smtpError(failure, 'session', { host: 'mail.example' })).toMatchObject({
    code: 'mail.unavailable',
    message:
      'the mail server cannot be used at the moment: its name cannot be resolved in time (EDNS)',
  });
});

describe('a server without TLS', () => {
  const failures = [
    { code: 'ETLS', command: 'STARTTLS', responseCode: 502, response: '502 5.5.1 unknown' },
    Object.assign(new Error('the server offers none'), { code: 'ETLS' }),
    Object.assign(new Error('SSL routines::wrong version number'), { code: 'ESOCKET' }),
  ];

  test.each(['localhost', '127.0.0.1', '127.9.8.7', '::1'])(
    'on %s gets a hint to tls=none',
    (host) => {
      for (const failure of failures) {
        const { code, hint } = smtpError(failure, 'session', { host });
        expect(code).toBe('mail.configuration');
        expect(hint).toContain('?tls=none');
      }
    },
  );

  test.each(['mail.example', '192.0.2.1', '0.0.0.0', 'localhost.example', '10.0.0.1', '::'])(
    'on %s gets no hint to tls=none',
    (host) => {
      for (const failure of failures) {
        const { code, hint } = smtpError(failure, 'session', { host });
        expect(code).toBe('mail.configuration');
        expect(hint).toContain('smtps://');
        expect(hint).not.toContain('tls=none');
      }
    },
  );

  test('is reported the same way when a mail is sent', async () => {
    const { mailer, how } = await open({}, { tls: 'starttls' });
    const sent = await thrown(mailer.send(message));
    expect(sent).toMatchObject({ code: 'mail.configuration' });
    expect(sent.hint).toContain('?tls=none');
    expect((await thrown(checkSmtp(how))).hint).toContain('?tls=none');
  });
});

describe('the class of a failure tells who can fix it', () => {
  test.each([
    // Recipient or message: final.
    ['recipient', '550 5.1.1 no such user', 'mail.refused'],
    ['recipient', '550 no such user', 'mail.refused'],
    ['recipient', '553 5.1.3 bad address', 'mail.refused'],
    ['recipient', '550 5.1.10 recipient not found', 'mail.refused'],
    ['recipient', '550 5.4.4 no way to that host', 'mail.refused'],
    ['recipient', '550 5.0.0 unknown', 'mail.refused'],
    ['recipient', '552 5.2.2 mailbox full', 'mail.refused'],
    ['data', '554 5.6.0 bad content', 'mail.refused'],
    ['data', '552 5.3.4 too big', 'mail.refused'],
    ['data', '554 larger than the size limit', 'mail.refused'],
    ['data', '550 5.7.1 looks like spam', 'mail.refused'],
    ['sender', '552 5.3.4 too big', 'mail.refused'],
    // Temporary.
    ['recipient', '450 4.2.0 greylisted', 'mail.failed'],
    ['recipient', '452 4.2.2 mailbox full', 'mail.failed'],
    ['recipient', '552 mailbox full', 'mail.failed'],
    ['data', '451 4.3.0 try again', 'mail.failed'],
    // Settings, and rules of the server for this sender.
    ['sender', '550 5.7.1 sender rejected', 'mail.configuration'],
    ['sender', '550 5.7.60 not allowed to send as this sender', 'mail.configuration'],
    ['sender', '553 5.1.8 sender domain unknown', 'mail.configuration'],
    ['sender', '501 5.1.7 bad sender', 'mail.configuration'],
    ['sender', '530 5.7.0 authentication required', 'mail.configuration'],
    ['recipient', '554 5.7.1 relay access denied', 'mail.configuration'],
    ['recipient', '550 relay not permitted', 'mail.configuration'],
    ['recipient', '553 sorry, that domain is not in my list of rcpthosts', 'mail.configuration'],
    ['recipient', '504 5.5.2 <c>: Helo command rejected: no such name', 'mail.configuration'],
    ['recipient', '550 5.7.1 <x>: Helo command rejected: not you', 'mail.configuration'],
    ['recipient', '550 5.1.8 <a@x>: Sender address rejected', 'mail.configuration'],
    ['recipient', '553 5.1.8 <a@x>: Sender address rejected', 'mail.configuration'],
    ['recipient', '550 5.1.0 <a@x> sender rejected', 'mail.configuration'],
    ['recipient', '550 Sender verify failed', 'mail.configuration'],
    ['recipient', '554 <host[192.0.2.1]>: Client host rejected', 'mail.configuration'],
    ['recipient', '554 Client host blocked using a list', 'mail.configuration'],
    ['recipient', '550 Access denied - Invalid HELO name', 'mail.configuration'],
    ['recipient', '503 5.5.1 Error: authentication required', 'mail.configuration'],
    ['recipient', '550 authentication required', 'mail.configuration'],
    ['recipient', '550 5.4.5 Daily sending limit exceeded', 'mail.configuration'],
    ['recipient', '541 no', 'mail.configuration'],
    ['data', '550 5.7.26 unauthenticated sender', 'mail.configuration'],
    ['data', '554 5.2.252 SendAsDenied', 'mail.configuration'],
    ['data', '554 Message rejected: address is not verified', 'mail.configuration'],
    ['data', '550 5.4.5 Daily sending limit exceeded', 'mail.configuration'],
    ['data', '554 5.7.1 Relay access denied', 'mail.configuration'],
    ['data', '550 5.7.0 Authentication required', 'mail.configuration'],
    ['data', '550 5.7.1 does not pass SPF', 'mail.configuration'],
    ['data', '554 5.1.8 bad sender', 'mail.configuration'],
    ['data', '550 5.1.7 bad sender', 'mail.configuration'],
    ['connect', '554 5.7.1 your address is blocked', 'mail.configuration'],
    // The server is unavailable.
    ['recipient', '550 5.3.2 system not accepting', 'mail.unavailable'],
    ['data', '550 5.3.2 system not accepting', 'mail.unavailable'],
    ['recipient', '554 5.3.0 system not accepting', 'mail.unavailable'],
    ['sender', '451 4.3.0 not now', 'mail.unavailable'],
    ['sender', '452 4.3.1 no room', 'mail.unavailable'],
    ['sender', '421 4.3.2 closing', 'mail.unavailable'],
    ['recipient', '421 4.3.2 closing', 'mail.unavailable'],
    ['connect', '421 4.3.2 too many', 'mail.unavailable'],
  ] as const)('%s with %s is %s', async (at, words, code) => {
    const { mailer, server } = await open({ refuse: { [at]: words } });
    const error = await thrown(mailer.send(message));
    expect({ code: error.code, words: error.message }).toEqual({
      code,
      words: expect.stringContaining(words.slice(0, 3)),
    });
    // Neither addresses nor texts of the server are revealed.
    expect(`${error.message} ${error.hint}`).not.toMatch(/anna|sorry|blocked|spam/);
    if (code === 'mail.configuration') expect(error.hint).toBeDefined();
    expect(server.mails).toEqual([]);
  });

  test.each<[string, Record<string, string>, Partial<SmtpOptions>, string, RegExp]>([
    [
      'STARTTLS is unknown',
      { STARTTLS: '502 5.5.1 no' },
      { tls: 'starttls' },
      'configuration',
      /STARTT/,
    ],
    [
      'STARTTLS is refused',
      { STARTTLS: '454 4.7.0 no' },
      { tls: 'starttls' },
      'configuration',
      /STARTT/,
    ],
    [
      'EHLO and HELO are refused',
      { EHLO: '550 no', HELO: '550 no' },
      {},
      'configuration',
      /550 to HELO/,
    ],
    [
      'EHLO is refused where TLS is required',
      { EHLO: '502 no' },
      { tls: 'starttls' },
      'configuration',
      /502/,
    ],
    ['the greeting says the server is busy', { CONN: '450 busy' }, {}, 'unavailable', /450/],
    ['no TLS where it is expected', {}, { tls: 'implicit' }, 'configuration', /TLS/],
  ])('is in its error code: %s', async (_, words, options, code, says) => {
    const { port } = await startScriptedSmtp((step) => words[step]);
    const how = {
      host: '127.0.0.1',
      port,
      tls: 'none',
      timeoutMs: 2000,
      ...options,
    } as SmtpOptions;
    const mailer = smtpMailer(how);
    onTestFinished(() => mailer.close());
    const error = await thrown(mailer.send(message));
    expect({ code: error.code, message: error.message }).toEqual({
      code: `mail.${code}`,
      message: expect.stringMatching(says),
    });
    expect((await thrown(checkSmtp(how))).code).toBe(`mail.${code}`);
  });

  test.each([
    [535, 'mail.configuration'],
    [534, 'mail.configuration'],
    [454, 'mail.unavailable'],
  ])('a login rejected with %i is %s', async (status, code) => {
    const { mailer, how } = await open(
      {
        ...tls,
        onAuth: (_auth, _session, done) =>
          done(Object.assign(new Error('no'), { responseCode: status })),
      },
      { tls: 'starttls', ca: tls.cert, user: 'u', password: 's3cret' },
    );
    expect((await thrown(mailer.send(message))).code).toBe(code);
    expect((await thrown(checkSmtp(how))).code).toBe(code);
  });
});

describe('a server that rejects the login', () => {
  const passwordFile = join(folder, 'password');
  const login = (tries: string[]): TestSmtpOptions => ({
    ...tls,
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      tries.push(String(password));
      if (password === 'right') return done(null, { user: username });
      return done(Object.assign(new Error('bad'), { responseCode: 535 }));
    },
  });
  const options = { tls: 'starttls', ca: tls.cert, user: 'u', passwordFile } as const;

  test('gets one attempt for a thousand mails', async () => {
    const tries: string[] = [];
    writeFileSync(passwordFile, 'wrong');
    const { mailer } = await open(login(tries), options);
    for (let count = 0; count < 1000; count += 1) {
      expect((await thrown(mailer.send(message))).code).toBe('mail.configuration');
    }
    expect(tries).toEqual(['wrong']);
  });

  test('gets the new password from the file without a restart', async () => {
    const tries: string[] = [];
    writeFileSync(passwordFile, 'wrong');
    const { mailer, server } = await open(login(tries), { ...options, restMs: 0 });
    expect((await thrown(mailer.send(message))).code).toBe('mail.configuration');
    writeFileSync(passwordFile, 'right\n');
    await mailer.send(message);
    expect(tries).toEqual(['wrong', 'right']);
    expect(server.mails).toHaveLength(1);
  });

  test('a rejected recipient does not affect other mails', async () => {
    const { mailer, server } = await open({
      refuse: {},
      check: (address) => (address === 'x@example.is' ? 550 : undefined),
    });
    expect((await thrown(mailer.send({ ...message, to: 'x@example.is' }))).code).toBe(
      'mail.refused',
    );
    await mailer.send(message);
    expect(server.mails).toHaveLength(1);
  });
});

describe('checkSmtp', () => {
  test('checks connection, TLS and login, and sends nothing', async () => {
    const seen: string[] = [];
    const { how, server } = await open(
      {
        ...tls,
        onAuth: ({ username }, session, done) => {
          seen.push(`${username} ${session.secure}`);
          done(null, { user: username });
        },
      },
      { tls: 'starttls', ca: tls.cert, user: 'u', password: 'x' },
    );
    await checkSmtp(how);
    expect(seen).toEqual(['u true']);
    expect(server.mails).toEqual([]);
  });

  test('reports an untrusted certificate', async () => {
    const { how } = await open({ ...tls }, { tls: 'starttls' });
    expect(await thrown(checkSmtp(how))).toMatchObject({
      code: 'mail.configuration',
      message: expect.stringContaining('its certificate is not trusted'),
    });
  });

  test('reports a login the server does not offer, even if mail would be accepted without one', async () => {
    const { how } = await open(
      { ...tls, disabledCommands: ['AUTH'] },
      { tls: 'starttls', ca: tls.cert, user: 'u', password: 'x' },
    );
    expect((await thrown(checkSmtp(how))).code).toBe('mail.configuration');
  });

  test('returns in time even if the server responds slowly', async () => {
    const dripping = createServer((socket) => {
      socket.on('error', () => undefined);
      const timer = setInterval(() => socket.write('220-wait\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void dripping.close());
    const { port } = dripping.address() as { port: number };
    const started = performance.now();
    const how = { host: '127.0.0.1', port, tls: 'none', timeoutMs: 200 } as const;
    await expect(checkSmtp(how)).rejects.toMatchObject({ code: expect.stringMatching(/^mail\./) });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
