import { describe, expect, test } from 'vitest';
import { codedSqliteError } from '../../../../src/adapters/store/sqlite/sqlite-errors.ts';

const failure = (code: string) => Object.assign(new Error('disk I/O error'), { code });

describe('an error of SQLite', () => {
  test.each([
    ['SQLITE_IOERR_SHMSIZE', 0, 'store.full', 1],
    ['SQLITE_IOERR_SHMSIZE', 4096, 'store.full', 1],
    ['SQLITE_IOERR_WRITE', 0, 'store.full', 1],
    ['SQLITE_CANTOPEN', 0, 'store.full', 1],
    ['SQLITE_FULL', 10 ** 9, 'store.full', 1],
    ['SQLITE_IOERR_SHMSIZE', 10 ** 9, 'store.unavailable', 8],
    ['SQLITE_IOERR_READ', 10 ** 9, 'store.unavailable', 8],
    ['SQLITE_CORRUPT', 0, 'store.corrupt', 1],
    ['SQLITE_BUSY', 0, 'store.busy', 6],
  ])('%s with %d bytes free becomes %s', (code, freeBytes, expected, exitCode) => {
    const free = (folder: string) => (folder === '/data' ? freeBytes : 10 ** 9);
    const coded = codedSqliteError(failure(code), '/data/innsigli.db', free);
    expect(coded).toMatchObject({ code: expected, kind: { exitCode } });
    expect((coded as Error).message).toContain('/data/innsigli.db');
  });

  test('is not taken for a full disk if the free space cannot be determined', () => {
    const coded = codedSqliteError(failure('SQLITE_IOERR_READ'), '/no/such/folder/x.db');
    expect(coded).toMatchObject({ code: 'store.unavailable' });
  });
});
