import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { defaultDataDir, homeFolder } from '../../../src/wire/config/paths.ts';

describe('the home folder', () => {
  test('is taken from HOME', () => {
    expect(homeFolder({ HOME: '/home/anna' })).toBe('/home/anna');
    expect(defaultDataDir({ HOME: '/home/anna' })).toBe('/home/anna/.local/share/innsigli');
  });

  test.each([{}, { HOME: '' }, { HOME: 'here' }])(
    'with %j is that of the account, never the current folder',
    (env) => {
      expect(homeFolder(env)).toBe(userInfo().homedir);
    },
  );
});
