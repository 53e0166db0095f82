import {
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/wire/config-resolve.ts';

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
  home = mkdtempSync(join(tmpdir(), 'innsigli-found-'));
  project = join(home, 'project');
  mkdirSync(join(project, 'inside'), { recursive: true });
  writeFileSync(join(home, 'secret.txt'), 'hunter2\n', { mode: 0o600 });
  writeFileSync(join(project, 'inside', 'pw'), 'own\n', { mode: 0o600 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('a password file of a project file', () => {
  test.each([
    ['a link to a file outside', () => symlinkSync('../secret.txt', join(project, 'pw')), 'pw'],
    ['a folder that is a link', () => symlinkSync('..', join(project, 'up')), 'up/secret.txt'],
    [
      'a link to a link',
      () => {
        symlinkSync('../secret.txt', join(project, 'a'));
        symlinkSync('a', join(project, 'pw'));
      },
      'pw',
    ],
  ])('lies in its folder, also behind links: %s', (_what, make, passwordFile) => {
    make();
    writeFileSync(config(), tsa(passwordFile));
    const refused = /expected a password file in the folder of the project file/;
    expect(() => resolve()).toThrow(refused);
    expect(() => resolve(config())).toThrow(refused);
  });

  test('may be a link inside of it, or be missing yet', () => {
    symlinkSync('inside/pw', join(project, 'pw'));
    for (const name of ['pw', 'inside/pw', 'none']) {
      writeFileSync(config(), tsa(name));
      expect(resolve().config.tsa).toEqual([
        expect.objectContaining({ passwordFile: join(project, name) }),
      ]);
    }
  });

  test('the folder of the project file may be reached over a link', () => {
    symlinkSync('project', join(home, 'way'));
    writeFileSync(config(), tsa('inside/pw'));
    expect(resolve(join(home, 'way', 'innsigli.config.json')).config.tsa).toHaveLength(1);
  });
});

const isRoot = process.getuid?.() === 0;
describe.skipIf(!isRoot)('a found project file of somebody else (skipped: not root)', () => {
  const stranger = 4711;

  test('is not read, and what is above it is not looked for; named, it is', () => {
    writeFileSync(config(), '{"level":"B-B"}');
    writeFileSync(join(home, 'innsigli.config.json'), '{"level":"B-T"}');
    expect(resolve().config.level).toBe('B-B');
    chownSync(config(), stranger, stranger);
    const found = resolve();
    expect([found.config.level, found.files, found.foreign]).toEqual(['B-LTA', {}, config()]);
    const named = resolve(config());
    expect([named.config.level, named.foreign]).toEqual(['B-B', undefined]);
  });

  test('nor a link of somebody else to a file of ours', () => {
    writeFileSync(join(home, 'mine.json'), '{"level":"B-B"}');
    symlinkSync('../mine.json', config());
    expect(resolve().config.level).toBe('B-B');
    lchownSync(config(), stranger, stranger);
    expect([resolve().config.level, resolve().foreign]).toEqual(['B-LTA', config()]);
  });
});
