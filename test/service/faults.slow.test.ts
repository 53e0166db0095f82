import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outboxMailer } from '../../src/adapters/mail/index.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { openFakeCli } from '../cli/support/fake-cli.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** The reason why nothing can be mounted. Undefined if it can. */
const mountMissing = whyNoMount();
const why = mountMissing === undefined ? '' : ` (skipped: ${mountMissing})`;

let it: TestService;
const create = () =>
  it.toolkit.processes.create({
    flowKey: it.flowKey,
    pdf: agreement,
    fileName: 'agreement.pdf',
    signees: [
      {
        name: 'Anna Þórðardóttir',
        email: 'anna@example.test',
        signatureType: 'ClickToSign',
        delivery: 'Email',
      },
    ],
  });
type Process = Awaited<ReturnType<typeof create>>;
const click = ({ key, signees }: Process) =>
  it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
const show = ({ key }: Process) => it.toolkit.processes.show({ key });
const statuses = async ({ key }: Process) => {
  const range = { fromMs: 0, toMs: Date.now() + 100 * DAY, take: 1, skip: 0, processKey: key };
  const [log] = await it.toolkit.activity.list(range);
  return log?.activityLog.map(({ status }) => status) ?? [];
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
  );
/** Error codes of the jobs that the worker could not do. */
const workCodes = (): Promise<readonly string[]> =>
  it.toolkit.runDueJobs().then(
    ({ failed }) => failed.map(({ code }) => code),
    ({ code }: { readonly code: string }) => [code],
  );
const blobOf = (sha256 = '') => join(it.folder, 'data', 'objects', sha256.slice(0, 2), sha256);

const sample = new URL('../../fixtures/pdf/agreement.pdf', import.meta.url).pathname;
const signee = 'Jón,email=jon@example.test,type=ClickToSign';
const commands = {
  create: ['process', 'create', sample, '--signee', signee],
  work: ['worker', '--once'],
};

/** Runs one command of the real program, whose output must never reveal source locations. */
async function cli(home: string, ...args: readonly string[]) {
  const run = await openFakeCli().run(args, {
    env: { INNSIGLI_HOME: home },
    io: { now: it.nowMs, openToolkit: async (config, io) => openToolkit(config, io) },
  });
  expect(`${run.stdout}${run.stderr}`).not.toMatch(/\n\s+at |node:internal|SqliteError/);
  return { exitCode: run.exitCode, stderr: run.stderr };
}

describe(`a data directory with limited storage${why}`, () => {
  let mounted = '';
  const temporary = process.env['TMPDIR'];
  afterEach(async () => {
    await it?.close();
    if (mounted !== '') execFileSync('umount', ['-l', mounted]);
    if (mounted !== '') rmSync(mounted, { recursive: true, force: true });
    mounted = '';
  });

  test.skipIf(mountMissing !== undefined)(
    'a full disk fails every step, loses nothing, and work continues when there is space',
    async () => {
      mounted = newTemporaryFolder('full');
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', mounted]);
      process.env['TMPDIR'] = mounted;
      it = await openTestService();
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
      const waiting = await create();
      const signed = await create();
      await click(signed);
      const filler = join(mounted, 'filler');
      fill(filler);

      expect(await codeOf(create())).toBe('store.full');
      expect(await codeOf(click(waiting))).toBe('store.full');
      expect(await workCodes()).toEqual(['store.full']);
      expect(await it.toolkit.processes.document(signed.key)).toBeDefined();
      const { exitCode, stderr } = await cli(join(it.folder, 'data'), ...commands.create);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
      expect(stderr).toMatch(/no room for a document|the disk is full/);
      expect(await it.toolkit.activity.verify()).toMatchObject({ isIntact: true });

      // A little more space each time, so that every step is once the one that runs out of space.
      const made: Process[] = [waiting, signed];
      const met = new Map<string, number>();
      for (let round = 0; round < 24; round += 1) {
        truncateSync(filler, statSync(filler).size - 16_384 * (1 + round));
        it.pass(HOUR);
        const next = await create().catch(({ code }: { readonly code: string }) => code);
        const clicked = await codeOf(click(typeof next === 'string' ? waiting : next));
        for (const code of [...(await workCodes()), clicked, next]) {
          if (typeof code !== 'string') made.push(code);
          else met.set(code, (met.get(code) ?? 0) + 1);
        }
        fill(filler);
      }
      console.info('disk full, met:', Object.fromEntries(met));
      const allowed = [
        'done',
        'store.full',
        'mail.failed',
        'mail.unavailable',
        'signing.forbidden.signee.signed',
        // A claim that could not be released for lack of space looks like that of a dead worker.
        'process.finalize.failed',
      ];
      expect([...met.keys()].filter((code) => !allowed.includes(code))).toEqual([]);

      rmSync(filler);
      for (const process of made) {
        if ((await show(process)).phase === 'Open') await click(process);
      }
      // A job whose claims were lost for lack of space is deferred once more, and reported.
      const late: string[] = [];
      for (let day = 0; day < 3; day += 1) {
        it.pass(DAY);
        late.push(...(await workCodes()));
      }
      expect(late.filter((code) => code !== 'process.finalize.failed')).toEqual([]);
      expect(await workCodes()).toEqual([]);
      for (const process of made) {
        expect(await show(process)).toMatchObject({ status: 'Completed' });
        expect((await statuses(process)).filter((each) => each === 'Completed').length).toBe(1);
      }
      expect(await it.toolkit.processes.count({})).toBe(made.length);
      expect(await it.toolkit.activity.verify()).toMatchObject({ isIntact: true });
    },
    120_000,
  );

  test.skipIf(mountMissing !== undefined)(
    'a read-only data directory is reported by every command',
    async () => {
      it = await openTestService();
      const process = await create();
      const home = join(it.folder, 'data');
      mounted = newTemporaryFolder('locked');
      cpSync(home, mounted, { recursive: true });
      execFileSync('mount', ['--bind', mounted, mounted]);
      execFileSync('mount', ['-o', 'remount,ro,bind', mounted]);
      for (const args of [
        commands.create,
        ['process', 'cancel', process.key, '--yes'],
        commands.work,
      ]) {
        const { exitCode, stderr } = await cli(mounted, ...args);
        expect({ args, exitCode }).toEqual({ args, exitCode: 10 });
        expect(stderr).toContain('cannot be written');
      }
    },
    60_000,
  );
});

describe('a damaged data directory', () => {
  beforeEach(async () => {
    it = await openTestService();
  }, 60_000);
  afterEach(() => it.close());

  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['the first page overwritten', (file) => overwrite(file, 0, 100)],
    ['all but the first page overwritten', (file) => overwrite(file, 4096, 4096 * 1000)],
    ['half of the file missing', (file) => truncateSync(file, statSync(file).size >> 1)],
    ['a different file in its place', (file) => writeFileSync(file, agreement)],
  ];
  test.each(damages)(
    'a database with %s is reported, and not modified',
    async (_name, damage) => {
      await create();
      const home = join(it.folder, 'copy');
      await it.service.close();
      cpSync(join(it.folder, 'data'), home, { recursive: true });
      const file = join(home, 'innsigli.db');
      damage(file);
      const before = readFileSync(file);
      for (const args of [['process', 'list'], commands.work, commands.create]) {
        const { exitCode, stderr } = await cli(home, ...args);
        expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
        expect(stderr).toContain('the database is damaged');
      }
      expect(readFileSync(file).equals(before)).toBe(true);
    },
    60_000,
  );

  test('a modified document cannot be signed until it is restored', async () => {
    const process = await create();
    const file = blobOf(process.document?.sha256);
    const content = readFileSync(file);
    overwrite(file, 100, 200);
    expect(await codeOf(click(process))).toBe('blob.corrupt');
    const { exitCode } = await cli(
      join(it.folder, 'data'),
      ...['process', 'document', process.key, '--output', join(it.folder, 'out.pdf')],
    );
    expect(exitCode).toBe(1);
    rmSync(file);
    expect(await codeOf(click(process))).toBe('blob.missing');
    expect(await show(process)).toMatchObject({ status: 'Active', rev: process.rev });
    writeFileSync(file, content);
    await click(process);
    it.pass(1000);
    await it.toolkit.runDueJobs();
    expect(await show(process)).toMatchObject({ status: 'Completed' });
  }, 60_000);

  test('sealing, attaching and posting are retried while their content is missing', async () => {
    const process = await create();
    await it.toolkit.runDueJobs();
    const { document } = await click(process);
    it.pass(1000);
    const file = blobOf(document?.sha256);
    const content = readFileSync(file);
    rmSync(file);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await it.toolkit.runDueJobs();
      it.pass(HOUR);
    }
    expect(await show(process)).toMatchObject({
      phase: 'Finalizing',
      finalization: { attempts: 3, errorCode: 'blob.missing' },
    });
    writeFileSync(file, content);
    await it.toolkit.runDueJobs();
    expect(await show(process)).toMatchObject({ status: 'Completed' });
    const told = await statuses(process);
    expect(told.filter((each) => each === 'FinalizeFailed').length).toBe(3);
    expect(told.filter((each) => each === 'Completed').length).toBe(1);
  }, 60_000);

  test('temporary files of a killed program are removed from the mail folder after an hour', async () => {
    const folder = join(it.folder, 'mails');
    mkdirSync(folder);
    for (const name of ['ms1.eml.7-1.tmp', 'ms2.eml.8-2.tmp']) {
      writeFileSync(join(folder, name), 'half');
    }
    const old = new Date(Date.now() - 2 * HOUR);
    utimesSync(join(folder, 'ms1.eml.7-1.tmp'), old, old);
    await outboxMailer({ folder }).send({
      messageId: '<ms3@example.test>',
      from: 'a@example.test',
      to: 'b@example.test',
      subject: 'Subject',
      text: 'Text',
      html: '<p>Text</p>',
      attachments: [],
      sentAtMs: Date.now(),
    });
    expect(readdirSync(folder).sort()).toEqual(['ms2.eml.8-2.tmp', 'ms3.eml']);
  });
});

describe('a clock that is set back', () => {
  beforeEach(async () => {
    it = await openTestService();
  }, 60_000);
  afterEach(() => it.close());

  test('by an hour: everything continues, and the log stays in order', async () => {
    const process = await create();
    await it.toolkit.runDueJobs();
    it.pass(-HOUR);
    await click(process);
    const late = await it.toolkit.runDueJobs();
    expect(late.failed).toEqual([]);
    it.pass(2 * HOUR);
    expect((await it.toolkit.runDueJobs()).failed).toEqual([]);
    expect(await show(process)).toMatchObject({ status: 'Completed' });
    expect(await it.toolkit.activity.verify()).toMatchObject({ isIntact: true });
  }, 60_000);

  test('by a week: existing processes are left alone until the clock is right', async () => {
    it.pass(10 * DAY);
    const process = await create();
    const signed = await create();
    await click(signed);
    it.pass(-7 * DAY);
    expect(await codeOf(click(process))).toBe('clock.back');
    expect(await codeOf(it.toolkit.processes.cancel({ key: process.key, by: 'System' }))).toBe(
      'clock.back',
    );
    const codes = new Set<string>();
    for (let hour = 0; hour < 30; hour++) {
      for (const { code } of (await it.toolkit.runDueJobs()).failed) codes.add(code);
      it.pass(HOUR);
    }
    expect([...codes]).toEqual(['clock.back']);
    expect(mails()).toEqual([]);
    expect(await show(process)).toMatchObject({ status: 'Active', rev: process.rev });
    it.pass(7 * DAY - 30 * HOUR + 1000);
    await click(process);
    it.pass(1000);
    // The first day is no longer vouched for: no worker ran for too long.
    const { failed } = await it.toolkit.runDueJobs();
    expect(failed.map(({ code }) => code)).toEqual(['activity.root.late']);
    for (const each of [process, signed]) {
      expect(await show(each)).toMatchObject({ status: 'Completed' });
    }
    expect(await it.toolkit.activity.verify()).toMatchObject({ isIntact: true });
  }, 60_000);

  test('by days: no mail is sent that cannot be logged', async () => {
    const process = await create();
    it.pass(5 * DAY);
    await it.toolkit.processes.extend({
      key: process.key,
      expiresAtMs: it.nowMs() + 30 * DAY,
      by: 'System',
    });
    it.pass(-3 * DAY);
    await it.toolkit.runDueJobs();
    const [message] = mails();
    expect(message).toBeUndefined();
    it.pass(4 * DAY);
    await it.toolkit.runDueJobs();
    expect(mails().length).toBe(1);
    expect(await statuses(process)).toContain('SignupSent');
  }, 60_000);
});

function mails(): readonly string[] {
  try {
    return readdirSync(join(it.folder, 'data', 'outbox', 'mail'));
  } catch {
    return [];
  }
}

function overwrite(file: string, from: number, to: number): void {
  const content = readFileSync(file);
  writeFileSync(file, content.fill(0xa5, from, Math.min(to, content.length)));
}

/** Writes until the disk is full. */
function fill(file: string): void {
  for (const size of [1 << 20, 1 << 12]) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}

function whyNoMount(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount';
  const folder = newTemporaryFolder('mount');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return undefined;
  } catch {
    return 'mount is not allowed here';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
