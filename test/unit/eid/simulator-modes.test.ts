import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseScenarios, simulatorDriver, verdictFiles } from '../../../src/adapters/eid/index.ts';
import { openVault } from '../../../src/adapters/vault/index.ts';
import { simulatedIdentity } from '../../support/eid/simulated-identity.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { countingRandom } from '../../support/sealing.ts';

const day = 24 * 3_600_000;
const session = (number: number) => String(number).padStart(32, '0');

/** A folder for decisions, and a clock. */
function desk() {
  const parent = newTemporaryFolder('simulator');
  const folder = join(parent, 'simulator');
  const clock = { nowMs: 1_000_000 };
  return { folder, clock, files: verdictFiles(folder, () => clock.nowMs) };
}

/** A simulator with these options. */
function provider(options: Partial<Parameters<typeof simulatorDriver>[0]>, now: () => number) {
  const issue = () => Promise.reject(new Error('no signatures here'));
  const driver = simulatorDriver({ issue, ...options });
  const vault = openVault(Buffer.alloc(32, 7));
  return simulatedIdentity({ driver, vault, now, random: countingRandom() });
}

const request = (channel: 'Sim' | 'App', loginHint: string) =>
  ({ purpose: 'auth', channel, loginHint, text: '', includeVerificationCode: false }) as const;

describe('decision files', () => {
  test('keep a session open until the first decision', async () => {
    const { files, folder } = desk();
    expect(await files.list()).toEqual([]);
    await files.open(session(1), 'App Anna');
    expect(await files.list()).toEqual([
      { session: session(1), label: 'App Anna', openedAtMs: 1_000_000 },
    ]);
    expect(await files.find(session(1))).toBeUndefined();
    expect(await files.decide(session(1), 'userCancel')).toBe(true);
    expect(await files.decide(session(1), 'approve')).toBe(false);
    await files.cancel(session(1));
    expect(await files.find(session(1))).toBe('userCancel');
    expect(await files.list()).toEqual([]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  test('ignore an invalid session and reach no other file', async () => {
    const { files, folder } = desk();
    await files.open(session(1), 'App Anna');
    expect(await files.decide(`../${session(1)}`, 'approve')).toBe(false);
    expect(await files.decide(session(2), 'approve')).toBe(false);
    writeFileSync(join(folder, `${session(1)}.verdict`), 'whatever');
    expect(await files.find(session(1))).toBeUndefined();
  });

  test('expire after 180 s and are deleted after a day, unlike other files', async () => {
    const { files, folder, clock } = desk();
    await files.open(session(1), 'App Anna');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    clock.nowMs += 180_000;
    expect(await files.list()).toEqual([]);
    expect(await files.decide(session(1), 'approve')).toBe(false);
    clock.nowMs += day;
    await files.open(session(2), 'App Anna');
    expect(readdirSync(folder).sort()).toEqual([`${session(2)}.open`, 'notes.txt']);
  });

  test('are limited to 500 sessions', { timeout: 30_000 }, async () => {
    const { files, folder, clock } = desk();
    await files.open(session(0), 'App Anna');
    for (let at = 1; at <= 500; at += 1) {
      const entry = JSON.stringify({ label: 'App Anna', openedAtMs: clock.nowMs + at });
      writeFileSync(join(folder, `${session(at)}.open`), entry);
    }
    clock.nowMs += 1000;
    await files.open(session(501), 'App Anna');
    const names = readdirSync(folder);
    expect(names).toHaveLength(500);
    expect(names).not.toContain(`${session(0)}.open`);
    expect(names).toContain(`${session(501)}.open`);
  });

  test.each([
    ['approve', { state: 'done' }],
    ['userCancel', { state: 'failed', hint: 'userCancel' }],
    ['certificateErr', { state: 'failed', hint: 'certificateErr' }],
  ] as const)('decide a waiting session: %s', async (verdict, answer) => {
    const { files, clock } = desk();
    const identity = provider({ verdicts: files }, () => clock.nowMs);
    const { ref } = await identity.start(request('App', '6000101994'));
    clock.nowMs += 60_000;
    expect(await identity.poll(ref)).toMatchObject({ state: 'waiting' });
    const [waiting] = await files.list();
    expect(waiting?.label).toBe('App Ödön Kőrösi');
    await files.decide(waiting?.session ?? '', verdict);
    expect(await identity.poll(ref)).toMatchObject(answer);
  });

  test('record a cancellation', async () => {
    const { files, clock } = desk();
    const identity = provider({ verdicts: files }, () => clock.nowMs);
    const { ref } = await identity.start(request('Sim', '6666666'));
    await identity.cancel(ref);
    expect(await identity.poll(ref)).toEqual({ state: 'failed', hint: 'cancelled' });
  });
});

describe('scenario files', () => {
  test('match numbers in any spelling, published or not', async () => {
    const scenarios = parseScenarios(
      JSON.stringify({
        '666-6666': 'userCancel',
        '010190-1019': { code: 'notAUser', at: 'start' },
        '6000101994': 'mismatch',
      }),
    );
    if (typeof scenarios === 'string') throw new Error(scenarios);
    const clock = { nowMs: 1_000_000 };
    const identity = provider({ scenarios }, () => clock.nowMs);
    const { ref } = await identity.start(request('Sim', '+354 6666666'));
    const other = await identity.start(request('App', '600010-1994'));
    clock.nowMs += 5_000;
    expect(await identity.poll(ref)).toEqual({ state: 'failed', hint: 'userCancel' });
    expect(await identity.poll(other.ref)).toMatchObject({ identity: { ssn: '0103901099' } });
    await expect(identity.start(request('App', '0101901019'))).rejects.toMatchObject({
      code: 'authentication.error.idp.start',
      details: { reason: 'notAUser' },
    });
  });

  test.each([
    ['[]'],
    ['nonsense'],
    ['{"anna":"success"}'],
    ['{"6666666":"whatever"}'],
    ['{"6666666":{"code":"userCancel","at":"night"}}'],
  ])('%s is rejected', (json) => {
    expect(parseScenarios(json)).toEqual(expect.stringContaining('expected'));
  });
});

test('the driver enforces the deadline if no decision arrives', async () => {
  const { files, clock, folder } = desk();
  const identity = provider({ verdicts: files }, () => clock.nowMs);
  const { ref } = await identity.start(request('App', '6000101994'));
  const text = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  expect(text).not.toContain('6000101994');
  clock.nowMs += 180_000;
  expect(await identity.poll(ref)).toEqual({ state: 'failed', hint: 'expiredTransaction' });
});
