import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { findProjectFile } from '../../../src/wire/config/paths.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

let home = '';
let project = '';
const config = () => join(project, 'innsigli.config.json');
const resolve = (named?: string) =>
  resolveConfig({
    flags: {},
    env: { HOME: home },
    cwd: project,
    ...(named === undefined ? {} : { configFile: named }),
  });
const tsa = (passwordFile: string) =>
  JSON.stringify({ tsa: [{ url: 'http://attacker.example/', user: 'x', passwordFile }] });

beforeEach(() => {
  home = newTemporaryFolder('found');
  project = join(home, 'project');
  mkdirSync(join(project, 'inside'), { recursive: true });
  writeFileSync(join(home, 'secret.txt'), 'hunter2\n', { mode: 0o600 });
  writeFileSync(join(project, 'inside', 'pw'), 'own\n', { mode: 0o600 });
});

describe('a project file that was found, not named', () => {
  const password = { passwordFile: 'inside/pw' };
  test.each<[string, object, readonly string[]]>([
    [
      'a key',
      { key: { file: 'k.pem', certificate: 'c.pem', chain: ['d.pem'], ...password } },
      ['key.file', 'key.certificate', 'key.chain', 'key.passwordFile'],
    ],
    ['a PKCS #12 file', { key: { p12: 'k.p12', ...password } }, ['key.p12', 'key.passwordFile']],
    ['a password file for documents', { pdfPasswordFile: 'inside/pw' }, ['pdfPasswordFile']],
    [
      'weaker values than the user has set',
      { production: false, offline: false },
      ['production', 'offline'],
    ],
  ])('cannot set %s', (_what, content, left) => {
    writeFileSync(config(), JSON.stringify(content));
    const found = resolve();
    expect(found.ignored).toEqual(left);
    const paths = new Set<string>(left);
    for (const { path, origin } of found.settings) {
      if (paths.has(path)) expect(origin.kind).not.toBe('project');
    }
    const named = resolve(config());
    expect(named.ignored).toEqual([]);
    expect(named.settings.filter(({ origin }) => origin.kind === 'project')).toHaveLength(
      left.length,
    );
  });

  test('has its key rejected, and no test key signs instead', async () => {
    writeFileSync(config(), '{"key":{"p12":"k.p12"}}');
    const { config: found } = resolve();
    expect([found.key.kind, found.keyRefusedFrom]).toEqual(['development', config()]);
    const io = { now: () => 0, random: () => new Uint8Array(8), warn: () => undefined };
    const toolkit = openToolkit(found, io);
    const sealing = toolkit.seal(memorySource(new Uint8Array(8)), { level: 'B-B' });
    await expect(sealing).rejects.toMatchObject({
      code: 'config.invalid',
      hint: expect.stringContaining('--config'),
    });
    const flags = { 'key.file': 'own.pem' };
    const own = resolveConfig({ flags, env: { HOME: home }, cwd: project }).config;
    expect([own.key.kind, own.keyRefusedFrom]).toEqual(['pem', undefined]);
  });

  test('sends no credentials, but its address is used and reported', () => {
    for (const passwordFile of ['inside/pw', '../secret.txt', 'none']) {
      writeFileSync(config(), tsa(passwordFile));
      const found = resolve();
      expect(found.config.tsa).toEqual([{ url: 'http://attacker.example/' }]);
      expect(found.ignored).toEqual(['credentials of tsa']);
      expect(found.effects).toEqual(['tsa http://attacker.example/']);
      const named = resolve(config());
      expect(named.config.tsa).toEqual([expect.objectContaining({ username: 'x' })]);
      expect([named.ignored, named.effects]).toEqual([[], []]);
    }
  });

  test('can set the level, and a lower one is reported', () => {
    const user = join(home, '.config', 'innsigli');
    mkdirSync(user, { recursive: true });
    const effects = (own: string, found: string) => {
      writeFileSync(join(user, 'config.json'), JSON.stringify({ level: own }));
      writeFileSync(config(), JSON.stringify({ level: found }));
      return [resolve().config.level, resolve().effects];
    };
    expect(effects('B-LTA', 'B-B')).toEqual(['B-B', ['level B-B instead of B-LTA']]);
    expect(effects('B-B', 'B-T')).toEqual(['B-T', []]);
  });
});

describe('the search for a project file', () => {
  const at = (cwd: string, at: string) =>
    resolveConfig({ flags: {}, env: { HOME: at }, cwd }).files.project;

  test('ends at the home folder, by real paths', () => {
    writeFileSync(join(home, 'innsigli.config.json'), '{}');
    expect(at(join(project, 'inside'), home)).toBe(
      join(realpathSync(home), 'innsigli.config.json'),
    );
    expect(at(join(project, 'inside'), project)).toBeUndefined();
    symlinkSync('project', join(home, 'way'));
    expect(at(join(project, 'inside'), join(home, 'way'))).toBeUndefined();
    expect(at(join(home, 'way', 'inside'), project)).toBeUndefined();
  });

  test.skipIf(!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync('/').dev)(
    'ends at the boundary of a file system (skipped without /dev/shm)',
    () => {
      const inner = mkdtempSync('/dev/shm/innsigli-found-');
      try {
        expect(findProjectFile(inner, home, (file) => file === '/dev/innsigli.config.json')).toBe(
          undefined,
        );
      } finally {
        rmSync(inner, { recursive: true });
      }
    },
  );
});

const isRoot = process.getuid?.() === 0;
describe.skipIf(!isRoot)('a found project file of a different user (skipped: not root)', () => {
  const stranger = 4711;

  test('is not read and ends the search; it is read when named', () => {
    writeFileSync(config(), '{"level":"B-B"}');
    writeFileSync(join(home, 'innsigli.config.json'), '{"level":"B-T"}');
    expect(resolve().config.level).toBe('B-B');
    chownSync(config(), stranger, stranger);
    const found = resolve();
    expect([found.config.level, found.files, found.foreign]).toEqual(['B-LTA', {}, config()]);
    const named = resolve(config());
    expect([named.config.level, named.foreign]).toEqual(['B-B', undefined]);
  });

  test('is not searched for beyond a folder of that user', () => {
    writeFileSync(join(home, 'innsigli.config.json'), '{"level":"B-T"}');
    chownSync(project, stranger, stranger);
    expect([resolve().config.level, resolve().foreign]).toEqual(['B-LTA', undefined]);
    writeFileSync(config(), '{"level":"B-B"}');
    expect([resolve().config.level, resolve().foreign]).toEqual(['B-LTA', config()]);
  });

  test('is not read through a link of that user to a file of ours', () => {
    writeFileSync(join(home, 'mine.json'), '{"level":"B-B"}');
    symlinkSync('../mine.json', config());
    expect(resolve().config.level).toBe('B-B');
    lchownSync(config(), stranger, stranger);
    expect([resolve().config.level, resolve().foreign]).toEqual(['B-LTA', config()]);
  });
});
