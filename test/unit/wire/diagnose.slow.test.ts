import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StoreUnit } from '../../../src/app/ports/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import type { ResolvedConfig } from '../../../src/wire/config/config.ts';
import { developmentAccess } from '../../../src/wire/development.ts';
import { diagnose } from '../../../src/wire/diagnose/diagnose.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { documentedAnswers, serveRegister } from '../../support/register-server.ts';
import { selfSigned, startSmtpServer, type TestSmtpOptions } from '../../support/smtp-server.ts';

const pki = makeTestPki();
const silent = pki.issue({ name: 'silent', extensions: { ocspUrls: [], crlUrls: [] } });
const soon = pki.issue({ name: 'soon', notAfterMs: pki.nowMs + 5 * 86_400_000 });
const folder = newTemporaryFolder('diagnose');

function write(name: string, content: string | Buffer, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function pem(...certificates: readonly Uint8Array[]): string {
  const bodies = certificates.map((der) => Buffer.from(der).toString('base64'));
  const block = (body: string) =>
    `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  return bodies.map(block).join('');
}

/** A key configuration with the certificate and issuers of `member`. */
function own(member: TestMember, key = member, mode = 0o600): ResolvedConfig['key'] {
  const text = key.privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    kind: 'pem',
    keyFile: write(`${key.name}.key`, text, mode),
    certificateFile: write(`${member.name}.pem`, pem(member.der)),
    chainFiles: [write('chain.pem', pem(...member.chain))],
  };
}

async function examine(changes: Partial<ResolvedConfig>) {
  const config: ResolvedConfig = {
    dataDir: join(folder, 'data'),
    offline: true,
    production: false,
    allowPrivateAddresses: false,
    key: { kind: 'development', seal: 'ec' },
    tsa: [],
    tsaTimeoutMs: 1000,
    trust: [],
    trustProfiles: [],
    validationData: [],
    revocation: 'require',
    level: 'B-LTA',
    digest: 'sha256',
    service: {
      frontEnd: 'http://127.0.0.1:8080',
      mail: { from: 'seal@example.test' },
      sms: {},
      register: {},
      webhookNetworks: [],
      simulatedPersons: 'reserved',
      pages: { verify: true },
      simulator: { mode: 'auto' },
      screening: { maxAgeDays: 7, sources: [], perMinute: 60 },
    },
    ...changes,
  };
  const io = {
    now: () => pki.nowMs,
    random: (count: number) => new Uint8Array(count).fill(5),
    warn: () => undefined,
  };
  const checks = await diagnose(config, io, developmentAccess(config, io));
  return Object.fromEntries(checks.map(({ name, ...outcome }) => [name, outcome]));
}

const trust = [write('root.pem', pem(pki.member('root').der))];
const signer = pki.member('signer');

test('the development trust passes at B-LTA; at B-B authority and revocation data are not needed', async () => {
  const all = await examine({});
  expect(Object.values(all).map(({ status }) => status)).not.toContain('failed');
  expect(all['revocation data']?.message).toMatch(/^\d OCSP responses? and \d CRLs?: nothing/);
  expect(all['certificate chain']?.status).toBe('ok');
  const some = await examine({ level: 'B-B' });
  expect(done(some)).toEqual([
    ...['runtime', 'data directory', 'seal key', 'trust anchors', 'certificate chain', 'proof'],
  ]);
  expect(skippedIn(some)).toMatchObject({
    'private files': 'no file with a key or a password is named',
    'time-stamp authority': 'level B-B needs none',
    'revocation data': 'level B-B needs none',
    database: 'no signing service in this data directory',
    mail: 'no signing service in this data directory',
  });
  expect(Object.keys(some)).toEqual(names);
});

/** Every check in order; each is listed, even if skipped. */
const names = [
  ...['runtime', 'data directory', 'seal key', 'private files', 'trust anchors'],
  ...['certificate chain', 'time-stamp authority', 'revocation data', 'proof', 'database'],
  ...['vault key', 'contents', 'seal trust', 'screening lists', 'mail', 'text messages'],
  ...['messages', 'signing pages'],
  ...['electronic identity', 'register of persons'],
];

type Found = Awaited<ReturnType<typeof examine>>;
const done = (found: Found) =>
  Object.keys(found).filter((name) => found[name]?.status !== 'skipped');
/** Why skipped checks were skipped. */
const skippedIn = (found: Found) =>
  Object.fromEntries(
    Object.entries(found).flatMap(([name, { status, message }]) =>
      status === 'skipped' ? [[name, message]] : [],
    ),
  );

type Row = readonly [
  about: string,
  changes: () => Partial<ResolvedConfig>,
  check: string,
  status: string,
  says: string,
];
const rows: readonly Row[] = [
  ['a trusted root', () => ({ key: own(signer), trust }), 'certificate chain', 'ok', 'root'],
  [
    'a root found only in the chain',
    () => ({ key: own(signer) }),
    'certificate chain',
    'warning',
    'no trust anchor for verify',
  ],
  [
    'no trusted root',
    () => ({ key: { ...own(signer), chainFiles: [] } as ResolvedConfig['key'] }),
    'certificate chain',
    'failed',
    'neither known nor a trust anchor',
  ],
  [
    'no trusted root at B-T',
    () => ({ key: { ...own(signer), chainFiles: [] } as ResolvedConfig['key'], level: 'B-T' }),
    'certificate chain',
    'warning',
    'neither known nor a trust anchor',
  ],
  [
    'no source of revocation data',
    () => ({ key: own(silent), trust }),
    'revocation data',
    'failed',
    '[revocation.missing]',
  ],
  [
    'a source that must not be contacted',
    () => ({ key: own(signer), trust }),
    'revocation data',
    'failed',
    '[network.offline]',
  ],
  [
    'the key of a different certificate',
    () => ({ key: own(silent, signer) }),
    'seal key',
    'failed',
    '[key.mismatch]',
  ],
  [
    'an expired certificate',
    () => ({ key: own(pki.member('expired')) }),
    'seal key',
    'failed',
    '[key.expired]',
  ],
  [
    'a certificate that is not yet valid',
    () => ({ key: own(pki.member('notYetValid')) }),
    'seal key',
    'failed',
    '[key.notyetvalid]',
  ],
  [
    'a certificate about to expire',
    () => ({ key: own(soon), trust }),
    'seal key',
    'warning',
    '2026-06-06: soon',
  ],
  [
    'an RSA-2048 key',
    () => ({ key: own(pki.member('rsa')), trust }),
    'proof',
    'warning',
    'an RSA key of 2048 bits proves nothing from 2027-01-01 (ETSI TS 119 312)',
  ],
  ['a P-256 key', () => ({ key: own(signer), trust }), 'proof', 'ok', 'until 2027-06-01'],
  [
    'key file mode 0600',
    () => ({ key: own(signer) }),
    'private files',
    'ok',
    '1 file, accessible only to the owner',
  ],
  [
    'key file mode 0640',
    () => ({ key: own(signer, signer, 0o640) }),
    'private files',
    'warning',
    'expected mode 0600, found',
  ],
  [
    'a data directory that is a file',
    () => ({ dataDir: write('file', '') }),
    'data directory',
    'failed',
    'cannot be written',
  ],
  [
    'an authority that must not be contacted',
    () => ({ tsa: [{ url: 'http://127.0.0.1:1/' }] }),
    'time-stamp authority',
    'failed',
    '[network.offline]',
  ],
  [
    'missing anchors',
    () => ({ trust: [join(folder, 'none.pem')] }),
    'trust anchors',
    'failed',
    '[config.invalid]',
  ],
];

test.each(rows)('doctor reports the configuration: %s', async (_, changes, check, status, says) => {
  const outcome = (await examine(changes()))[check];
  expect(outcome).toMatchObject({ status, message: expect.stringContaining(says) });
  if (status !== 'ok') expect(outcome?.hint).toMatch(/\w{3}/);
});

test('checks that depend on an earlier failure are skipped with the reason', async () => {
  mkdirSync(join(folder, 'empty'), { recursive: true });
  const without = await examine({ key: own(silent, signer), trust: [join(folder, 'empty')] });
  expect(Object.keys(without)).toEqual(names);
  expect(done(without)).toEqual([
    ...['runtime', 'data directory', 'seal key', 'private files', 'trust anchors'],
  ]);
  expect(skippedIn(without)).toMatchObject({
    'certificate chain': 'the seal key cannot be used',
    'time-stamp authority': 'the trust anchors cannot be read',
    'revocation data': 'the seal key cannot be used',
  });
  const noPath = await examine({
    key: { ...own(signer), chainFiles: [] } as ResolvedConfig['key'],
  });
  expect(skippedIn(noPath)['revocation data']).toBe(
    'the certificate has no path to a trust anchor',
  );
});

describe('doctor on a service that lost a part', () => {
  const storage = [
    ...['database', 'vault key', 'contents', 'seal trust'],
    ...['screening lists', 'messages'],
  ];
  const look = async (dataDir: string, changes: Partial<ResolvedConfig> = {}) => {
    const found = await examine({ dataDir, level: 'B-B', service, ...changes });
    expect(Object.keys(found)).toEqual(names);
    return { found, reasons: storage.map((name) => skippedIn(found)[name]) };
  };

  test('checks everything if nothing is missing', async () => {
    const { found, reasons } = await look(await serviceFolder());
    expect(reasons).toEqual(storage.map(() => undefined));
    expect(found['messages']).toEqual({ status: 'ok', message: 'none pending' });
  });

  test('reports a missing database and skips what depends on it', async () => {
    const dataDir = await serviceFolder();
    // As a running service creates it.
    mkdirSync(join(dataDir, 'objects'));
    rmSync(join(dataDir, 'innsigli.db'));
    const { found, reasons } = await look(dataDir);
    expect(found['database']).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('found only its companion'),
    });
    const barred = 'the database cannot be opened';
    expect(reasons).toEqual([undefined, barred, barred, barred, barred, barred]);
    expect(found['mail']?.status).toBe('ok');
  });

  test('reports an unreadable database and skips what depends on it', async () => {
    const dataDir = await serviceFolder();
    writeFileSync(join(dataDir, 'innsigli.db'), 'no database at all'.repeat(500));
    const { found, reasons } = await look(dataDir);
    expect(found['database']).toMatchObject({ status: 'failed' });
    expect(reasons.slice(1)).toEqual(Array(5).fill('the database cannot be opened'));
  });

  test('reports a missing vault key and skips what depends on it', async () => {
    const dataDir = await serviceFolder();
    rmSync(join(dataDir, 'vault.key'));
    const { found, reasons } = await look(dataDir);
    expect(found['vault key']).toMatchObject({ status: 'failed' });
    const barred = 'the key of the vault is missing';
    expect(reasons).toEqual([barred, undefined, barred, barred, barred, barred]);
  });

  test('skips seal trust if the seal key is unusable', async () => {
    const { found } = await look(await serviceFolder(), { key: own(silent, signer) });
    expect(found['seal trust']).toEqual({
      status: 'skipped',
      message: 'the seal key cannot be used',
    });
  });

  test('does not contact a PostgreSQL database when offline', async () => {
    const database = 'postgres://nobody@127.0.0.1:1/none';
    const { found, reasons } = await look(join(folder, 'remote'), {
      service: { ...service, database },
    });
    expect(found['database']?.status).toBe('ok');
    expect(reasons.slice(1)).toEqual(Array(5).fill('the database is not checked: offline'));
  });
});

const service: ResolvedConfig['service'] = {
  frontEnd: 'https://sign.example.test',
  mail: { from: 'seal@example.test' },
  sms: {},
  register: {},
  webhookNetworks: [],
  simulatedPersons: 'reserved',
  pages: { verify: true },
  simulator: { mode: 'auto' },
  screening: { maxAgeDays: 7, sources: [], perMinute: 60 },
};
const mail = { from: 'seal@example.test', server: 'smtps://mail.example.test' };
const sender = (from: string) => ({ service: { ...service, mail: { ...mail, from } } });
const closed: ResolvedConfig['service'] = {
  ...service,
  mail: { from: 'seal@example.test', server: 'none' },
  sms: { gateway: 'none' },
};
const serviceChecks: readonly Row[] = [
  ['a database', () => ({ service }), 'database', 'ok', 'sqlite'],
  ['no mail server', () => ({ service }), 'mail', 'ok', 'outbox'],
  [
    'no mail server in production',
    () => ({ service, production: true, key: own(signer), trust }),
    'mail',
    'failed',
    'they are not delivered',
  ],
  [
    'no gateway in production',
    () => ({ service, production: true, key: own(signer), trust }),
    'text messages',
    'failed',
    'expected sms.gateway, found files in',
  ],
  [
    'mail turned off explicitly',
    () => ({ service: closed, production: true }),
    'mail',
    'ok',
    'none',
  ],
  [
    'text messages turned off explicitly',
    () => ({ service: closed }),
    'text messages',
    'ok',
    'none',
  ],
  [
    'signing pages on localhost in production',
    () => ({ service: { ...closed, frontEnd: 'https://localhost' }, production: true }),
    'signing pages',
    'failed',
    'on the recipient',
  ],
  [
    'a mail server when offline',
    () => ({ service: { ...service, mail } }),
    'mail',
    'ok',
    'smtps://mail.example.test, from seal@example.test; not tried: offline',
  ],
  ['a sender with a name', () => sender('Undirritun <sign@x.is>'), 'mail', 'ok', 'Undirritun <'],
  ['an invalid sender', () => sender('Acme, Inc. <sign@x.is>'), 'mail', 'failed', 'mail.from: exp'],
  [
    'an invalid mail server',
    () => ({ service: { ...service, mail: { ...mail, server: 'http://x' } } }),
    'mail',
    'failed',
    '[config.invalid]',
  ],
  [
    'a mail server without TLS',
    () => ({ service: { ...service, mail: { ...mail, server: 'smtp://x.test?tls=none' } } }),
    'mail',
    'failed',
    '[config.invalid]',
  ],
  [
    'a sender at localhost',
    () => ({ service: { ...service, mail: { ...mail, from: 'innsigli@localhost' } } }),
    'mail',
    'warning',
    'servers reject that',
  ],
  [
    'a gateway with a missing token file',
    () => ({ service: { ...service, sms: { gateway: 'https://sms.test', tokenFile: '/no' } } }),
    'text messages',
    'failed',
    '/no cannot be read',
  ],
  [
    'signing pages at the default address',
    () => ({ service: { ...service, mail, frontEnd: 'http://127.0.0.1:8080' } }),
    'signing pages',
    'warning',
    'on the recipient',
  ],
  ['signing pages at a public address', () => ({ service }), 'signing pages', 'ok', 'https://sign'],
  [
    'no e-ID in production',
    () => ({ service, production: true, key: own(signer), trust }),
    'electronic identity',
    'warning',
    'Qualified',
  ],
];

test.each(serviceChecks)(
  'doctor reports the service settings and data: %s',
  async (_about, changes, check, status, says) => {
    const dataDir = await serviceFolder();
    const found = (await examine({ dataDir, level: 'B-B', ...changes() }))[check];
    expect(found).toMatchObject({ status });
    expect(found?.message).toContain(says);
  },
);

/** A data directory with the database of a service; `fill` may write into it. */
async function serviceFolder(fill?: (unit: StoreUnit) => Promise<void>): Promise<string> {
  const { openStorage } = await import('../../../src/wire/service/open-storage.ts');
  const dataDir = mkdtempSync(join(folder, 'service-'));
  const config = { dataDir, service } as ResolvedConfig;
  const io = { now: () => pki.nowMs, random: () => new Uint8Array(1), warn: () => undefined };
  const { store } = (await openStorage({ config, io })).ports;
  if (fill !== undefined) await store.write(fill);
  await store.close();
  return dataDir;
}

describe('doctor on identities', () => {
  const look = async (changes: Partial<ResolvedConfig>) => {
    const dataDir = await serviceFolder();
    return examine({ dataDir, level: 'B-B', offline: false, ...changes });
  };

  test('names the provider of each method', async () => {
    const eid = write(
      'eid.json',
      JSON.stringify({
        providers: { bankid: { driver: 'bankid-se' } },
        methods: { 'eid-se': 'bankid', Sim: 'none' },
      }),
    );
    const found = await look({ service: { ...service, eid } });
    expect(found['electronic identity']).toEqual({
      status: 'ok',
      message: 'eid-se by bankid, Sim by none; not checked: run innsigli auth doctor',
    });
  });

  test('asks the register for a number that belongs to no one', async () => {
    const server = await serveRegister(documentedAnswers({}));
    const found = await look({ service: { ...service, register: { url: server.url } } });
    const message = `${new URL(server.url).host} answers`;
    expect(found['register of persons']).toEqual({ status: 'ok', message });
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { ssn: '0103901099', lookup: 'address' },
    ]);
  });

  test.each([
    ['that is away', 503, 'warning'],
    ['that refuses the token', 401, 'failed'],
  ] as const)('reports a register %s', async (_, statusCode, status) => {
    const server = await serveRegister((_request, response) => {
      response.statusCode = statusCode;
      response.end();
    });
    const found = await look({ service: { ...service, register: { url: server.url } } });
    expect(found['register of persons']).toMatchObject({ status });
    expect(found['register of persons']?.message).not.toContain('0103901099');
  });
});

describe('doctor on the mail server', () => {
  const tls = selfSigned();
  const passwordFile = write('mail-password', 's3cret');
  const login = { ...mail, user: 'innsigli', passwordFile };
  const tried = async (serverOptions: TestSmtpOptions, own: Partial<typeof login>, query = '') => {
    const server = await startSmtpServer(serverOptions);
    onTestFinished(() => server.close());
    const address = `smtp://127.0.0.1:${server.port}${query}`;
    const changes = { service: { ...service, mail: { ...mail, ...own, server: address } } };
    const dataDir = await serviceFolder();
    const found = await examine({ dataDir, level: 'B-B', offline: false, ...changes });
    expect(server.mails).toEqual([]);
    return { found: found['mail'], address };
  };

  test('reports that it responds', async () => {
    const { found, address } = await tried({}, {}, '?tls=none');
    const message = `${address} answers without a login, from seal@example.test`;
    expect(found).toEqual({ status: 'ok', message });
  });

  test('fails without STARTTLS', async () => {
    const { found } = await tried({}, {});
    expect(found).toMatchObject({ status: 'failed', hint: expect.stringContaining('smtps://') });
    expect(found?.hint).toContain('?tls=none at the end of mail.server');
    expect(found?.message).toContain('expected STARTTLS, found none [mail.configuration]');
    expect(found).not.toHaveProperty('passing');
  });

  test('fails for an untrusted certificate', async () => {
    const { found } = await tried({ ...tls }, {});
    expect(found).toMatchObject({ status: 'failed' });
    expect(found?.message).toContain('its certificate is not trusted');
  });

  test('fails for a rejected login and does not print the password', async () => {
    const { found } = await tried(
      {
        authMethods: ['PLAIN'],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) =>
          done(Object.assign(new Error('no'), { responseCode: 535 })),
      },
      login,
      '?tls=none',
    );
    expect(found).toMatchObject({ status: 'failed', hint: expect.stringContaining('mail.user') });
    expect(found?.message).toContain('returned 535 to AUTH');
    expect(found?.message).toContain('it does not accept the login [mail.configuration]');
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  test('marks an unreachable server as a failure that may pass', async () => {
    const server = await startSmtpServer();
    await server.close();
    const own = { ...mail, server: `smtp://127.0.0.1:${server.port}?tls=none` };
    const dataDir = await serviceFolder();
    const changes = { dataDir, level: 'B-B', offline: false } as const;
    const found = (await examine({ ...changes, service: { ...service, mail: own } }))['mail'];
    expect(found).toMatchObject({ status: 'failed', passing: true });
    expect(found?.message).toContain('connection refused (ECONNREFUSED)');
  });
});

test('doctor reports messages that are pending because of a setting', async () => {
  const dataDir = await serviceFolder((unit) =>
    unit.messages.add({
      id: 'ms1',
      companyKey: asKey('company', 'c1'),
      template: 'Signup',
      channel: 'Email',
      to: 'a@example.is',
      includeUnsubscribe: false,
      values: {},
      state: 'waiting',
      attempts: 3,
      heldBy: 'mail.configuration',
      createdAtMs: Date.UTC(2026, 4, 3),
    }),
  );
  const found = (await examine({ dataDir, level: 'B-B' }))['messages'];
  expect(found).toMatchObject({ status: 'warning', hint: expect.stringContaining('message list') });
  expect(found?.message).toBe('messages pending: 1 mail.configuration since 2026-05-03');
});
