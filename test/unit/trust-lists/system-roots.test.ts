import { expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { readSystemRoots } from '../../../src/wire/files/system-roots.ts';

test('the roots of this machine are read, or reported as missing', async () => {
  try {
    const roots = await readSystemRoots();
    expect(roots.length).toBeGreaterThan(10);
    expect(roots.every(({ der }) => der.length > 100)).toBe(true);
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    expect(error.code).toBe('config.invalid');
    console.warn('this machine has no roots: skipped');
  }
});
