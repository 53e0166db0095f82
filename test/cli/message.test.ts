import { describe, expect, test } from 'vitest';
import type { WorkReport } from '../../src/app/company-service.ts';
import type { MessageQuery, MessageService, MessageView } from '../../src/app/message/index.ts';
import { asKey } from '../../src/domain/keys.ts';
import type { Service } from '../../src/wire/service/service.types.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

const message: MessageView = {
  id: 'ms12',
  companyKey: asKey('company', 'c1'),
  processKey: asKey('process', 'sp1'),
  template: 'Signup',
  channel: 'Email',
  to: 'a@example.is\u001b[31m',
  includeUnsubscribe: false,
  state: 'waiting',
  attempts: 2,
  lastErrorCode: 'mail.failed',
  createdAtMs: 0,
  nextAtMs: Date.UTC(2026, 0, 31, 12),
};

function open(report: WorkReport = { done: 0, failed: [] }, listed = message) {
  const queries: (MessageQuery | undefined)[] = [];
  const retried: string[] = [];
  const all: Parameters<MessageService['retryAll']>[0][] = [];
  const messages: MessageService = {
    list: async (query) => {
      queries.push(query);
      return [listed];
    },
    retry: async (id) => {
      retried.push(id);
      return { ...message, id };
    },
    retryAll: async (query) => {
      all.push(query);
      const isNone = query.processKey === 'sp0';
      return { due: isNone ? [] : [{ ...message, state: 'waiting' }], leftCount: 2 };
    },
  };
  const work: Service['work'] = async (_kinds, _signal, told) => {
    for (const each of report.failed) told?.(each);
    return report;
  };
  const toolkit = withService({ messages, runDueJobs: work });
  const run = (line: string) => openFakeCli().run(line.split(' '), { toolkit });
  return { run, queries, retried, all };
}

describe('message', () => {
  test('list prints messages with their state, the cause and the next attempt', async () => {
    const { run, queries } = open();
    const found = await run('message list');
    expect(found).toMatchObject({ exitCode: 0 });
    expect(found.stdout).toContain('ms12  waiting   Signup        Email');
    expect(found.stdout).toContain('2 tries  last: mail.failed  next: 2026-01-31T12:00:00Z  sp1');
    expect(found.stdout).not.toContain('\u001b[31m');
    await run('message list sp1 --state failed --state sent --take 5');
    expect(queries).toEqual([
      { take: 100 },
      { take: 5, processKey: 'sp1', states: ['failed', 'sent'] },
    ]);
    expect(JSON.parse((await run('message list --json')).stdout).messages[0].id).toBe('ms12');
  });

  test('list shows the last error of a pending message without control characters', async () => {
    const held = {
      ...message,
      lastErrorCode: 'mail.configuration',
      lastError: 'the mail server returned 535 to AUTH\u001b[31m',
    };
    const { run } = open(undefined, held);
    const { stdout } = await run('message list');
    expect(stdout).toContain('last: mail.configuration');
    expect(stdout).toContain('the mail server returned 535 to AUTH');
    expect(stdout).not.toContain('\u001b[31m');
  });

  test('retry accepts IDs, or all pending or failed messages of the company or a process', async () => {
    const { run, retried, all } = open();
    expect((await run('message retry ms3 ms2')).exitCode).toBe(0);
    expect(retried).toEqual(['ms3', 'ms2']);
    const found = await run('message retry --failed');
    expect(found).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ms12  waiting') });
    expect(found.stderr).toContain(
      '1 message due, 2 skipped: expired one-time codes, or already sent',
    );
    const json = JSON.parse((await run('message retry --failed --waiting --json')).stdout);
    expect(json).toMatchObject({ messages: [{ id: 'ms12' }], leftCount: 2 });
    await run('message retry --waiting --process sp1');
    expect(all).toEqual([
      { states: ['failed'] },
      { states: ['waiting', 'failed'] },
      { states: ['waiting'], processKey: 'sp1' },
    ]);
  });

  test('retry recommends the worker only if a message is due', async () => {
    const { run } = open();
    const next = 'Next, to send them: innsigli worker --once';
    expect((await run('message retry --waiting')).stderr).toContain(next);
    const none = await run('message retry --waiting --process sp0');
    expect(none.stderr).toContain('0 messages due, 2 skipped');
    expect(none.stderr).not.toContain('Next');
  });

  test.each([
    'message retry',
    'message retry ms1 --waiting',
    'message retry ms1 --failed',
    'message retry ms1 --process sp1',
    'message retry --process sp1',
    'message list --state late',
  ])('`%s` is a usage error', async (line) => {
    expect((await open().run(line)).exitCode).toBe(2);
  });
});

test('worker --once reports each failure and its next step, and exits with 3', async () => {
  const { run } = open({
    done: 1,
    failed: [
      { kind: 'message', ref: 'ms12', code: 'mail.failed', isFinal: false },
      { kind: 'message', ref: 'ms13', code: 'mail.refused', isFinal: true },
      { kind: 'message', ref: 'ms14', code: 'sms.failed', why: 'no answer', isFinal: false },
      { kind: 'finalize', ref: 'sp1', code: 'tsa.unreachable', isFinal: true },
    ],
  });
  const { exitCode, stderr } = await run('worker --once');
  expect(exitCode).toBe(3);
  const said = stderr.replace(/\s+/g, ' ');
  expect(said).toContain('message ms12: mail.failed; it will be retried');
  expect(said).toContain('message ms14: sms.failed, no answer; it will be retried');
  expect(said).toContain(
    'mail.refused; it was given up; restart it with innsigli message retry ms13',
  );
  expect(said).toContain(
    'tsa.unreachable; it was given up; restart it with innsigli process finalize sp1',
  );
  expect(said).toContain('1 done, 4 failed');
});
