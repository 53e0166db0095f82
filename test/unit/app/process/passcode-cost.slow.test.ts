import { randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPasscode, isPasscode } from '../../../../src/app/process/passcode.ts';

const hashed = (passcode: string, salt: string, cost: number) =>
  scryptSync(passcode, Buffer.from(salt, 'hex'), 32, { N: cost, r: 8, p: 1 }).toString('hex');

test('hashing a passcode costs 16 MiB of memory', async () => {
  const [salt = '', hash = ''] = (await hashPasscode('Passcode-1', randomBytes)).split(':');
  expect(hash).toBe(hashed('Passcode-1', salt, 2 ** 14));
  expect(hash).not.toBe(hashed('Passcode-1', salt, 2 ** 10));
});

test('a passcode hash with a lower cost is rejected', async () => {
  const salt = randomBytes(16).toString('hex');
  const asked = async (cost: number) =>
    isPasscode('Passcode-1', `${salt}:${hashed('Passcode-1', salt, cost)}`);
  expect([await asked(2 ** 14), await asked(2 ** 10)]).toEqual([true, false]);
});
