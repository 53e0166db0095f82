import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../src/base/errors.ts';
import { openSemaphore } from '../../src/base/semaphore.ts';
import type { BatchTask, ItemResult, JournalRecord } from '../../src/cli/batch/batch.types.ts';
import { openJournal } from '../../src/cli/batch/journal/journal.ts';
import { takeLock } from '../../src/cli/batch/journal/lock.ts';
import { commonFolder, parseNameList } from '../../src/cli/batch/plan/selection.ts';
import { openPacer, runTasks } from '../../src/cli/batch/threads/runner.ts';
import { openWatch, retryMs, stableMs } from '../../src/cli/batch/watch.ts';
import { openChannel } from '../../src/wire/threads/thread-channel.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { fc } from '../support/property.ts';

function folder(): string {
  const path = newTemporaryFolder('batch');
  return path;
}

function record(input: string): JournalRecord {
  const facts = { inputBytes: 3, mtimeMs: 1, outputBytes: 9, tailSha256: 'ab'.repeat(32) };
  return { input, output: `${input}.out`, ...facts };
}

describe('the journal of a batch', () => {
  const options = (path: string) => ({ path, fingerprint: 'f', force: false, resume: true });

  test('returns every record that was added, even by concurrent calls', async () => {
    const path = join(folder(), 'j');
    const journal = await openJournal(options(path));
    const names = Array.from({ length: 50 }, (_, index) => `/ð/${index}\n"x"`);
    await Promise.all(names.map((name) => journal.add('done', record(name))));
    await journal.add('intent', record('/later'));
    await journal.close();
    const again = await openJournal(options(path));
    expect(names.map((name) => again.find(name))).toEqual(names.map(record));
    expect(again.find('/later')).toEqual({ ...record('/later'), isIntent: true });
    expect(again.find('/none')).toBeUndefined();
    await again.close();
  });

  test('cuts off a line torn at any byte and writes the next one intact', async () => {
    const path = join(folder(), 'j');
    const journal = await openJournal(options(path));
    await journal.add('done', record('/a'));
    const whole = readFileSync(path);
    await journal.add('done', record('/ð'));
    await journal.close();
    const all = readFileSync(path);
    for (let end = whole.length; end < all.length; end += 1) {
      writeFileSync(path, all.subarray(0, end));
      const resumed = await openJournal(options(path));
      expect(resumed.find('/a')).toEqual(record('/a'));
      expect(resumed.find('/ð')).toBeUndefined();
      await resumed.add('done', record('/c'));
      await resumed.close();
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).done?.input)).toEqual([undefined, '/a', '/c']);
    }
  });

  test('treats a first line torn at any byte as an empty journal', async () => {
    const path = join(folder(), 'j');
    await (await openJournal(options(path))).close();
    const all = readFileSync(path);
    for (let end = 0; end < all.length; end += 1) {
      writeFileSync(path, all.subarray(0, end));
      const begun = await openJournal({ ...options(path), resume: false });
      await begun.close();
      expect(readFileSync(path).equals(all)).toBe(true);
    }
  });

  test.each([
    ['not JSON', 'nonsense\n', 'batch.journal.invalid'],
    ['a different file', '{"v":1}\n', 'batch.journal.invalid'],
    ['a number', '7\n', 'batch.journal.invalid'],
    [
      'a journal with different options',
      '{"v":1,"journal":"innsigli batch","options":"x"}\n',
      'batch.journal.invalid',
    ],
  ])('rejects %s as a journal to resume', async (_, text, code) => {
    const path = join(folder(), 'j');
    writeFileSync(path, text);
    await expect(openJournal(options(path))).rejects.toMatchObject({ code });
  });

  test('rejects a corrupt line in the middle and names it', async () => {
    const path = join(folder(), 'j');
    const journal = await openJournal(options(path));
    await journal.close();
    appendFileSync(path, '{"done"\n{"finished":{}}\n');
    await expect(openJournal(options(path))).rejects.toThrow('line 2');
  });

  test('without resume replaces a finished journal, but an unfinished one only with force', async () => {
    const path = join(folder(), 'j');
    const fresh = { ...options(path), resume: false };
    const journal = await openJournal(fresh);
    await journal.add('done', record('/a'));
    await expect(openJournal(fresh)).rejects.toMatchObject({ code: 'batch.unfinished' });
    await journal.finish({});
    await journal.close();
    const next = await openJournal(fresh);
    expect(next.find('/a')).toBeUndefined();
    await next.close();
    await (await openJournal({ ...fresh, force: true })).close();
  });
});

describe('the lock of a batch', () => {
  const random = () => new Uint8Array([1, 2, 3]);
  const started = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[19];

  test('is exclusive until it is released', () => {
    const path = join(folder(), 'l');
    const lock = takeLock(path, random);
    expect(() => takeLock(path, random)).toThrow('another batch');
    lock.release();
    takeLock(path, random).release();
  });

  test.each([
    ['of a dead process', { pid: 2 ** 22 + 1, host: hostname(), started: '1' }, true],
    [
      'of a different process with a reused ID',
      { pid: process.pid, host: hostname(), started: '1' },
      true,
    ],
    ['that was written incompletely', '{"pid":', true],
    ['of this process', { pid: process.pid, host: hostname(), started }, false],
    ['of a different machine', { pid: 1, host: 'other', started: '1' }, false],
  ])('is taken over only if stale or incomplete: a lock %s', (_, content, isTaken) => {
    const path = join(folder(), 'l');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    if (isTaken) takeLock(path, random).release();
    else expect(() => takeLock(path, random)).toThrow(InnsigliError);
  });
});

describe('the channel between threads', () => {
  test('transfers responses and errors, and rejects pending calls when the other side ends', async () => {
    const { port1, port2 } = new MessageChannel();
    const near = openChannel(port1, { double: (value: number) => value * 2 });
    const far = openChannel(port2, {
      fail: () => {
        throw new InnsigliError('key.expired', 'too old', { hint: 'renew', details: { days: 3 } });
      },
      wait: () => new Promise(() => undefined),
    });
    expect(await Promise.all([far.call('double', 2), far.call('double', 4)])).toEqual([4, 8]);
    const error = await near.call('fail').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'key.expired', hint: 'renew', details: { days: 3 } });
    const waiting = near.call('wait');
    near.fail(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(near.call('wait')).rejects.toThrow('gone');
    port1.close();
  });
});

function task(name: string, sizeBytes = 1, mtimeMs = 0): BatchTask {
  return { name, path: `/${name}`, relative: name, sizeBytes, mtimeMs };
}

const good: ItemResult = { status: 'done', elapsedMs: 0, inputBytes: 1 };

async function* each(tasks: readonly BatchTask[]): AsyncGenerator<BatchTask, undefined> {
  yield* tasks;
}

describe('the task runner', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 30 });
  test('runs each document once and never exceeds the byte limit except for a single document', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 5 }), async (all, jobs) => {
        let inside = 0;
        let bytes = 0;
        const seen: string[] = [];
        const worker = {
          async run({ name, sizeBytes }: BatchTask) {
            inside += 1;
            bytes += sizeBytes;
            expect(bytes <= 100 || inside === 1).toBe(true);
            await new Promise((resolve) => setImmediate(resolve));
            inside -= 1;
            bytes -= sizeBytes;
            seen.push(name);
            return good;
          },
          close: async () => undefined,
        };
        const tasks = all.map((sizeBytes, index) => task(String(index), sizeBytes));
        let settled = 0;
        await runTasks({
          tasks: each(tasks),
          workers: Array.from({ length: jobs }, () => worker),
          maxInflightBytes: 100,
          mayStop: () => false,
          async settle() {
            settled += 1;
          },
        });
        expect(seen.sort()).toEqual(tasks.map(({ name }) => name).sort());
        expect(settled).toBe(tasks.length);
      }),
      { numRuns: 40 },
    );
  });

  test('stops when settling a task throws', async () => {
    let begun = 0;
    const run = async () => {
      begun += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return good;
    };
    const workers = [{ run, close: async () => undefined }];
    const tasks = each(Array.from({ length: 100 }, (_, index) => task(String(index))));
    const settle = () => Promise.reject(new Error('disk full'));
    const options = { tasks, workers, maxInflightBytes: 1, mayStop: () => false, settle };
    await expect(runTasks(options)).rejects.toThrow('disk full');
    expect(begun).toBeLessThan(10);
  });

  test('the semaphore admits callers in order', async () => {
    const room = openSemaphore(10);
    const order: string[] = [];
    await room.take(8);
    const large = room.take(9).then(() => order.push('large'));
    const small = room.take(1).then(() => order.push('small'));
    room.give(8);
    await Promise.all([large, small]);
    expect(order).toEqual(['large', 'small']);
  });

  test('the pacer spreads requests evenly over the minute', async () => {
    let nowMs = 1000;
    const waits: number[] = [];
    const pace = openPacer(
      60,
      () => nowMs,
      async (timeMs) => void waits.push(timeMs),
    );
    await Promise.all([pace(), pace(), pace()]);
    nowMs += 10_000;
    await pace();
    expect(waits).toEqual([1000, 2000]);
  });
});

describe('a watched folder, with a simulated clock', () => {
  /** Which files exist at each second, and which documents fail. */
  async function watched(
    look: (second: number) => readonly BatchTask[],
    seconds: number,
    isGood: (name: string) => boolean = () => true,
  ): Promise<readonly string[]> {
    let nowMs = 0;
    const events: string[] = [];
    const watch = openWatch({
      scan: async () => look(nowMs / 1000),
      now: () => nowMs,
      async wait(timeMs) {
        nowMs += timeMs;
      },
      mayStop: () => nowMs >= seconds * 1000,
      quarantine: ({ name }, failures) => {
        events.push(`${nowMs / 1000} quarantine ${name} ${failures}`);
      },
      quarantineAfter: 3,
    });
    for await (const found of watch.tasks()) {
      events.push(`${nowMs / 1000} ${found.name} ${found.sizeBytes}`);
      watch.settled(found, isGood(found.name));
    }
    return events;
  }
  const stable = stableMs / 1000;

  test('yields a file once, when it has not changed for a while', async () => {
    expect(await watched(() => [task('a')], 20)).toEqual([`${stable} a 1`]);
  });

  test('yields a growing file only when it stops growing', async () => {
    const events = await watched((second) => [task('a', Math.min(second, 7))], 20);
    expect(events).toEqual([`${7 + stable} a 7`]);
  });

  test('yields a file again that changed, or that was deleted and created again', async () => {
    const changes = await watched((second) => [task('a', 1, second < 10 ? 0 : 1)], 20);
    expect(changes).toEqual([`${stable} a 1`, `${10 + stable} a 1`]);
    const back = await watched((second) => (second === 10 ? [] : [task('a')]), 20);
    expect(back).toEqual([`${stable} a 1`, `${11 + stable} a 1`]);
  });

  test('a file that keeps failing is tried three times at growing intervals, then quarantined', async () => {
    const events = await watched(
      () => [task('a'), task('b')],
      60,
      (name) => name === 'b',
    );
    const second = stable + retryMs / 1000;
    const third = second + (2 * retryMs) / 1000;
    expect(events).toEqual([
      `${stable} a 1`,
      `${stable} b 1`,
      `${second} a 1`,
      `${third} a 1`,
      `${third} quarantine a 3`,
    ]);
  });
});

test.each([
  [['/a/b/c', '/a/b/d'], '/a/b'],
  [['/a/b/c', '/a/bc/d'], '/a'],
  [['/a', '/b/c'], '/'],
  [['/a/b'], '/a'],
])('the common folder of %j is %s', (paths, expected) => {
  expect(commonFolder(paths)).toBe(expected);
});

test.each([
  ['a\nb\r\n\nc', ['a', 'b', 'c']],
  ['a\nb\0c\0', ['a\nb', 'c']],
  ['', []],
])('a name list is split into its names: %j', (text, expected) => {
  expect(parseNameList(text)).toEqual(expected);
});
