import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStampFonts } from '../../src/adapters/appearance/index.ts';
import { flowOperations, flowWork } from '../../src/app/flow/index.ts';
import { bindOperations } from '../../src/app/operation.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testFlow,
  testNowMs,
} from '../support/store.ts';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

let opened: TestStore;

beforeEach(async () => {
  opened = await openTestStore();
});

afterEach(() => opened.close());

let octet = 0;

function setup(): CliSetup {
  const ports = {
    store: opened.store,
    blobs: opened.blobs,
    now: () => testNowMs,
    random: (count: number) => new Uint8Array(count).fill(++octet),
    fonts: readStampFonts,
    work: flowWork(readStampFonts),
  };
  return {
    toolkit: withService({ flows: bindOperations(flowOperations, ports, testCompany.key) }),
  };
}

const letter = JSON.stringify({
  v: 1,
  title: 'Letter to {{name}}',
  blocks: [{ type: 'paragraph', text: 'Dear {{name}}' }],
});

describe('flow create, list, show, update', () => {
  test('take settings from options', async () => {
    const cli = openFakeCli({ 'a.css': 'a { color: red }' });
    const made = await cli.run(
      [
        'flow',
        'create',
        '--name',
        'Orders',
        '--type',
        'dropandsign',
        '--css',
        'a.css',
        '--set',
        'expiresAfterDays=14',
        '--set',
        'mayDecline=true',
        '--set',
        'reminderRule=1:3',
      ],
      setup(),
    );
    expect(made.exitCode).toBe(0);
    const key = made.stdout.trim();
    const list = await cli.run(['flow', 'list'], setup());
    expect(list.stdout.split('\n').sort().join('\n').trim()).toContain(
      `${key}  DropAndSign  Orders`,
    );
    const shown = JSON.parse((await cli.run(['flow', 'show', key, '--json'], setup())).stdout);
    expect(shown.flow).toMatchObject({
      expiresAfterDays: 14,
      mayDecline: true,
      reminderRule: '1:3',
    });
    expect((await cli.run(['flow', 'show', key, '--css'], setup())).stdout).toBe(
      'a { color: red }\n',
    );
    const changed = await cli.run(
      ['flow', 'update', key, '--deactivate', '--set', 'expiresAfterDays=null', '--json'],
      setup(),
    );
    expect(JSON.parse(changed.stdout).flow).toMatchObject({ active: false, expiresAfterDays: 30 });
    expect((await cli.run(['flow', 'list'], setup())).stdout).toContain('inactive');
    expect((await cli.run(['flow', 'show', key], setup())).stdout).toMatch(/name +Orders/);
  });

  test('take settings from a file; options take precedence', async () => {
    const file = {
      name: 'A',
      type: 'DropAndSign',
      settings: { mayDecline: true, retentionDays: 5 },
    };
    const cli = openFakeCli({ 'flow.json': JSON.stringify(file) });
    const args = ['--settings', 'flow.json', '--name', 'B', '--set', 'retentionDays=6', '--json'];
    const { flow } = JSON.parse((await cli.run(['flow', 'create', ...args], setup())).stdout);
    expect(flow).toMatchObject({ name: 'B', mayDecline: true, retentionDays: 6 });
  });

  test.each<[readonly string[], number, RegExp]>([
    [['create'], 2, /name: expected a name/],
    [['create', '--name', 'x', '--type', 'Other'], 2, /type: expected one of/],
    [['create', '--settings', 'none.json'], 5, /no such file: none\.json/],
    [['create', '--settings', 'list.json'], 2, /expected a JSON object/],
    [
      ['create', '--name', 'x', '--type', 'RenderFlow', '--set', 'a'],
      2,
      /--set: expected NAME=VALUE/,
    ],
    [
      ['create', '--name', 'x', '--type', 'RenderFlow', '--set', 'defaultSignees=[1'],
      2,
      /expected JSON/,
    ],
    [['create', '--name', 'x', '--type', 'RenderFlow', '--template', 'list.json'], 2, /"v": 1/],
    [['create', '--name', 'x', '--type', 'FillAndSign', '--template', 'list.json'], 7, /PDF/],
    [['show', 'unknown'], 5, /no flow unknown/],
    [['update', testFlow.key], 2, /something to change/],
    [['update', testFlow.key, '--activate', '--deactivate'], 2, /found both/],
    [['list', '--type', 'Other'], 2, /--type/],
  ])('`flow %j` exits with %d', async (args, exitCode, stderr) => {
    const cli = openFakeCli({ 'list.json': '[]' });
    const run = await cli.run(['flow', ...args], setup());
    expect([run.exitCode, run.stderr]).toEqual([exitCode, expect.stringMatching(stderr)]);
  });
});

describe('flow schema', () => {
  test('is stored, listed, printed and published', async () => {
    const cli = openFakeCli({
      's.json': '{"required":["name"]}',
      'bad.json': '{"$ref":"http://x.example"}',
    });
    const schema = (...args: readonly string[]) =>
      cli.run(['flow', 'schema', testFlow.key, ...args], setup());
    expect((await schema('1', '--put', 's.json')).exitCode).toBe(0);
    expect((await schema('1')).stdout).toBe('{"required":["name"]}\n');
    expect((await schema()).stdout).toBe('1  2026-01-02T03:04:05.000Z\n');
    expect((await schema('1', '--publish')).exitCode).toBe(0);
    expect((await schema()).stdout).toContain('published');
    expect(JSON.parse((await schema('--json')).stdout).versions).toMatchObject([
      { isPublished: true },
    ]);
    expect((await schema('2', '--put', 'bad.json')).exitCode).toBe(7);
    expect((await schema('2')).exitCode).toBe(5);
    expect((await schema('--publish')).exitCode).toBe(2);
  });
});

describe('flow render', () => {
  test('creates the document and replaces an existing file only with --force', async () => {
    const cli = openFakeCli({ 't.json': letter, 'v.json': '{"name":"Þórður"}' });
    const args = ['--name', 'Letter', '--type', 'RenderFlow', '--template', 't.json'];
    const key = (await cli.run(['flow', 'create', ...args], setup())).stdout.trim();
    const render = (...more: readonly string[]) =>
      cli.run(['flow', 'render', key, ...more], setup());
    expect((await render('--values', 'v.json')).stdout).toBe('Letter.pdf\n');
    expect(readFileSync(join(cli.folder, 'Letter.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await render('--values', 'v.json')).exitCode).toBe(2);
    expect((await render('--values', 'v.json', '--force')).exitCode).toBe(0);
    expect((await render('--values', 'v.json', '-o', '-')).stdoutBytes.subarray(0, 5)).toEqual(
      Buffer.from('%PDF-'),
    );
    expect(await render()).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining('name has no value'),
    });
    const none = await cli.run(['flow', 'render', testFlow.key], setup());
    expect(none.exitCode).toBe(2);
  });
});
