import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locales } from '../../src/base/words/locale.ts';
import { atTerminal, openEidCli } from './support/eid-cli.ts';
import { faultsOf } from './support/json-output.ts';
import { codeOfLogin } from './support/page-login.ts';

const manual = { INNSIGLI_SIMULATOR_MODE: 'manual' };
const appLogin = ['auth', 'login', '--method', 'app', '--hint', '6000101994'];

/** The final content of a terminal, without what was overwritten. */
function screen(text: string): readonly string[] {
  const lines: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these move the cursor.
  const plain = text.replace(/\u001b\[[\d;]*m/g, '').split(/\u001b\[(\d+)F\u001b\[0J/);
  plain.forEach((part, at) => {
    if (at % 2 === 1) lines.splice(lines.length - Number(part));
    else lines.push(...part.split('\n').slice(0, -1));
  });
  return lines;
}

describe('auth login', { timeout: 60_000 }, () => {
  test.each([
    ['app', '6000101994', 0, 'done'],
    ['sim', '666 6666', 0, 'done'],
    ['device-link', undefined, 0, 'done'],
    ['eid-se', '6000101994', 0, 'done'],
    ['eid-dk', undefined, 0, 'done'],
    ['app', '0103901179', 7, 'userCancel'],
    ['sim', '0100011', 7, 'userCancel'],
    ['app', '0203901669', 6, 'expiredTransaction'],
    ['app', '0203901749', 6, 'startFailed'],
    ['app', '0103901419', 6, 'expiredTransaction'],
    ['app', '0403901019', 7, 'certificateErr'],
    ['app', '0403901529', 8, 'unreachable'],
    ['app', '0403901609', 8, 'invalidResponse'],
    ['app', '0103901849', 8, 'internalError'],
    ['app', '0503901129', 8, 'providerUnavailable'],
    ['app', '0503901209', 7, 'notAUser'],
    ['app', '0503901049', 6, 'alreadyInProgress'],
    ['app', '1212121212', 7, 'notAUser'],
  ] as const)(
    'method %s with hint %s exits with %i, outcome %s',
    async (method, hint, exitCode, outcome) => {
      const cli = await openEidCli();
      const number = hint === undefined ? [] : ['--hint', hint];
      const login = ['auth', 'login', '--method', method, ...number, '--json'];
      const run = await cli.run(login);
      expect(run.exitCode, run.stderr).toBe(exitCode);
      const { state, hint: why = state, customer } = JSON.parse(run.stdout);
      expect(why).toBe(outcome);
      expect(customer?.ssn === undefined).toBe(outcome !== 'done');
    },
  );

  test('exits with 4 and prints no identity when a different person answered', async () => {
    const cli = await openEidCli();
    const run = await cli.run(['auth', 'login', '--method', 'app', '--hint', '0203901589']);
    expect([run.exitCode, run.stdout]).toEqual([4, '']);
    expect(run.stderr).toContain('authentication.error.signee.logon.mismatch');
  });

  test('names the missing option instead of asking when there is no terminal', async () => {
    const cli = await openEidCli();
    const method = await cli.run(['auth', 'login']);
    expect([method.exitCode, method.stderr]).toEqual([2, expect.stringContaining('--method: ')]);
    const hint = await cli.run(['auth', 'login', '--method', 'sim']);
    expect([hint.exitCode, hint.stderr]).toEqual([2, expect.stringContaining('--hint: ')]);
    await cli.run(['flow', 'create', '--name', 'Second', '--type', 'DropAndSign']);
    const flow = await cli.run(appLogin);
    expect([flow.exitCode, flow.stderr]).toEqual([2, expect.stringContaining('--flow: ')]);
    for (const setup of [{ env: { CI: 'true' } }, {}]) {
      const extra = setup.env === undefined ? ['--no-input'] : [];
      const run = await cli.run(['auth', 'login', ...extra], { ...atTerminal, ...setup });
      expect([run.exitCode, cli.questions]).toEqual([2, []]);
    }
  });

  test('asks for method, number and flow at a terminal, and repeats the question after an invalid number', async () => {
    const cli = await openEidCli();
    const { flowKey } = JSON.parse(
      (await cli.run(['flow', 'create', '--name', 'Second', '--type', 'DropAndSign', '--json']))
        .stdout,
    ).flow;
    const answers = ['app', 'twelve', '600010-1994', flowKey];
    const run = await cli.run(['auth', 'login'], { ...atTerminal, answers });
    expect(run.exitCode).toBe(0);
    expect(cli.questions).toEqual([
      'How do you log in? SIM of a phone | app | device link or QR code | Swedish e-ID | Danish e-ID',
      'Your national number',
      'Your national number',
      'For which flow? Documents | Second',
    ]);
    expect(run.stdout).toBe(
      '\u001b[1mÖdön Kőrösi\u001b[22m  6000101994  Prófgata 71, 600 Akureyri\n',
    );
    expect(run.stderr).toContain('expected a national number of ten digits');
  });

  test('uses the only Auth flow among several flows and names it; offers only Auth flows when there are two', async () => {
    const cli = await openEidCli();
    const make = (name: string, type: string) =>
      cli.json('flow', 'create', '--name', name, '--type', type);
    await make('Second', 'DropAndSign');
    const { flow } = await make('Members', 'Auth');
    const run = await cli.run([...appLogin, '--json']);
    expect([run.exitCode, JSON.parse(run.stdout).customer.flowKey]).toEqual([0, flow.flowKey]);
    const shown = await cli.run(['auth', 'start', ...appLogin.slice(2)]);
    expect(shown.stderr).toContain(`flow: Members (${flow.flowKey}), the only one for logins`);
    const { flow: other } = await make('Visitors', 'Auth');
    const refused = await cli.run(appLogin);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/one of 2 flows.*\nhint: .*innsigli flow list/),
    ]);
    const asked = await cli.run([...appLogin], { ...atTerminal, answers: [other.flowKey] });
    expect(asked.exitCode).toBe(0);
    expect(cli.questions).toEqual(['For which flow? Members | Visitors']);
  });

  test.each([
    ['--hint', 'nonsense', ['--method', 'sim']],
    ['--hint', '12345', ['--method', 'app']],
    ['--method', 'card', []],
    ['--flow', 'f00000000000', ['--method', 'app', '--hint', '6000101994']],
  ])('rejects %s %s without printing an invalid number', async (option, value, rest) => {
    const cli = await openEidCli();
    const run = await cli.run(['auth', 'login', ...rest, option, value]);
    expect(run.exitCode).toBe(option === '--flow' ? 5 : 2);
    if (option === '--hint') expect(run.stderr).not.toContain(value);
  });

  test('draws the QR code in place, refreshes it every second and removes it at the end', async () => {
    const cli = await openEidCli();
    const file = join(cli.folder, 'code.svg');
    const svgs = new Set<string>();
    const whileWaiting = () => void svgs.add(readFileSync(file, 'utf8'));
    const login = ['auth', 'login', '--method', 'device-link', '--qr-file', file];
    const run = await cli.run(login, { ...atTerminal, whileWaiting });
    expect(run.exitCode, run.stderr).toBe(0);
    // Drawn at the start, after one second, and after the first poll that sees the response.
    expect(svgs.size).toBeGreaterThanOrEqual(2);
    const frames = run.stderr.split('Scan this code with the app');
    expect(frames.length).toBeGreaterThanOrEqual(4);
    expect(run.stderr).toMatch(/▀▄|▄▀/);
    expect(screen(run.stderr).join('\n')).not.toMatch(/[▀▄█]/);
    expect(screen(run.stderr).at(-1)).toContain('logged in');
  });

  test('shows the link when the window is too small for the QR code', async () => {
    const cli = await openEidCli();
    const size = { columns: 60, rows: 24 };
    const login = ['auth', 'login', '--method', 'device-link'];
    const run = await cli.run(login, { ...atTerminal, size });
    expect(run.stderr).not.toMatch(/[▀▄]/);
    expect(run.stderr).toContain('https://eid-simulator.invalid/device-link?');
    // A line that is redrawn must not wrap.
    const drawn = run.stderr.split(/\n/).filter((line) => line.includes('left'));
    expect(drawn.length).toBeGreaterThan(1);
    for (const line of drawn) expect(line.length).toBeLessThan(60);
  });

  test('shows the code to compare, the steps and the time left', async () => {
    const cli = await openEidCli();
    const run = await cli.run(appLogin, { ...atTerminal, env: manual, stopAfterMs: 6_000 });
    expect(run.stderr).toMatch(/Compare this code with the one on your device: \d{4}/);
    expect(run.stderr).toContain('██');
    expect(run.stderr).toMatch(/Waiting for your confirmation\. {2}3:00 left/);
    expect(run.stderr).toMatch(/Confirm on your device\. {2}2:5\d left/);
    expect(run.stderr).toContain('TEST: simulator');
  });

  test.each(locales)('shows the user texts in the language of the terminal: %s', async (code) => {
    const cli = await openEidCli();
    const words = JSON.parse(readFileSync(`locales/${code}.json`, 'utf8')).eid;
    const env = { LANG: `${code}_XX.UTF-8` };
    const run = await cli.run(appLogin, { ...atTerminal, env });
    expect(run.stderr).toContain(words.compare);
    expect(run.stderr).toContain(words.loggedIn);
  });

  test.each([
    ['a terminal', atTerminal],
    ['none', {}],
  ])('cancels the login at the provider on a signal: at %s', async (_, place) => {
    const cli = await openEidCli();
    const run = await cli.run(appLogin, { ...place, env: manual, stopAfterMs: 4_000 });
    expect([run.exitCode, run.stdout]).toEqual([130, '']);
    expect(run.stderr).toContain('cancelled: Log in: app');
    const folder = join(cli.dataDir, 'simulator');
    const verdict = readdirSync(folder).find((name) => name.endsWith('.verdict')) ?? '';
    expect(readFileSync(join(folder, verdict), 'utf8')).toBe('cancelled');
    // The next login with this number does not have to wait for the cancelled one.
    expect((await cli.run(appLogin)).exitCode).toBe(0);
  });

  test('waits at most two seconds for a provider that does not respond to the cancellation', async () => {
    const cli = await openEidCli();
    const { openToolkit } = await import('../../src/wire/toolkit.ts');
    const run = await cli.run(appLogin, {
      env: manual,
      stopAfterMs: 2_000,
      io: {
        openToolkit: async (config, io) => {
          const kit = openToolkit(config, io);
          const service = async (request?: object) => {
            const opened = await kit.service(request);
            const open = async (company?: string) => {
              const own = await opened.open(company);
              return { ...own, auth: { ...own.auth, cancel: () => new Promise<never>(() => {}) } };
            };
            return { ...opened, open };
          };
          return { ...kit, service };
        },
      },
    });
    expect(run.exitCode).toBe(130);
    expect(cli.clock.aheadMs).toBe(4_000);
  });

  test('--json --watch prints one line per event and nothing else', async () => {
    const cli = await openEidCli();
    const login = ['auth', 'login', '--method', 'device-link', '--json', '--watch'];
    const run = await cli.run(login);
    const events = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const event of events) expect(faultsOf('auth-event', event)).toEqual([]);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['challenge', 'complete']),
    );
    expect(events.filter(({ event }) => event === 'challenge').length).toBeGreaterThan(1);
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    const failed = await cli.run([
      ...['auth', 'login', '--method', 'app', '--hint', '0103901179'],
      ...['--json', '--watch'],
    ]);
    const last = JSON.parse(failed.stdout.trim().split('\n').at(-1) ?? '');
    expect([failed.exitCode, last]).toEqual([
      7,
      { v: 1, event: 'failed', state: 'failed', hint: 'userCancel' },
    ]);
  });

  test('has no simulator in production', async () => {
    const cli = await openEidCli();
    const env = { INNSIGLI_PRODUCTION: 'true' };
    const run = await cli.run(['auth', 'login', '--method', 'app', '--hint', '6000101994'], {
      env,
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--method: expected a provider');
  });
});

describe('auth start, poll and cancel', { timeout: 60_000 }, () => {
  test('start returns a token; poll --wait returns the person who logged in', async () => {
    const cli = await openEidCli();
    const start = ['auth', 'start', '--method', 'sim', '--hint', '6666666'];
    const started = JSON.parse((await cli.run([...start, '--json'])).stdout);
    expect(started).toMatchObject({ state: 'waiting', method: 'sim', simulated: true });
    expect(started.verificationCode).toMatch(/^\d{4}$/);
    const poll = await cli.run(['auth', 'poll', started.token, '--json']);
    expect([poll.exitCode, JSON.parse(poll.stdout).state]).toEqual([9, 'waiting']);
    const early = await cli.run(['auth', 'poll', started.token]);
    expect([early.exitCode, early.stderr]).toEqual([9, expect.stringContaining('too_frequent')]);
    const stdin = JSON.stringify(started);
    const done = await cli.run(['auth', 'poll', '-', '--wait'], { stdin });
    expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining('6000101994')]);
  });

  test('cancel ends the login and can be repeated; poll then reports it as cancelled', async () => {
    const cli = await openEidCli();
    const start = ['auth', 'start', '--method', 'app', '--hint', '6000101994'];
    const token = (await cli.run(start, { env: manual })).stdout.trim();
    expect((await cli.run(['auth', 'cancel', token], { env: manual })).exitCode).toBe(0);
    expect((await cli.run(['auth', 'cancel', token], { env: manual })).exitCode).toBe(0);
    const poll = await cli.run(['auth', 'poll', token, '--json'], { env: manual });
    expect([poll.exitCode, JSON.parse(poll.stdout).hint]).toEqual([7, 'cancelled']);
    const unknown = await cli.run(['auth', 'poll', 'nothing']);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      4,
      expect.stringContaining('authentication.token.invalid'),
    ]);
  });

  test('poll and cancel reject a login of a different company', async () => {
    const cli = await openEidCli();
    const start = ['auth', 'start', '--method', 'app', '--hint', '6000101994'];
    const first = (await cli.json('company', 'list')).companies[0].key;
    const token = (await cli.run([...start, '--company', first])).stdout.trim();
    const made = await cli.json('company', 'create', '--name', 'Other ehf.');
    const other = made.company.key;
    for (const verb of ['poll', 'cancel']) {
      const run = await cli.run(['auth', verb, token, '--company', other]);
      expect(run.exitCode, run.stderr).toBe(4);
    }
  });
});

describe('auth simulate in manual mode', { timeout: 60_000 }, () => {
  test.each([
    [['approve'], 0, 'done'],
    [['reject'], 7, 'userCancel'],
    [['reject', '--reason', 'certificateErr'], 7, 'certificateErr'],
  ])(
    'auth simulate %s from a different terminal decides the login',
    async (verb, exitCode, outcome) => {
      const cli = await openEidCli();
      let isDecided = false;
      const run = await cli.run([...appLogin, '--json'], {
        env: manual,
        async whileWaiting() {
          if (isDecided) return;
          isDecided = true;
          const other = await cli.run(['auth', 'simulate', ...verb], { env: manual });
          expect(other.exitCode, other.stderr).toBe(0);
        },
      });
      const { state, hint = state } = JSON.parse(run.stdout);
      expect([run.exitCode, hint]).toEqual([exitCode, outcome]);
    },
  );

  test('lists sessions, accepts a key prefix and requires a key when there are several', async () => {
    const cli = await openEidCli();
    const simulate = (...args: readonly string[]) =>
      cli.run(['auth', 'simulate', ...args], { env: manual });
    expect((await simulate('approve')).exitCode).toBe(5);
    for (const hint of ['6000101994', '6000101996']) {
      await cli.run(['auth', 'start', '--method', 'app', '--hint', hint], { env: manual });
    }
    const { sessions } = JSON.parse((await simulate('list', '--json')).stdout);
    expect(sessions.map(({ label }: { label: string }) => label)).toEqual([
      'App Ödön Kőrösi',
      'App Jürgen Weiß',
    ]);
    expect((await simulate('approve')).exitCode).toBe(2);
    expect((await simulate('approve', sessions[1].session.slice(0, 8))).exitCode).toBe(0);
    expect((await simulate('reject')).exitCode).toBe(0);
    expect((await simulate('approve', sessions[1].session)).exitCode).toBe(5);
  });

  test.each([
    [{}, 'simulator.mode: expected manual'],
    [{ INNSIGLI_SIMULATOR_MODE: 'manual', INNSIGLI_PRODUCTION: 'true' }, 'production'],
  ])('is rejected outside manual mode and in production: %o', async (env, message) => {
    const cli = await openEidCli();
    const run = await cli.run(['auth', 'simulate', 'list'], { env });
    expect([run.exitCode, run.stderr]).toEqual([10, expect.stringContaining(message)]);
  });

  test('a scenarios file determines the outcome for each number', async () => {
    const cli = await openEidCli();
    const file = cli.write('scenarios.json', '{"600010-1994":"accountUnusable"}');
    const env = { INNSIGLI_SIMULATOR_SCENARIOS: file };
    const run = await cli.run([...appLogin, '--json'], { env });
    expect([run.exitCode, JSON.parse(run.stdout).hint]).toEqual([7, 'accountUnusable']);
    cli.write('scenarios.json', '[]');
    const wrong = await cli.run(appLogin, { env });
    expect([wrong.exitCode, wrong.stderr]).toEqual([10, expect.stringContaining('scenarios')]);
  });
});

test('auth providers lists the simulated methods; auth doctor checks them', {
  timeout: 60_000,
}, async () => {
  const cli = await openEidCli();
  const { methods } = await cli.json('auth', 'providers');
  expect(methods.map(({ method }: { method: string }) => method)).toEqual([
    'sim',
    'app',
    'device-link',
    'eid-se',
    'eid-dk',
  ]);
  expect(methods.every(({ simulated }: { simulated: boolean }) => simulated)).toBe(true);
  const doctor = await cli.json('auth', 'doctor');
  expect(doctor.ok).toBe(true);
  expect(doctor.checks).toHaveLength(4);
  const env = { INNSIGLI_PRODUCTION: 'true' };
  const none = await cli.run(['auth', 'doctor'], { env });
  expect([none.exitCode, none.stdout]).toEqual([
    0,
    expect.stringContaining('no provider is configured'),
  ]);
});

describe('auth result', { timeout: 60_000 }, () => {
  test('returns the person who logged in at the page once; - reads the code from standard input', async () => {
    const cli = await openEidCli();
    const { code, flow } = await codeOfLogin(cli.dataDir);
    const ask = (named: string, ...more: readonly string[]) =>
      cli.run(['auth', 'result', named, ...more], { stdin: `${code}\n` });
    const wrong = await ask(code, '--flow', 'nothing', '--json');
    expect([wrong.exitCode, wrong.stderr]).toEqual([4, expect.stringContaining('scope.invalid')]);
    expect((await ask(code)).exitCode).toBe(2);
    const own = await ask('-', '--flow', flow, '--json');
    expect([own.exitCode, own.stderr]).toEqual([0, '']);
    const { state, customer, simulated } = JSON.parse(own.stdout);
    expect([state, customer.ssn, customer.address]).toEqual(['done', '6000101994', undefined]);
    expect(simulated).toBe(true);
    const again = await ask(code, '--flow', flow);
    expect([again.exitCode, again.stderr]).toEqual([6, expect.stringContaining('result.used')]);
  });

  test('--lookup prints the person as text; an unknown code exits with 4', async () => {
    const cli = await openEidCli();
    const { code, flow } = await codeOfLogin(cli.dataDir);
    const lookup = ['--lookup', 'NameAddress'];
    const { stdout } = await cli.run(['auth', 'result', code, '--flow', flow, ...lookup]);
    expect(stdout).toContain('6000101994');
    const unknown = await cli.run(['auth', 'result', `r${'A'.repeat(86)}`, '--flow', flow]);
    expect(unknown.exitCode).toBe(4);
  });
});

describe('auth evidence', { timeout: 60_000 }, () => {
  test('show prints it after the login; verify of a simulated login confirms only that it is unchanged', async () => {
    const cli = await openEidCli();
    const { token } = await cli.json('auth', 'start', ...appLogin.slice(2));
    const early = await cli.run(['auth', 'evidence', 'show', token]);
    expect([early.exitCode, early.stdout]).toEqual([4, '']);
    expect(early.stderr).toContain('the login is still pending');
    await cli.run(['auth', 'poll', token, '--wait']);
    const shown = await cli.run(['auth', 'evidence', 'show', token]);
    expect([shown.exitCode, shown.stderr]).toEqual([0, '']);
    const kept = JSON.parse(shown.stdout);
    expect(kept.person).toEqual(expect.objectContaining({ ssn: '6000101994' }));
    expect(shown.stdout).not.toContain(token);
    const verify = async (content: object) => {
      const stdin = JSON.stringify(content);
      const run = await cli.run(['auth', 'evidence', 'verify', '-', '--json'], { stdin });
      return { exitCode: run.exitCode, ...JSON.parse(run.stdout || '{}') };
    };
    const checked = await verify(kept);
    expect([checked.exitCode, checked.ok]).toEqual([7, false]);
    expect(checked.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual(
      [
        ['record', true],
        ['simulator', false],
      ],
    );
    const other = { ...kept, person: { ...kept.person, name: 'Annar Maður' } };
    expect((await verify(other)).checks[0]).toMatchObject({ name: 'record', ok: false });
    expect((await verify({ ...kept, provider: 'nobody' })).checks[1]).toMatchObject({
      ...{ name: 'provider', ok: false },
    });
    const { evidence } = kept;
    const head = { v: 1, command: 'auth evidence show' };
    expect((await verify({ ...head, warnings: [], ...kept })).stdout).toBe(
      (await verify(kept)).stdout,
    );
    expect((await verify({ ...head, v: 2, ...kept })).exitCode).toBe(2);
    expect((await verify({ ...head, command: 'auth poll', ...kept })).exitCode).toBe(2);
    for (const none of [
      { nothing: 1 },
      { ...kept, endedAtMs: 1e300 },
      { ...kept, startedAtMs: 0.5 },
      { ...kept, remark: 'nobody has signed this' },
      { ...kept, evidence: { ...evidence, asked: { nonce: 'a', more: 'b' } } },
      JSON.parse(JSON.stringify(kept).replace('{', '{"__proto__":{"version":1},')),
    ]) {
      expect((await verify(none)).exitCode, JSON.stringify(none)).toBe(2);
    }
    for (const stdin of ['['.repeat(100_000), 'null', '', '\ufffd\u0000']) {
      const run = await cli.run(['auth', 'evidence', 'verify', '-'], { stdin });
      expect([run.exitCode, run.stdout]).toEqual([2, '']);
      expect(run.stderr).not.toMatch(/ {4}at /);
    }
    const stdin = JSON.stringify({ nothing: 1 });
    const wrong = await cli.run(['auth', 'evidence', 'verify', '-'], { stdin });
    expect(wrong.stderr).toContain('hint: expected the output of innsigli auth evidence show');
  });
});
