import { chmodSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeFolder, findOpenFolders } from '../../../src/adapters/files/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(newTemporaryFolder('close'));
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('closeFolder', () => {
  test('removes the access of others from the folder and the named files', () => {
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
    expect(closeFolder(folder, ['innsigli.db*', 'objects'])).toEqual({
      ...{ closed: [], left: [], linked: [] },
    });
  });

  describe('the target of a link', () => {
    let target: string;
    let data: string;
    beforeEach(() => {
      [target, data] = ['target', 'data'].map((name) => join(folder, name)) as [string, string];
      mkdirSync(target);
      chmodSync(target, 0o755);
      mkdirSync(data, { mode: 0o700 });
    });
    const none = { closed: [], left: [], linked: [] };

    test('is reported and not changed, because the author of the link is unknown', () => {
      symlinkSync(target, join(data, 'objects'));
      const linked = [{ path: target, mode: 0o755 }];
      expect(closeFolder(data, ['objects', 'other'])).toEqual({ ...none, linked });
      expect(findOpenFolders(data, ['objects'])).toEqual(linked);
      expect(modeOf(target)).toBe('755');
      chmodSync(target, 0o700);
      expect(closeFolder(data, ['objects'])).toEqual(none);
      expect(findOpenFolders(data, ['objects'])).toEqual([]);
    });

    test('is left unchanged behind a link in the path, and for a file', () => {
      mkdirSync(join(target, 'mail'));
      chmodSync(join(target, 'mail'), 0o750);
      symlinkSync(target, join(data, 'outbox'));
      writeFileSync(join(folder, 'real.db'), '');
      chmodSync(join(folder, 'real.db'), 0o644);
      symlinkSync(join(folder, 'real.db'), join(data, 'innsigli.db'));
      const { closed, linked } = closeFolder(data, ['innsigli.db*', 'outbox', 'outbox/mail']);
      expect(closed).toEqual([]);
      expect(linked.map(({ path, mode }) => [path.slice(folder.length), mode])).toEqual([
        ['/real.db', 0o644],
        ['/target', 0o755],
        ['/target/mail', 0o750],
      ]);
      expect([target, join(target, 'mail'), join(folder, 'real.db')].map(modeOf)).toEqual([
        '755',
        '750',
        '644',
      ]);
    });

    test('is ignored if the link is dangling or circular', () => {
      symlinkSync(join(folder, 'none'), join(data, 'objects'));
      symlinkSync('outbox', join(data, 'outbox'));
      expect(closeFolder(data, ['objects', 'outbox'])).toEqual(none);
    });

    test('is closed if it is the data directory itself, which the operator has named', () => {
      symlinkSync(target, join(folder, 'named'));
      mkdirSync(join(target, 'objects'));
      chmodSync(join(target, 'objects'), 0o755);
      const { closed, linked } = closeFolder(join(folder, 'named'), ['objects']);
      expect([closed.length, linked]).toEqual([2, []]);
      expect([target, join(target, 'objects')].map(modeOf)).toEqual(['700', '700']);
    });

    test('is not created if the folder is missing', () => {
      expect(closeFolder(join(folder, 'none'), ['a*'])).toEqual(none);
      expect(findOpenFolders(join(folder, 'none'), ['a'])).toEqual([]);
      expect(findOpenFolders(target, [])).toEqual([{ path: target, mode: 0o755 }]);
    });
  });
});
