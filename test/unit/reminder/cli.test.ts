import { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import type { ReminderService, RemindRequest } from '../../../src/app/reminder/index.ts';
import { remind } from '../../../src/cli/commands/remind/remind.ts';
import type { CommandContext, ExitCode } from '../../../src/cli/context.ts';
import { asKey } from '../../../src/domain/keys.ts';

async function run(args: readonly string[], changes: Partial<ReminderService> = {}, json = false) {
  const toolkit = {
    remind: vi.fn(async (_: unknown, { delivery = 'Sms' }: RemindRequest) => ({
      key: asKey('process', 'sp1'),
      delivery,
      isDouble: false,
    })),
    cancelReminders: vi.fn(async () => 2),
    unsubscribe: vi.fn(async () => undefined),
    runDue: vi.fn(async () => ({ processes: 1, messages: 2, faults: 0 })),
    ...changes,
  };
  const said: string[] = [];
  const documents: object[] = [];
  const plain = { green: String };
  const service = { open: async () => ({ reminders: toolkit }), close: async () => undefined };
  const context = {
    io: {
      now: () => 0,
      env: { INNSIGLI_HOME: '/none' },
      cwd: '/none',
      openToolkit: async () => ({ service: async () => service, close: () => undefined }),
    },
    globals: {},
    console: {
      mode: { json, quiet: false, verbose: false, colour: false },
      style: async () => plain,
      note: (text: string) => said.push(text),
      result: (text: string) => said.push(text),
      document: (value: object) => documents.push(value),
      busy: (_: string, work: () => Promise<unknown>) => work(),
    },
  } as unknown as CommandContext;
  let exitCode: ExitCode | undefined;
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  remind(program, async (_, work) => {
    exitCode = await work(context);
  });
  await program.parseAsync(['remind', ...args], { from: 'user' });
  return { exitCode, said, documents, toolkit };
}

describe('innsigli remind', () => {
  test('reminds a signee of a process', async () => {
    const options = ['--delivery', 'email', '--include-unsubscribe', '--user', 'o@example.is'];
    const { exitCode, said, toolkit } = await run(['sp1', 'si1', ...options]);
    expect(exitCode).toBe(0);
    expect(said).toEqual(['✓ The reminder is queued for delivery by Email.', 'sp1']);
    expect(toolkit.remind).toHaveBeenCalledWith(
      { processKey: 'sp1', signeeKey: 'si1' },
      { delivery: 'Email', includeUnsubscribe: true, user: 'o@example.is' },
    );
  });

  test('reminds a person of a sequence', async () => {
    const { documents, toolkit } = await run(['pg1', 'gs1', '--delivery', 'None'], {}, true);
    expect(toolkit.remind).toHaveBeenCalledWith(
      { sequenceKey: 'pg1', personKey: 'gs1' },
      { delivery: 'None', includeUnsubscribe: false, user: 'System' },
    );
    expect(documents).toEqual([
      {
        v: 1,
        command: 'remind',
        processKey: 'sp1',
        signeeKey: 'gs1',
        delivery: 'None',
        isDouble: false,
      },
    ]);
  });

  test('defaults to the delivery of the signee and reports a duplicate', async () => {
    const { said, toolkit } = await run(['sp1', 'si1']);
    const target = { processKey: 'sp1', signeeKey: 'si1' };
    expect(toolkit.remind).toHaveBeenCalledWith(target, {
      includeUnsubscribe: false,
      user: 'System',
    });
    expect(said[0]).toBe('✓ The reminder is queued for delivery by Sms.');
    const double = { key: asKey('process', 'sp1'), delivery: 'Sms', isDouble: true } as const;
    const again = await run(['sp1', 'si1'], { remind: async () => double });
    expect(again.said[0]).toBe('A reminder by Sms is already queued; no second one is sent.');
  });

  test.each([
    [[]],
    [['sp1', '--delivery', 'Email']],
    [['sp1', 'si1', '--delivery', 'Pigeon']],
    [['sp1', 'si1', '--include-unsubscribe']],
    [['sp1', 'si1', '--delivery', 'Sms', '--include-unsubscribe']],
  ])('rejects %j', async (args) => {
    await expect(run(args)).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  test('has the subcommands cancel and run', async () => {
    const cancelled = await run(['cancel', 'sp1', 'si1', '--user', 'o@example.is']);
    expect(cancelled.toolkit.cancelReminders).toHaveBeenCalledWith(
      { processKey: 'sp1', signeeKey: 'si1' },
      'o@example.is',
    );
    expect(cancelled.said).toEqual(['✓ No more reminders are planned for 2 documents.']);
    const done = await run(['run']);
    expect(done.exitCode).toBe(0);
    expect(done.said).toEqual(['2 messages tried, reminders of 1 document checked, 0 failed']);
  });

  test('run exits with 3 after a fault', async () => {
    const runDue = async () => ({ processes: 0, messages: 1, faults: 1 });
    const { exitCode, documents } = await run(['run'], { runDue }, true);
    expect(exitCode).toBe(3);
    expect(documents).toEqual([
      { v: 1, command: 'remind run', processes: 0, messages: 1, faults: 1 },
    ]);
  });
});
