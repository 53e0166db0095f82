import { expect, test, vi } from 'vitest';
import { defaultDataDir, homeFolder } from '../../../src/wire/config/paths.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  userInfo: () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
  },
}));

test('a user without an account, as in containers, has the home folder /', () => {
  expect(homeFolder({})).toBe('/');
  expect(defaultDataDir({})).toBe('/.local/share/innsigli');
  expect(homeFolder({ HOME: '/work' })).toBe('/work');
});
