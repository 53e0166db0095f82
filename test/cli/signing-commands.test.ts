import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../src/base/errors.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { prepared } from '../support/prepared.ts';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';

const agreement = readFileSync('fixtures/pdf/agreement.pdf');
const click = 'Jón,email=jon@example.test,type=ClickToSign';

const acme = prepared('acme', async (folder) => {
  const env = { HOME: folder, INNSIGLI_HOME: folder };
  const { config } = resolveConfig({ flags: {}, env, cwd: folder });
  const random = (count: number) => randomBytes(count);
  const kit = openToolkit(config, { now: () => Date.now(), random, warn: () => undefined });
  await kit.initialise({ name: 'Acme ehf.' });
  kit.close();
});

/** The command line over a real service in its own folder. */
async function openCli() {
  const cli = openFakeCli();
  cli.write('a.pdf', agreement);
  const run = (args: readonly string[], setup: CliSetup = {}) =>
    cli.run(args, {
      ...setup,
      env: { INNSIGLI_HOME: join(cli.folder, '.data'), ...setup.env },
      io: {
        now: () => Date.now(),
        random: (count) => randomBytes(count),
        openToolkit: async (config, io) => openToolkit(config, io),
        // Nothing is interrupted here.
        waitForStop: () => new Promise(() => undefined),
        ...setup.io,
      },
    });
  await acme(join(cli.folder, '.data'));
  const create = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await run(['process', 'create', 'a.pdf', ...args]);
    return { key: stdout.trim(), stderr, exitCode };
  };
  const show = async (key: string) => {
    const { stdout } = await run(['process', 'show', key, '--json']);
    return JSON.parse(stdout).process;
  };
  return { ...cli, run, create, show };
}

describe('hints and rejected commands', { timeout: 60_000 }, () => {
  test.each([
    ['Anna,type=Qualified', 'such as "Anna,ssn=6000101994,type=Qualified"'],
    ['Anna,type=Simple', 'such as "Anna,phone=5551234,email=anna@example.com,type=Simple"'],
    ['Anna,type=ClickToSign', 'such as "Anna,email=anna@example.com,type=ClickToSign"'],
    ['Anna,ssn=123', 'such as "Anna,ssn=6000101994,type=Qualified"'],
    ['Anna,phone=12', 'such as "Anna,phone=5551234,email=anna@example.com,type=Simple"'],
    ['Anna,email=nobody', 'such as "Anna,email=anna@example.com,type=ClickToSign"'],
  ])('the hint for %s shows a signee of that type or with that member', async (signee, hint) => {
    const cli = await openCli();
    expect((await cli.create('--signee', signee)).stderr).toContain(hint);
  });

  test('sign --view does not replace an existing file, and writes none for a signee who has signed', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click, '--signee', `Eva ${click}`);
    const [signee] = (await cli.show(key)).signees;
    const sign = ['sign', key, signee.key, '--yes', '--view'];
    const exists = await cli.run([...sign, 'a.pdf']);
    expect([exists.exitCode, exists.stderr]).toEqual([
      2,
      expect.stringContaining('name a new file with --view'),
    ]);
    expect(exists.stderr).not.toMatch(/-o |--force/);
    expect((await cli.run([...sign, 'v.pdf'])).exitCode).toBe(0);
    const again = await cli.run([...sign, 'w.pdf']);
    expect([again.exitCode, again.stderr]).toEqual([6, expect.stringContaining('has signed')]);
    expect(cli.files()).toContain('v.pdf');
    expect(cli.files()).not.toContain('w.pdf');
  });
});

describe('signing processes', { timeout: 60_000 }, () => {
  test('signees may contain commas or come from a file, and the document may come from stdin', async () => {
    const cli = await openCli();
    const people = [{ name: 'Eva', email: 'eva@example.test', signatureType: 'ClickToSign' }];
    cli.write('people.json', JSON.stringify(people));
    const quoted =
      '"Jón, Jr.",address="Main ""St"" 1, 2nd",email=jon@example.test,type=ClickToSign';
    const args = ['process', 'create', '-', '--name', 'x.pdf', '--signee', quoted];
    const made = await cli.run([...args, '--signees', 'people.json'], {
      io: {
        stdin: {
          isTerminal: false,
          async *chunks() {
            yield agreement;
          },
        },
      },
    });
    expect(made.stderr).toContain('hand over the links yourself');
    const process = await cli.show(made.stdout.trim());
    expect(process.fileName).toBe('x.pdf');
    expect(process.signees.map(({ name }: { name: string }) => name)).toEqual(['Jón, Jr.', 'Eva']);

    cli.write('people.json', JSON.stringify([{ name: 'Eva', emial: 'x' }]));
    const typo = await cli.run(['process', 'create', 'a.pdf', '--signees', 'people.json']);
    expect(typo.stderr).toMatch(/people\.json\[0\]: expected .*, found "emial"/);
    expect(typo.exitCode).toBe(2);
  });

  test.each([
    [['--signee', click, '--user', 'not an email'], /--user: expected an e-mail address/],
    [['--signee', click, '--name', 'a/b.pdf'], /--name: expected a file name/],
    [['--signee', 'Jón,email=x,type=ClickToSign'], /signee 1, email: expected an e-mail address/],
    [['--signee', 'Jón,email="x'], /expected a closing "/],
    [['--signee', 'Jón,email=a,email=b'], /expected email once/],
    [['--signee', 'A,ssn=6000101994,delivery=Sms'], /delivery by Sms needs phone$/m],
    [['--signee', 'Anna'], /signee 1: a Qualified signature needs ssn or phone, found neither/],
    [['--signee', click, '--signee', 'A,phone=x'], /signee 2, phone: expected seven digits/],
    [['--values', '-', '--signees', '-'], /expected - once/],
  ])('process create %j is rejected', async (args, message) => {
    const { exitCode, stderr } = await (await openCli()).create(...args);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });

  test('the hint for an encrypted document can be followed', async () => {
    const cli = await openCli();
    cli.write('e.pdf', readFileSync('fixtures/pdf/encrypted.pdf'));
    const { stderr } = await cli.run(['process', 'create', 'e.pdf', '--signee', click]);
    expect(stderr).toContain('remove its password first');
    expect(stderr).not.toContain('--pdf-password-file');
  });

  test('values of a template are read as JSON', async () => {
    const cli = await openCli();
    const blocks = [{ type: 'list', items: ['{{value}}'], each: 'lines' }];
    cli.write('t.json', JSON.stringify({ v: 1, title: 'Order', blocks }));
    const flow = ['flow', 'create', '--name', 'O', '--type', 'RenderFlow', '--template', 't.json'];
    const key = (await cli.run(flow)).stdout.trim();
    const stdin = JSON.stringify({ lines: ['one', 'two'] });
    const args = ['process', 'create', '--flow', key, '--signee', click, '--values', '-'];
    const made = await cli.run(args, { stdin });
    expect(made.exitCode).toBe(0);
    const rendered = await cli.run(['flow', 'render', key, '--values', '-', '-o', 'o.pdf'], {
      stdin,
    });
    expect(rendered).toMatchObject({ exitCode: 0, stdout: 'o.pdf\n' });
    const given = await cli.create('--flow', key, '--signee', click);
    expect(given.stderr).toContain('the document: expected none');
  });

  test('show and list print creator, flow and reason', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click, '--user', 'me@acme.test');
    await cli.run(['process', 'block', key, '--reason', 'in dispute']);
    const { stdout } = await cli.run(['process', 'show', key]);
    expect(stdout).toContain('flow Documents');
    expect(stdout).toContain('of me@acme.test');
    expect(stdout).toContain('reason: in dispute');
    expect(stdout).toMatch(/not notified$/m);
    const list = (await cli.run(['process', 'list'])).stdout;
    expect(list).toMatch(/Blocked .* 0 of 1 signed {2}a\.pdf {2}Documents {2}me@acme\.test/);
    const log = (await cli.run(['activity', 'list', '--process', key])).stdout;
    expect(log).toMatch(/Blocked +System +in dispute/);
  });

  test('--until accepts a day, which ends at midnight, and a number of days from now', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click);
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await cli.run(['process', 'extend', key, '--until', day]);
    expect((await cli.show(key)).expiresAt).toBe(`${day}T23:59:59.000Z`);
    await cli.run(['process', 'extend', key, '--until', '7d']);
    const leftMs = Date.parse((await cli.show(key)).expiresAt) - Date.now();
    expect(Math.round(leftMs / 86_400_000)).toBe(7);
    for (const wrong of ['5', '2027-02-30', 'soon']) {
      const { exitCode, stderr } = await cli.run(['process', 'extend', key, '--until', wrong]);
      expect(stderr).toContain('--until: expected a date such as 2026-01-31, a time such as');
      expect(exitCode).toBe(2);
    }
  });

  test('a unique key prefix is accepted instead of the key', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click);
    const [signee] = (await cli.show(key)).signees;
    const short = key.slice(0, 12);
    const shown = await cli.run(['process', 'show', short, '--json']);
    expect(JSON.parse(shown.stdout).process.key).toBe(key);
    // Among 17 or more keys two share their first digit.
    const others: string[] = [];
    for (let count = 0; count < 17; count++) others.push((await cli.create('--signee', click)).key);
    const all = [key, ...others];
    const digit = [...'0123456789abcdef'].find(
      (one) => all.filter((each) => each.startsWith(`sp${one}`)).length > 1,
    );
    const ambiguous = await cli.run(['process', 'cancel', `sp${digit}`, '--yes']);
    expect(ambiguous.exitCode).toBe(2);
    expect(ambiguous.stderr).toContain(`"sp${digit}" matches the keys of several processes: sp`);
    for (const each of all.filter((one) => one.startsWith(`sp${digit}`)).slice(0, 5)) {
      expect(ambiguous.stderr).toContain(each);
    }
    const signed = ['sign', short, signee.key.slice(0, 10), '--yes'];
    expect((await cli.run(signed)).exitCode).toBe(0);
    const none = await cli.run(['process', 'show', 'spffffffffffff']);
    expect([none.exitCode, none.stderr.includes('spffffffffffff')]).toEqual([5, true]);
  });

  test('sign names the document and the signee before it asks, and who sends the code', async () => {
    const cli = await openCli();
    const asked: string[] = [];
    const terminals = ['stdin', 'stderr'] as const;
    const confirm = async (question: string) => asked.push(question) < 0;
    const { key } = await cli.create('--signee', click);
    const [signee] = (await cli.show(key)).signees;
    await cli.run(['sign', key, signee.key], { terminals, io: { confirm } });
    expect(asked).toEqual(['Sign a.pdf as Jón?']);
    const byCode = 'Eva,phone=5551234,email=eva@example.test,type=Simple';
    const other = await cli.show((await cli.create('--signee', byCode)).key);
    const askPassword = (question: string) => {
      asked.push(question);
      return Promise.reject(new InnsigliError('interrupted', 'no password was given'));
    };
    const args = ['sign', other.key, other.signees[0].key];
    const code = await cli.run(args, { terminals, io: { askPassword } });
    expect(asked.at(-1)).toBe('Code from the text message, to sign a.pdf as Eva');
    expect(code.stderr).toContain('a worker sends it (innsigli worker --once, or serve)');
    expect(code.stderr).toContain('not signed: no code was entered');
    const waitForStop = () => new Promise<never>(() => undefined);
    const worked = await cli.run(['worker', '--once'], { io: { waitForStop } });
    expect(worked.stderr).toContain(`mail goes to ${join(cli.folder, '.data/outbox/mail')}`);
    expect(worked.stderr).toMatch(/^1 done \(messages sent or cancelled: 1\), 0 failed$/m);
  });

  test('sign asks again after an empty code, which does not count as an attempt', async () => {
    const cli = await openCli();
    const { key } = await cli.create(
      '--signee',
      'Eva,phone=+11111111111,email=eva@example.test,type=Simple',
    );
    const [eva] = (await cli.show(key)).signees;
    const typed = ['', '  ', '123456'];
    const askPassword = async () => typed.shift() ?? '';
    const terminals = ['stdin', 'stderr'] as const;
    const asked = await cli.run(['sign', key, eva.key], { terminals, io: { askPassword } });
    expect([asked.exitCode, typed.length]).toEqual([0, 0]);
    expect(asked.stderr.match(/no code entered: type the code/g)).toHaveLength(2);
  });

  test('an empty code file signs nothing', async () => {
    const cli = await openCli();
    const { key } = await cli.create(
      '--signee',
      'Eva,phone=+11111111111,email=eva@example.test,type=Simple',
    );
    const [eva] = (await cli.show(key)).signees;
    const token = (await cli.run(['sign', key, eva.key, '--no-input'])).stdout.trim();
    cli.write('code.txt', '\n');
    const args = ['sign', key, eva.key, '--token', token, '--code-file', 'code.txt'];
    const { exitCode, stderr } = await cli.run(args);
    expect([exitCode, stderr.includes('not signed: no code was entered')]).toEqual([2, true]);
    expect((await cli.show(key)).signees[0].state).not.toBe('Signed');
  });

  test('a missing attachment is named with the command that lists the files', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click);
    const args = ['process', 'document', key, '--attachment', 'evidence.pdf', '-o', 'x.pdf'];
    const { exitCode, stderr } = await cli.run(args);
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`process ${key} has no file evidence.pdf`);
    expect(stderr).toContain(`hint: list its files with innsigli process show ${key}`);
  });

  test('cancel and purge require --yes', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click);
    for (const args of [
      ['process', 'cancel', key],
      ['sequence', 'cancel', 'pg1', '--user', 'a@b.is'],
    ]) {
      const unasked = await cli.run(args);
      expect([unasked.exitCode, unasked.stderr.includes('pass --yes')]).toEqual([2, true]);
    }
    expect(await cli.show(key)).not.toMatchObject({ status: 'Canceled' });
    await cli.run(['process', 'cancel', key, '--yes']);
    const asked = await cli.run(['process', 'purge', key]);
    expect(asked.stderr).toContain('confirmation required: pass --yes');
    expect(asked.exitCode).toBe(2);
    const no = await cli.run(['process', 'purge', key], { terminals: ['stdin', 'stderr'] });
    expect(no.stderr).toContain('nothing was changed');
    const yes = await cli.run(['process', 'purge', key, '--yes']);
    expect(yes.exitCode).toBe(0);
    expect(yes.stderr).toContain('files of the last hour');
    expect(yes.stdout).toContain(`${key}  Canceled · purged\n`);
    expect(await cli.show(key)).toMatchObject({ purgedAt: expect.stringMatching(/^20.*Z$/) });
    const document = await cli.run(['process', 'document', key, '-o', 'x.pdf']);
    expect(document.exitCode).toBe(5);
    expect(document.stderr).toContain(`process ${key} was purged: its documents were removed`);
  });

  test('signees can be added, corrected and invited again', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click);
    const eva = 'Eva,email=eva@example.test,type=ClickToSign,delivery=Email';
    expect((await cli.run(['process', 'signee', 'add', key, eva])).stderr).toContain(
      'Next, to send the invitations: innsigli worker --once',
    );
    const lost = await cli.run(['process', 'signee', 'add', key, 'Eva,type=Simple']);
    expect(lost.stderr).toContain('a Simple signature needs phone and email');
    const [jon, added] = (await cli.show(key)).signees;
    const update = ['process', 'signee', 'update', key, added.key];
    expect((await cli.run([...update, '--email', 'new@example.test'])).exitCode).toBe(0);
    expect((await cli.run([...update, '--email', 'new'])).stderr).toContain('--email: expected');
    expect((await cli.run(update)).exitCode).toBe(2);
    const invite = ['process', 'signee', 'invite', key];
    expect((await cli.run([...invite, added.key])).exitCode).toBe(0);
    expect((await cli.run([...invite, jon.key])).stderr).toContain(
      'expected a signee with delivery',
    );
  });

  test('sign rejects options that do not apply, and --decline declines', async () => {
    const cli = await openCli();
    const { key } = await cli.create('--signee', click);
    const [{ key: signee }] = (await cli.show(key)).signees;
    const sign = ['sign', key, signee];
    for (const odd of [
      ['--sim', '6666666'],
      ['--token', 'x'],
      ['--reason', 'x', '--yes'],
    ]) {
      const { exitCode, stderr } = await cli.run([...sign, ...odd]);
      expect(stderr).toContain(`${odd[0]} cannot be used for a signee of type ClickToSign`);
      expect(exitCode).toBe(2);
    }
    const early = await cli.run([...sign, '--decline', '--reason', 'no']);
    expect(early.exitCode).toBe(6);
    expect((await cli.run([...sign, '--decline'])).stderr).toContain('--reason: expected');
    const [{ flowKey }] = JSON.parse((await cli.run(['flow', 'list', '--json'])).stdout).flows;
    await cli.run(['flow', 'update', flowKey, '--set', 'mayDecline=true']);
    const other = await cli.create('--signee', click);
    const [who] = (await cli.show(other.key)).signees;
    const declined = await cli.run([
      'sign',
      other.key,
      who.key,
      '--decline',
      '--reason',
      'wrong sum',
    ]);
    expect(declined.stderr).toContain('declined');
    expect(declined.stdout).toContain('reason: wrong sum');
  });

  test('sign logs in first if the process requires it', async () => {
    const cli = await openCli();
    const signee = `${click},ssn=6000101994`;
    const { key } = await cli.create('--signee', signee, '--requires-auth');
    const [{ key: who }] = (await cli.show(key)).signees;
    const without = await cli.run(['sign', key, who, '--yes']);
    expect(without.stderr).toContain('this process requires a login');
    const [{ flowKey }] = JSON.parse((await cli.run(['flow', 'list', '--json'])).stdout).flows;
    await cli.run(['flow', 'update', flowKey, '--set', 'mayDecline=true']);
    const other = await cli.create('--signee', signee, '--requires-auth');
    const [{ key: her }] = (await cli.show(other.key)).signees;
    const no = ['sign', other.key, her, '--decline', '--reason', 'no', '--app', '6000101994'];
    expect((await cli.run(no)).stderr).toContain('declined');
    const signed = await cli.run(['sign', key, who, '--yes', '--app', '6000101994']);
    expect(signed.stderr).toContain('logged in');
    expect(signed.exitCode).toBe(0);
  });

  test('sequence create rejects a plan with a typo and prints only the key of a valid one', async () => {
    const cli = await openCli();
    const [{ flowKey }] = JSON.parse((await cli.run(['flow', 'list', '--json'])).stdout).flows;
    const signees = [{ name: 'Eva', email: 'eva@example.test', signatureType: 'ClickToSign' }];
    const plan = (...documents: readonly object[]) =>
      cli.write('plan.json', JSON.stringify(documents));
    const create = ['sequence', 'create', 'plan.json', '--user', 'me@example.test'];
    const document = { flowKey, pdf: 'a.pdf', signees };
    for (const [wrong, message] of [
      [[], /expected an array of at least one document/],
      [[{ ...document, reminders: '1:3' }], /plan\.json\[0\]: expected .* found "reminders"/],
      [[{ ...document, signees: [{ ...signees[0], emial: 'x' }] }], /signees\[0\]: .*"emial"/],
      [[document, { ...document, signees: [{ name: 'X' }] }], /plan\.json\[1\]\.signees\[0\]/],
      [
        [document, { ...document, pdf: undefined }],
        /plan\.json\[1\]\.pdf: required, because flow \w+ renders no document/,
      ],
    ] as const) {
      plan(...wrong);
      const { exitCode, stderr } = await cli.run(create);
      expect(stderr).toMatch(message);
      expect(exitCode).toBe(2);
    }
    plan(document, document);
    const { stdout, stderr } = await cli.run(create);
    expect(stdout).toMatch(/^pg[0-9a-f]+\n$/);
    expect(stderr).toContain('Eva, 2 documents');
    const list = (await cli.run(['sequence', 'list'])).stdout;
    expect(list).toContain(`${stdout.trim()}  Active `);
    expect(list).toContain('0 of 2 completed, 1 to sign');
  });

  test('template list accepts the flow as argument or --flow, or uses the only one', async () => {
    const cli = await openCli();
    const [{ flowKey }] = JSON.parse((await cli.run(['flow', 'list', '--json'])).stdout).flows;
    const list = ['template', 'list'];
    for (const args of [[], [flowKey], ['--flow', flowKey]]) {
      const { exitCode, stderr } = await cli.run([...list, ...args]);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('built-in texts')]);
    }
    const both = await cli.run([...list, flowKey, '--flow', flowKey]);
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('once')]);
    await cli.run(['flow', 'create', '--name', 'Two', '--type', 'DropAndSign']);
    expect((await cli.run(list)).exitCode).toBe(2);
  });

  test('companies, API keys, quotas and trials can be managed', async () => {
    const cli = await openCli();
    const again = await cli.run(['init', '--name', 'Beta']);
    expect(again.stderr).toContain('A company already exists');
    const nope = await cli.run(['process', 'list', '--company', 'nope']);
    expect(nope.stderr).toContain('list them with innsigli company list');
    const create = ['company', 'key', 'create', '--label'];
    expect((await cli.run([...create, 'x', '--scope', 'all'])).exitCode).toBe(2);
    expect((await cli.run([...create, 'x', '--until', '2020-01-31'])).exitCode).toBe(2);
    await cli.run([...create, 'narrow', '--scope', 'read', '--scope', 'sign', '--until', '90d']);
    expect((await cli.run(['company', 'show'])).stdout).toMatch(/narrow {2}read, sign {2}until /);
    const key = await cli.run([...create, 'invoices']);
    expect(key.stdout).toMatch(/^api-\S+\n$/);
    const show = (await cli.run(['company', 'show'])).stdout;
    const id = /API key (\S+) .* invoices/.exec(show)?.[1] ?? '';
    expect((await cli.run(['company', 'key', 'revoke', id])).exitCode).toBe(0);
    expect((await cli.run(['company', 'key', 'revoke', id])).exitCode).toBe(5);
    const quota = async (...words: string[]) =>
      JSON.parse((await cli.run(['company', 'quota', '--json', ...words])).stdout).quotas;
    expect(await quota('--storage', '2GB', '--mails', '7')).toMatchObject({
      ...{ storedBytes: { most: 2_000_000_000 }, mailsPerRecipient: { most: 7, used: 0 } },
      processes: { most: 20_000 },
    });
    expect((await cli.run(['company', 'quota'])).stdout).toMatch(/^storage +\S.* of 2\.0 GB /);
    expect((await quota('--storage', 'usual')).storedBytes.most).toBe(50_000_000_000);
    for (const words of [
      ['--processes', '-1'],
      ['--storage', '5 stones'],
    ]) {
      expect((await cli.run(['company', 'quota', ...words])).exitCode).toBe(2);
    }
    const made = await cli.run(['company', 'create', '--name', 'Beta ehf.']);
    expect(made.stdout).toMatch(
      /^company: [0-9a-f]{12}\napi-key: api-\S+\nwebhook-signature-key: /,
    );
    expect((await cli.run(['company', 'list'])).stdout).toMatch(/Acme ehf\.\n.*Beta ehf\.\n/);
    expect(await cli.run(['company', 'show'])).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('expected one company, found 2'),
    });
    const [, beta = ''] = /company: (\S+)/.exec(made.stdout) ?? [];
    const trial = ['company', 'trial', '--company', beta, '--until'];
    expect((await cli.run([...trial, 'soon'])).exitCode).toBe(2);
    expect((await cli.run([...trial, '2020-01-31'])).stderr).toContain('on trial until 2020-01-31');
    const late = ['process', 'create', 'a.pdf', '--company', beta, '--signee', 'name=A'];
    expect((await cli.run(late)).stderr).toContain('the trial of company');
    await cli.run([...trial, 'none']);
    expect((await cli.run(late)).stderr).not.toContain('the trial of company');
    // Jobs of all companies are processed.
    expect((await cli.run(['worker', '--once'])).exitCode).toBe(0);
    expect((await cli.run(['company', 'create', '--name', 'C', '--user', 'x'])).exitCode).toBe(2);
  });

  test('origins of pages can be added, listed and removed', async () => {
    const cli = await openCli();
    const origin = (...words: string[]) => cli.run(['company', 'origin', ...words]);
    expect((await origin('list')).stderr).toContain('no page of another origin');
    const added = await origin('add', 'https://App.example.com:443', 'http://localhost:3000');
    expect([added.exitCode, added.stdout.split('\n').sort()]).toEqual([
      0,
      ['', 'http://localhost:3000', 'https://app.example.com'],
    ]);
    expect(await origin('add', 'https://*.example.com')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/origin: expected https:\/\/host\[:port\], found .*wildcards/s),
    });
    expect((await origin('add')).exitCode).toBe(2);
    expect((await cli.run(['company', 'show'])).stdout).toContain('origin https://app.example.com');
    const more = Array.from({ length: 19 }, (_, at) => `https://a${at}.example`);
    expect((await origin('add', ...more)).exitCode).toBe(7);
    expect((await origin('remove', 'https://app.example.com')).stdout).toBe(
      'http://localhost:3000\n',
    );
    expect((await origin('remove', 'https://app.example.com')).exitCode).toBe(5);
    expect(JSON.parse((await origin('list', '--json')).stdout)).toMatchObject({
      command: 'company origin list',
      origins: ['http://localhost:3000'],
    });
  });

  test.each([
    ['--in-order', 'Next: hand over the first link yourself'],
    ['', 'Next, to send the invitations: innsigli worker --once'],
  ])(
    'sequence create %j with a first signee without delivery recommends: %s',
    async (order, next) => {
      const cli = await openCli();
      const schema = await cli.run(['flow', 'list', '--json']);
      const [{ flowKey }] = JSON.parse(schema.stdout).flows;
      const signees = [
        {
          name: 'Anna',
          email: 'anna@example.test',
          signatureType: 'ClickToSign',
          delivery: 'None',
        },
        { name: 'Jón', email: 'jon@example.test', signatureType: 'ClickToSign', delivery: 'Email' },
      ];
      const documents = [{ flowKey, pdf: 'a.pdf', fileName: 'a.pdf', signees }];
      writeFileSync(join(cli.folder, 'a.pdf'), agreement);
      writeFileSync(join(cli.folder, 'plan.json'), JSON.stringify(documents));
      const words = ['sequence', 'create', 'plan.json', '--user', 'me@acme.example', order];
      const { stderr } = await cli.run(words.filter((word) => word !== ''));
      expect(stderr).toContain(next);
    },
  );

  test('the hint about a missing option names the command, and its help marks the option', async () => {
    const cli = await openCli();
    const { stderr } = await cli.run(['sequence', 'create', 'plan.json']);
    expect(stderr).toContain('list commands and options with innsigli help sequence create');
    const help = await cli.run(['sequence', 'create', '--help']);
    expect(help.stdout.replace(/\s+/g, ' ')).toContain('only the owner may cancel it (required)');
    expect((await cli.run(['help', 'sign'])).stdout).toContain('--sim 6666666');
    const schema = await cli.run(['flow', 'list', '--json']);
    const [{ flowKey }] = JSON.parse(schema.stdout).flows;
    const missing = await cli.run(['flow', 'schema', flowKey, '1']);
    expect(missing.stderr).toContain('has no schema version 1: it has none');
    const form = ['flow', 'create', '--name', 'F', '--type', 'FillAndSign'];
    expect((await cli.run(form)).stderr).toContain(
      'expected the form of a flow of type FillAndSign',
    );
  });
});
