import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWebhookReceiver, webhookTransport } from '../../../src/adapters/delivery/index.ts';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { webhook } from '../../../src/cli/commands/webhook/group.ts';
import type { CommandContext } from '../../../src/cli/context.ts';
import type { CliIo } from '../../../src/cli/io.ts';
import { openConsole } from '../../../src/cli/output/index.ts';
import { newWebhookSecret, standardHeaders } from '../../../src/domain/webhook/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { testFlow, testProcess } from '../../support/store.ts';
import { openWebhookWorld, type WebhookWorld } from '../app/webhook/webhook-world.ts';

const url = 'https://hook.example.is/in';

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only the commands, over a real store. */
function openCli(world: WebhookWorld, setup: Partial<CliIo> = {}) {
  const folder = newTemporaryFolder('webhook');
  const run = async (line: string, stdin = ''): Promise<Run> => {
    const out = { stdout: '', stderr: '' };
    const stream = (name: 'stdout' | 'stderr') => ({
      isTerminal: false,
      write: (chunk: string | Uint8Array) => {
        out[name] += Buffer.from(chunk).toString('utf8');
      },
    });
    const flows = { list: async () => [{ flowKey: testFlow.key }] };
    const service = {
      open: async () => ({ webhooks: world.webhooks, flows }),
      close: async () => undefined,
    };
    const io = {
      stdin: {
        isTerminal: false,
        async *chunks() {
          yield Buffer.from(stdin);
        },
      },
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      env: { HOME: folder, INNSIGLI_HOME: folder },
      cwd: folder,
      now: world.now,
      waitForStop: async () => 'SIGINT',
      openToolkit: async () => ({ service: async () => service, close: () => undefined }),
      ...setup,
    } as unknown as CliIo;
    let exitCode = -1;
    const program = new Command('innsigli').exitOverride().option('--json');
    webhook(program, async (_command, work) => {
      const json = line.endsWith(' --json');
      const manner = { json, quiet: false, verbose: false, colour: false };
      const globals = { ...manner, input: true, color: false, debug: false };
      const context: CommandContext = { io, console: openConsole(io, manner), globals };
      try {
        exitCode = await work(context);
      } catch (error) {
        if (!isInnsigliError(error)) throw error;
        out.stderr += `${error.code}: ${error.message}`;
        exitCode = error.kind.exitCode;
      }
    });
    await program.parseAsync(line.replace(/ --json$/, '').split(' '), { from: 'user' });
    return { exitCode, ...out };
  };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return { run, write };
}

describe('webhook commands', () => {
  test('create prints the secret once; list prints it only on request', async () => {
    const { run } = openCli(await openWebhookWorld());
    const made = await run(`webhook create ${url} --type AllSigned`);
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    const secret = /whsec_\S+/.exec(made.stderr)?.[0] ?? 'none';
    const list = await run('webhook list');
    expect(list.stdout).toContain(`${made.stdout.trim()}  AllSigned  ${url}`);
    expect(list.stdout + list.stderr).not.toContain('whsec_');
    expect((await run('webhook list --print-secret')).stdout).toContain(secret);
    expect(JSON.parse((await run('webhook list --json')).stdout).webhooks).toHaveLength(1);
  });

  test('create reads a secret from a file and does not print it', async () => {
    const { run, write } = openCli(await openWebhookWorld());
    const own = newWebhookSecret((count) => new Uint8Array(count).fill(5));
    write('secret', `${own}\n`);
    const made = await run(`webhook create ${url} --type Created --secret-file secret --json`);
    expect(made.exitCode).toBe(0);
    expect(made.stdout + made.stderr).not.toContain('whsec_');
    expect((await run('webhook list --print-secret')).stdout).toContain(own);
    write('two', `${own}\n${own}\n`);
    expect((await run(`webhook create ${url} --type Created --secret-file two`)).exitCode).toBe(2);
    expect((await run(`webhook create ${url} --type Created --secret-file no`)).exitCode).toBe(5);
  });

  test.each([
    ['webhook create http://10.0.0.1/ --type AllSigned', 2, 'webhook.url.invalid'],
    [`webhook create ${url} --type NotSet`, 2, 'validation.error'],
    [`webhook create ${url} --type AllSigned --schedule never`, 2, 'usage.invalid'],
    [`webhook create ${url} --type AllSigned --flow nope`, 5, 'flow.not_found'],
    ['webhook update 1', 2, 'usage.invalid'],
    ['webhook update 1 --on --off', 2, 'usage.invalid'],
    ['webhook update x --on', 2, 'usage.invalid'],
    ['webhook update 9 --on', 5, 'webhook.not_found'],
    ['webhook delete 9', 5, 'webhook.not_found'],
    ['webhook deliveries --take 0', 2, 'usage.invalid'],
    ['webhook deliveries --state odd', 2, 'usage.invalid'],
    ['webhook deliveries --since never', 2, 'usage.invalid'],
    ['webhook deliveries --body', 2, 'usage.invalid'],
    ['webhook deliveries wd00', 5, 'webhook.not_found'],
    ['webhook replay', 2, 'usage.invalid'],
    ['webhook replay wd00 --webhook 1', 2, 'usage.invalid'],
    ['webhook replay wd00 --since 7d', 2, 'usage.invalid'],
    ['webhook trigger AllSigned', 5, 'webhook.not_found'],
    ['webhook trigger Nothing', 2, 'validation.error'],
    ['webhook ping 9', 5, 'webhook.not_found'],
    ['webhook listen --port 99999', 2, 'usage.invalid'],
    ['webhook listen --forward-to nowhere', 2, 'usage.invalid'],
  ])('%s exits with %i %s', async (line, exitCode, code) => {
    const { run } = openCli(await openWebhookWorld());
    const found = await run(line);
    expect(found).toMatchObject({ exitCode, stdout: '' });
    expect(found.stderr).toContain(code);
  });

  test('trigger, ping, deliveries, replay, update and delete work together', async () => {
    const world = await openWebhookWorld();
    const { run } = openCli(world);
    const hook = (await run(`webhook create ${url} --type SignedDocument`)).stdout.trim();
    world.answer(() => ({ status: 500, head: 'bad\u001b[31m' }));
    expect((await run('webhook trigger SignedDocument')).exitCode).toBe(9);
    expect((await run(`webhook ping ${hook}`)).exitCode).toBe(7);
    world.answer(() => 406);
    await world.record(testProcess(1), { type: 'SignedDocument', withDocument: false });
    await world.deliver();
    const dead = await run(`webhook deliveries --state dead --webhook ${hook} --since 1d`);
    const id = /^wd\S+/.exec(dead.stdout)?.[0] ?? 'none';
    expect(dead.stdout).toContain('last: 406');
    const shown = await run(`webhook deliveries ${id}`);
    expect(shown.stdout).toMatch(/\n {2}1 {2}2026\S+ {2}0 ms {2}406\n/);
    const all = await run('webhook deliveries');
    const tried = /^wd\S+(?=.*last: 500)/m.exec(all.stdout)?.[0] ?? 'none';
    expect((await run(`webhook deliveries ${tried}`)).stdout).toContain('bad\\u{1b}[31m');
    const body = await run(`webhook deliveries ${id} --body`);
    expect(JSON.parse(body.stdout).EventData.ProcessKey).toBe(testProcess(1).key);
    expect(await run(`webhook replay ${id}`)).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    world.answer(() => 200);
    await world.deliver();
    expect((await run(`webhook replay --webhook ${hook} --since 1d`)).stderr).toContain('nothing');
    expect((await run(`webhook ping ${hook} --json`)).stdout).toContain('"isAccepted":true');
    expect((await run(`webhook update ${hook} --off`)).stdout).toContain('off');
    expect((await run(`webhook replay ${id}`)).exitCode).toBe(6);
    const rotated = await run(`webhook update ${hook} --on --rotate-secret --ordered on`);
    expect(rotated.stdout).toContain('ordered, 2 secrets');
    expect(rotated.stderr).toContain('whsec_');
    expect((await run(`webhook update ${hook} --drop-old-secrets`)).stdout).not.toContain(
      'secrets',
    );
    expect((await run(`webhook delete ${hook}`)).exitCode).toBe(0);
    expect((await run('webhook list')).stdout).toBe('');
  });

  test.each([
    ['valid', {}, '', 0],
    ['a changed body', {}, ' ', 7],
    ['too old', { laterMs: 3_600_000 }, '', 7],
    ['old with --any-age', { laterMs: 3_600_000, more: ' --any-age' }, '', 0],
    ['a different ID', { more: ' --header webhook-id:other' }, '', 7],
  ])(
    'verify exits by the signatures: %s',
    async (_, { laterMs = 0, more = '' }: { laterMs?: number; more?: string }, tail, exitCode) => {
      const world = await openWebhookWorld();
      const { run, write } = openCli(world);
      const secret = newWebhookSecret((count) => new Uint8Array(count).fill(5));
      const body = Buffer.from('{"Id":"a"}');
      const headers = standardHeaders({ id: 'a', atMs: world.now(), body, secrets: [secret] });
      const lines = Object.entries(headers).map(
        ([name, value]) => `${name.toUpperCase()}: ${value}`,
      );
      write('secret', secret);
      write('headers', `POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\n`);
      world.pass(laterMs);
      const line = `webhook verify --secret-file secret --headers-file headers${more}`;
      const found = await run(line, `${body}${tail}`);
      expect(found.exitCode).toBe(exitCode);
      expect(found.stdout).toContain('webhook-signature');
      expect(found.stdout).not.toContain('whsec_');
      const asJson = JSON.parse((await run(`${line} --json`, `${body}${tail}`)).stdout);
      expect(asJson.isValid).toBe(exitCode === 0);
    },
  );

  test('listen prints requests until it is interrupted', async () => {
    const transport = webhookTransport({ allowNetworks: [], allowLoopback: true, offline: false });
    onTestFinished(() => transport.close());
    const world = await openWebhookWorld({ transport, openReceiver: openWebhookReceiver });
    const waitForStop = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await world.webhooks.trigger({ type: 'AllSigned', flowKey: testFlow.key });
      return 'SIGINT' as const;
    };
    const { run } = openCli(world, { waitForStop });
    const found = await run('webhook listen --events AllSigned');
    expect(found.exitCode).toBe(130);
    expect(found.stdout).toMatch(/✓ AllSigned {2}[0-9a-f]{32} {2}\d+ bytes {2}answered 200/);
    expect(found.stdout + found.stderr).not.toContain('whsec_');
    const lines = (await run('webhook listen --print-secret --json')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['AllSigned']);
    expect(await world.webhooks.list()).toEqual([]);
  });
});
