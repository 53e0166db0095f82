import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../src/api/index.ts';
import { memorySource } from '../../src/base/bytes.ts';
import { InnsigliError } from '../../src/base/errors.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { apiDocuments } from '../../src/wire/serve/api-documents.ts';
import {
  type ProcessRole,
  type RoleProcess,
  type RunningRoles,
  startRoles,
} from '../../src/wire/serve/parts.ts';
import { answerParent } from '../../src/wire/serve/thread.ts';
import { startJobThread } from '../../src/wire/service/job-thread.ts';
import { documentOrder } from '../../src/wire/threads/document-order.ts';
import type { WorkerThread } from '../../src/wire/threads/thread-channel.ts';
import { workThreads } from '../../src/wire/threads/work-threads.ts';
import type { WorkThreads } from '../../src/wire/threads/work-threads.types.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import type { Toolkit } from '../../src/wire/toolkit.types.ts';
import { newTemporaryFolder } from '../support/folders.ts';

const agreement = readFileSync('fixtures/pdf/agreement.pdf');
/** A document large enough for a thread: arbitrary bytes may follow the end of a PDF. */
const large = () => Buffer.concat([agreement, Buffer.alloc(300_000, '%\n')]);
const withoutTimes = (report: object) =>
  JSON.parse(JSON.stringify(report, (name, value) => (/Time|At$/.test(name) ? '' : value)));
const visible = { visible: { language: 'en', page: 1 } } as const;

let folder: string;
beforeAll(() => {
  folder = newTemporaryFolder('workers');
});

const openConfig = () => {
  const env = { HOME: folder, INNSIGLI_HOME: join(folder, 'data') };
  return resolveConfig({ flags: { level: 'B-B' }, env, cwd: folder }).config;
};
const openLocal = (): Toolkit =>
  openToolkit(openConfig(), { now: Date.now, random: randomBytes, warn: () => undefined });

/** Fake threads: everything is posted and transferred as between threads. */
function fakeThreads(serve: (port: never) => void = answerParent as never) {
  const started: (WorkerThread & EventEmitter)[] = [];
  const start = () => {
    const { port1, port2 } = new MessageChannel();
    const thread = Object.assign(new EventEmitter(), {
      postMessage: (value: unknown, moved: readonly ArrayBuffer[] = []) =>
        port1.postMessage(value, [...moved]),
      terminate: async () => {
        port1.close();
        thread.emit('exit', 1);
      },
    });
    port1.on('message', (message) => thread.emit('message', message));
    serve(port2 as never);
    started.push(thread as never);
    return thread as unknown as WorkerThread;
  };
  const host = { config: openConfig(), warn: () => undefined, start };
  return { host, started };
}

const limits = {
  threadsMax: 1,
  queueMax: 2,
  queueBytesMax: 10_000_000,
  runningBytesMax: 10_000_000,
  deadlineMs: 60_000,
  restMs: 60_000,
};

const order = (task: string, owner = 'acme') =>
  documentOrder({ task, input: memorySource(large()), options: {}, owner });

describe('the document threads', () => {
  let open: WorkThreads | undefined;
  afterEach(() => open?.close());
  const openThreads = (
    host: Parameters<typeof workThreads>[0],
    changes: Partial<typeof limits> = {},
  ) => {
    open = workThreads(host, { ...limits, ...changes });
    return open;
  };

  test('seal and verify large documents, whose bytes are transferred and not copied', async () => {
    const toolkit = openLocal();
    const { host, started } = fakeThreads();
    const documents = apiDocuments(toolkit, openThreads(host));
    const input = large();
    const before = Buffer.from(input);
    const sealed = await documents.seal(memorySource(input), visible, 'acme');
    expect(input.buffer.byteLength).toBe(0);
    expect(Buffer.from(sealed.kept).equals(before)).toBe(true);
    expect(sealed.sealCount).toBe(1);
    const whole = () => Buffer.concat([sealed.kept, sealed.tail]);
    const text = await documents.verify(memorySource(whole()), {}, 'acme');
    // Only the thread has had the report as a value.
    expect(text).toBeInstanceOf(Uint8Array);
    const { valid, ...report } = JSON.parse(Buffer.from(text).toString());
    const own = await toolkit.verify(memorySource(whole()));
    expect(withoutTimes(report)).toEqual(withoutTimes(own));
    expect([valid, report.signatures.length]).toEqual([own.indication === 'TOTAL-PASSED', 1]);
    const requestedOptions = { language: 'is', fileName: 'a/b.pdf' } as const;
    const told = await documents.describe(memorySource(whole()), requestedOptions, 'visitors');
    expect([told.language, told.signatures.length, told.facts[0]?.text]).toEqual([
      'is',
      1,
      'b.pdf',
    ]);
    const small = await documents.seal(memorySource(agreement), visible, 'acme');
    expect(Buffer.from(small.kept).equals(agreement)).toBe(true);
    expect(started).toHaveLength(1);
    await expect(documents.augment(memorySource(large()), 'acme')).rejects.toMatchObject({
      code: 'pdf.damaged.signed',
    });
    toolkit.close();
  }, 60_000);

  test('reject jobs beyond the queue limit, with Retry-After', async () => {
    const { host } = fakeThreads(() => undefined);
    const threads = openThreads(host);
    const asked = Array.from({ length: 4 }, () => threads.run(order('verify')));
    const busy = await asked[3]?.catch((error: unknown) => error);
    expect(failureOf(busy)).toMatchObject({
      status: 503,
      code: 'service.busy',
      retryAfterSeconds: 5,
    });
    await threads.close();
    const ends = await Promise.allSettled(asked);
    expect(ends.map(({ status }) => status)).toEqual(new Array(4).fill('rejected'));
  });

  /** Threads that report their orders, and respond when they are told to. */
  const openStuck = (threadsMax: number, changes: Partial<typeof limits> = {}) => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const { host } = fakeThreads(((port: MessagePort) => {
      port.on('message', ({ id, name }) => {
        const end = () => port.postMessage({ id, answer: name });
        if (name === 'open' || name === 'yieldToOthers') return end();
        begun.push(name);
        ends.push(end);
      });
    }) as never);
    return { threads: openThreads(host, { threadsMax, ...changes }), begun, ends };
  };

  test('schedule owners in turn, and no owner ever occupies all threads', async () => {
    const { threads, begun, ends } = openStuck(2, { queueMax: 9 });
    const many = ['a1', 'a2', 'a3', 'a4'].map((task) => threads.run(order(task, 'acme')));
    await vi.waitFor(() => expect(begun).toEqual(['a1']));
    const others = ['b1', 'b2'].map((task) => threads.run(order(task, 'other')));
    await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1']));
    ends[1]?.();
    await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1', 'b2']));
    ends[0]?.();
    await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']));
    ends[2]?.();
    expect(await Promise.all(others)).toEqual(['b1', 'b2']);
    for (const at of [3, 4]) {
      ends[at]?.();
      await vi.waitFor(() => expect(begun).toHaveLength(at + 2));
    }
    ends[5]?.();
    expect(await Promise.all(many)).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('process large documents one by one, with small ones of others concurrently', async () => {
    const { threads, begun, ends } = openStuck(3, { runningBytesMax: 1000 });
    const run = (task: string, owner: string, lengthBytes: number) =>
      threads.run({ task, value: {}, owner, lengthBytes, moved: [] });
    const all = [run('large', 'a', 900), run('larger', 'b', 2000)];
    const wait = (names: readonly string[]) => vi.waitFor(() => expect(begun).toEqual(names));
    await wait(['large']);
    const names = ['large'];
    // Eight start ahead of the larger one; then it waits no longer than the running ones take.
    for (let at = 1; at <= 9; at++) {
      all.push(run(`small ${at}`, 'c', 50));
      if (at <= 8) {
        names.push(`small ${at}`);
        await wait(names);
        ends[at]?.();
        await all.at(-1);
      }
    }
    ends[0]?.();
    await wait([...names, 'larger']);
    ends[9]?.();
    await wait([...names, 'larger', 'small 9']);
    ends[10]?.();
    expect(await Promise.all(all)).toHaveLength(11);
  });

  test('the queue of one owner does not cause jobs of another to be rejected', async () => {
    const { threads } = openStuck(1, { queueMax: 2 });
    const asked = ['a', 'a', 'a', 'b'].map((owner) => threads.run(order('x', owner)));
    const all = Promise.allSettled(asked);
    await expect(threads.run(order('x', 'a'))).rejects.toMatchObject({ code: 'service.busy' });
    await threads.close();
    expect((await all).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  });

  test('a job can have a deadline and an error of its own', async () => {
    const { threads } = openStuck(1);
    const error = () => new InnsigliError('flow.values.invalid', 'too much');
    const late = threads.run({ ...order('x'), deadline: { ms: 20, error } });
    await expect(late).rejects.toMatchObject({ code: 'flow.values.invalid', message: 'too much' });
  });

  test('terminate a job that takes too long; the next document gets a new thread', async () => {
    const lazy = fakeThreads(() => undefined);
    const keen = fakeThreads();
    let turn = 0;
    const start = () => (turn++ === 0 ? lazy : keen).host.start();
    const threads = openThreads({ ...keen.host, start }, { deadlineMs: 50 });
    const stuck = threads.run(order('verify'));
    await expect(stuck).rejects.toMatchObject({ code: 'service.timeout' });
    await expect(threads.run(order('nothing'))).resolves.toBeUndefined();
    expect([lazy.started.length, keen.started.length]).toEqual([1, 1]);
  });

  test('a crashing thread fails its own job only', async () => {
    const { host, started } = fakeThreads(() => undefined);
    const threads = openThreads(host);
    const [first, second] = [1, 2].map(() => threads.run(order('seal')));
    started[0]?.emit('error', new Error('out of memory'));
    await expect(first).rejects.toMatchObject({ code: 'internal.unexpected' });
    await vi.waitFor(() => expect(started).toHaveLength(2));
    await threads.close();
    await expect(second).rejects.toMatchObject({ code: 'service.busy' });
  });

  test('a thread that runs out of memory is reported as limit.exceeded', async () => {
    const { host, started } = fakeThreads(() => undefined);
    const running = openThreads(host).run(order('seal'));
    const error = Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    started[0]?.emit('error', error);
    await expect(running).rejects.toMatchObject({
      code: 'limit.exceeded',
      message: 'the work needs more than 512 MB of memory',
    });
  });

  test('terminate after being idle for a while', async () => {
    const { host, started } = fakeThreads();
    const threads = openThreads(host, { restMs: 20 });
    await threads.run(order('nothing'));
    const ended = new Promise((resolve) => started[0]?.on('exit', resolve));
    expect(await ended).toBe(1);
    await threads.run(order('nothing'));
    expect(started).toHaveLength(2);
  });
});

test('jobs run in a thread, and again in a new one if it crashes', async () => {
  const toolkit = openLocal();
  await toolkit.initialise({ name: 'Acme ehf.', user: 'owner@example.test' });
  const service = await toolkit.service();
  const { processes, flows, signing } = await service.open();
  const flowKey = (await flows.list())[0]?.flowKey ?? '';
  const complete = async () => {
    const signees = [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' as const }];
    const made = await processes.create({ flowKey, pdf: agreement, fileName: 'a.pdf', signees });
    const [signee] = made.signees;
    await signing.signByClick({ processKey: made.key, signeeKey: signee?.key ?? '' });
    return async () => (await processes.show({ key: made.key })).status;
  };
  const { host, started } = fakeThreads();
  let done = 0;
  const jobs = startJobThread(host, (worked) => {
    done = worked.done;
  });
  await expect.poll(await complete(), { timeout: 20_000 }).toBe('Completed');
  await expect.poll(() => done).toBeGreaterThan(0);
  const before = done;
  started[0]?.emit('error', new Error('out of memory'));
  await expect.poll(await complete(), { timeout: 20_000 }).toBe('Completed');
  await expect.poll(() => done).toBeGreaterThan(before);
  await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: 5000 });
  await jobs.stop();
  await service.close();
  toolkit.close();
}, 60_000);

class FakePart extends EventEmitter implements RoleProcess {
  readonly signals: string[] = [];
  readonly pid: number;
  readonly role: ProcessRole;
  readonly isStubborn: boolean;

  constructor(pid: number, role: ProcessRole, isStubborn = false) {
    super();
    this.pid = pid;
    this.role = role;
    this.isStubborn = isStubborn;
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.signals.push(signal);
    if (signal === 'SIGKILL' || !this.isStubborn) this.emit('exit', 0, null);
  }
}

describe('the processes of the service', () => {
  const open = (roles: readonly ProcessRole[], isStubborn = false) => {
    const parts: FakePart[] = [];
    const told: string[] = [];
    const running = startRoles({
      roles,
      fork: (role) => {
        const part = new FakePart(parts.length + 1, role, isStubborn);
        parts.push(part);
        return part;
      },
      told: (event, { pid, end }) => told.push([event, pid, end].join(' ').trim()),
      now: () => 0,
      endsMax: 2,
      closeMs: 20,
    });
    running.catch(() => undefined);
    const ready = (at: number) =>
      parts[at]?.emit('message', { url: parts[at]?.role === 'api' ? 'http://a:1' : '' });
    return { parts, told, running, ready };
  };
  const openReady = async (isStubborn = false) => {
    const it = open(['api', 'api', 'worker'], isStubborn);
    expect(it.parts).toHaveLength(1);
    it.ready(0);
    await vi.waitFor(() => expect(it.parts).toHaveLength(3));
    it.ready(1);
    it.ready(2);
    return { ...it, parts: it.parts, running: await it.running };
  };

  test('the first opens shared resources, a crashed one is replaced, and all are terminated', async () => {
    const { parts, told, running, ready } = await openReady();
    expect(running.url).toBe('http://a:1');
    expect(parts.map(({ role }) => role)).toEqual(['api', 'api', 'worker']);
    parts[2]?.emit('exit', null, 'SIGKILL');
    expect(parts[3]?.role).toBe('worker');
    ready(3);
    await running.close();
    expect(parts.map(({ signals }) => signals)).toEqual([
      ['SIGTERM'],
      ['SIGTERM'],
      [],
      ['SIGTERM'],
    ]);
    expect(told).toEqual(['began 1', 'began 2', 'began 3', 'ended 3 SIGKILL', 'began 4']);
    expect(parts).toHaveLength(4);
  });

  test('are given up if they keep crashing', async () => {
    const { parts, running } = await openReady();
    for (let at = 0; at < 3; at++) parts.at(-1)?.emit('exit', 1, null);
    expect(await running.lost).toMatchObject({ code: 'service.process.lost' });
    expect(parts).toHaveLength(5);
    expect(parts[0]?.signals).toEqual(['SIGTERM']);
  });

  test.each(['store.unavailable', 'store.busy', 'store.readonly', 'store.full'])(
    'are not given up during a database outage (%s), however long it lasts',
    async (why) => {
      const { parts, told, running, ready } = await openReady();
      vi.useFakeTimers();
      try {
        let isLost = false;
        void running.lost.then(() => {
          isLost = true;
        });
        for (let round = 0; round < 20; round++) {
          parts.at(-1)?.emit('message', { why });
          parts.at(-1)?.emit('exit', 6, null);
          expect(parts).toHaveLength(3 + round);
          await vi.advanceTimersByTimeAsync(15_000);
          expect(parts).toHaveLength(4 + round);
        }
        expect(isLost).toBe(false);
        ready(22);
        await vi.advanceTimersByTimeAsync(0);
        expect(told.at(-1)).toBe('began 23');
        // A fault of the program itself is still detected.
        for (let at = 0; at < 3; at++) parts.at(-1)?.emit('exit', 1, null);
        await vi.advanceTimersByTimeAsync(0);
        expect(await running.lost).toMatchObject({ code: 'service.process.lost' });
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('one that cannot start ends the rest, with its exit code', async () => {
    const { parts, running, ready } = open(['api', 'api']);
    ready(0);
    await vi.waitFor(() => expect(parts).toHaveLength(2));
    parts[1]?.emit('exit', 10, null);
    await expect(running).rejects.toMatchObject({ name: 'RoleNotReady', exitCode: 10 });
    expect(parts[0]?.signals).toEqual(['SIGTERM']);
  });

  test('one that does not end in time is killed', async () => {
    const { parts, running } = await openReady(true);
    await (running satisfies RunningRoles).close();
    expect(parts[0]?.signals).toEqual(['SIGTERM', 'SIGKILL']);
  });
});

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/service.cjs');
if (!isBuilt) console.warn('SKIPPED built program of workers.test.ts: run npm run build');

describe.skipIf(!isBuilt)('the built program (skipped when dist/ is missing)', () => {
  const begin = (...args: readonly string[]) => {
    const detached = true;
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, INNSIGLI_HOME: join(folder, 'p') };
    const words = [program, 'serve', '--port', '0', '--log', 'warn', ...args];
    const child: ChildProcess = spawn(process.execPath, words, { cwd: folder, env, detached });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        said[name] += String(chunk);
      });
    }
    const ended = new Promise<number | null>((done) => {
      child.on('exit', (code) => done(code));
    });
    return { child, said, ended };
  };
  const ask = async (url: string) => (await fetch(`${url.trim()}/healthz`)).status;

  const urlOf = ({ said }: ReturnType<typeof begin>) =>
    vi.waitFor(
      () => {
        expect(said.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
        return said.stdout;
      },
      { timeout: 90_000, interval: 100 },
    );
  const partsOf = ({ pid }: ChildProcess) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

  test('a signal to all processes at the same time lets running requests finish', async () => {
    const running = begin('--workers', '2');
    const { child, ended } = running;
    const url = new URL('/tsa', await urlOf(running));
    const headers = { 'content-type': 'application/timestamp-query', 'content-length': 9 };
    const sent = request(url, { method: 'POST', headers });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        // An unread response keeps its connection open, which is waited for.
        response.resume();
        resolve(response.statusCode);
      });
    });
    answered.catch(() => undefined);
    sent.write('half');
    await sleep(500);
    for (let times = 0; times < 2; times++) {
      process.kill(-(child.pid as number), 'SIGTERM');
      await sleep(700);
    }
    sent.end('whole');
    expect(await answered).toBeGreaterThanOrEqual(200);
    // The client keeps its connection open, which is no reason to wait for the deadline.
    expect(await Promise.race([ended, sleep(20_000, 'late')])).toBe(0);
  }, 150_000);

  test('exits with a code if its processes keep crashing', async () => {
    const running = begin('--workers', '2');
    const { child, said, ended } = running;
    await urlOf(running);
    const lost = () => said.stderr.split('"end":"SIGKILL"').length - 1;
    for (let times = 1; times <= 6; times++) {
      process.kill(partsOf(child)[0] as number, 'SIGKILL');
      await vi.waitFor(() => expect(lost()).toBe(times), { timeout: 10_000 });
    }
    expect(await ended).toBe(1);
    expect(said.stderr).toContain('error[service.process.lost]');
  }, 150_000);

  test('several processes serve one port, and a killed one is replaced', async () => {
    const running = begin('--workers', '2');
    const { child, said, ended } = running;
    try {
      const url = await urlOf(running);
      expect(await ask(url)).toBe(200);
      const pids = partsOf(child);
      expect(pids).toHaveLength(3);
      process.kill(pids[0] as number, 'SIGKILL');
      await vi.waitFor(() => expect(said.stderr).toContain('"end":"SIGKILL"'), { timeout: 10_000 });
      expect(await ask(url)).toBe(200);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  }, 150_000);

  test('a process that cannot start reports why once, and all end with its code', async () => {
    const missing = join(folder, 'no.pem');
    const { said, ended } = begin('--workers', '3', '--tls-key', missing, '--tls-cert', missing);
    expect(await ended).toBe(10);
    expect(said.stderr.match(/config\.invalid/g)).toHaveLength(1);
    expect(said.stdout).toBe('');
  }, 150_000);
});
