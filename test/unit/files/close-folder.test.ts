import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeFolder, findOpenFolder } from '../../../src/adapters/files/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'innsigli-close-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('closeFolder', () => {
  test('takes the rights of others from the folder and what is named', () => {
    mkdirSync(join(folder, 'objects'));
    for (const name of ['innsigli.db', 'innsigli.db-wal', 'other']) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o644);
    }
    chmodSync(join(folder, 'objects'), 0o775);
    chmodSync(folder, 0o755);
    const { closed, left } = closeFolder(folder, ['innsigli.db*', 'objects', 'none']);
    expect(closed.map(({ path, mode }) => [path.slice(folder.length), mode])).toEqual([
      ['', 0o755],
      ['/innsigli.db', 0o644],
      ['/innsigli.db-wal', 0o644],
      ['/objects', 0o775],
    ]);
    expect(left).toEqual([]);
    expect([folder, join(folder, 'objects')].map(modeOf)).toEqual(['700', '700']);
    expect(modeOf(join(folder, 'innsigli.db-wal'))).toBe('600');
    expect(modeOf(join(folder, 'other'))).toBe('644');
    expect(closeFolder(folder, ['innsigli.db*', 'objects'])).toEqual({ closed: [], left: [] });
  });

  test('follows no link, and a folder that is not there stays away', () => {
    const target = join(folder, 'target');
    mkdirSync(target, { mode: 0o755 });
    chmodSync(target, 0o755);
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    symlinkSync(target, join(data, 'objects'));
    expect(closeFolder(data, ['objects'])).toEqual({ closed: [], left: [] });
    expect(modeOf(target)).toBe('755');
    expect(closeFolder(join(folder, 'none'), ['a*'])).toEqual({ closed: [], left: [] });
    expect(findOpenFolder(join(folder, 'none'))).toBeUndefined();
    expect(findOpenFolder(target)).toEqual({ path: target, mode: 0o755 });
  });
});
