import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmCode, signByClick, startCode } from '../../../../src/app/signing/index.ts';
import type { Signee, SigningProcess } from '../../../../src/domain/process/index.ts';
import { newCode, typedCode } from '../../../../src/domain/signing/index.ts';
import { countingRandom } from '../../../support/sealing.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

const simple = (changes: Partial<Signee> = {}) =>
  person(1, { signatureType: 'Simple', phoneNumber: '+354 611 1234', ...changes });

async function begin(changes: Partial<Signee> = {}) {
  const process = await world.open([simple(changes), person(2)]);
  const started = await startCode(world.ports, by(process));
  return { process, ...started, code: await world.code(process.key) };
}

const confirm = (process: SigningProcess, token: string, code: string) =>
  confirmCode(world.ports, { ...by(process), token, code });

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('one-time codes', () => {
  test('have six digits and appear only in the message', async () => {
    const { process, code, token, channel } = await begin();
    expect(code).toMatch(/^\d{6}$/);
    expect(channel).toBe('Sms');
    const stored = await world.ports.store.read(async (unit) => ({
      challenge: await unit.challenges.find(token),
      messages: await unit.messages.ofProcess(process.key),
      job: await unit.jobs.find(
        'message',
        (await unit.messages.ofProcess(process.key))[0]?.id ?? '',
      ),
    }));
    expect(stored.challenge?.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(stored.challenge)).not.toContain(code);
    expect(stored.messages).toMatchObject([{ template: 'OneTimeCode', to: '+354 611 1234' }]);
    expect(stored.job).toBeDefined();
    const drawn = Array.from({ length: 500 }, (_, index) => {
      const seeded = countingRandom();
      seeded(index);
      return newCode(seeded);
    });
    expect(drawn.every((each) => /^\d{6}$/.test(each))).toBe(true);
    expect(new Set(drawn).size).toBeGreaterThan(450);
  });

  test('the correct code signs once, even if typed with blanks', async () => {
    const { process, token, code } = await begin();
    const signed = await confirm(process, token, `${code.slice(0, 3)} ${code.slice(3)} `);
    expect(signed.signees[0]?.state).toBe('Signed');
    expect(signed.signees[0]?.proof).toMatchObject({ method: 'code', channel: 'Sms' });
    expect(signed.signees[0]?.proof?.sessionId).not.toContain(token);
    await expect(confirm(process, token, code)).rejects.toMatchObject({
      code: 'signing.forbidden.signee.signed',
    });
    expect(typedCode('12-34 56')).toBe('123456');
  });

  test('five wrong codes end the challenge, whatever follows', async () => {
    const { process, token, code } = await begin();
    for (let tries = 0; tries < 5; tries++) {
      await expect(confirm(process, token, wrong(code))).rejects.toMatchObject({ code: '1120' });
    }
    await expect(confirm(process, token, code)).rejects.toMatchObject({
      code: '1121',
      message: 'too many incorrect one-time codes',
    });
    expect((await world.read(process.key)).documentRev).toBe(0);
    const rows = await world.ports.store.read((unit) => unit.activity.rows(process.key));
    expect(rows.slice(-5).map(({ status, description }) => [status, description])).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => ['CodeRefused', `attempt ${attempt}`]),
    );
  });

  test('concurrent wrong codes are all counted', async () => {
    const { process, token, code } = await begin();
    const guesses = Array.from({ length: 12 }, () => confirm(process, token, wrong(code)));
    const codes = (await Promise.allSettled(guesses)).map((each) =>
      each.status === 'rejected' ? each.reason.code : 'signed',
    );
    expect(codes.filter((each) => each === '1120')).toHaveLength(5);
    expect(codes.filter((each) => each === '1121')).toHaveLength(7);
  });

  test('concurrent correct codes give one signature', async () => {
    const { process, token, code } = await begin();
    const answers = Array.from({ length: 4 }, () => confirm(process, token, code));
    const settled = await Promise.allSettled(answers);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.flatMap((each) =>
      each.status === 'rejected' ? [each.reason.code] : [],
    );
    expect(new Set(refused)).toEqual(new Set(['signing.forbidden.signee.signed']));
    expect((await world.read(process.key)).documentRev).toBe(1);
  });

  test('expire after ten minutes', async () => {
    const { process, token, code } = await begin();
    world.pass(10 * 60_000 - 1);
    await expect(confirm(process, token, wrong(code))).rejects.toMatchObject({ code: '1120' });
    world.pass(1);
    await expect(confirm(process, token, code)).rejects.toMatchObject({ code: '1121' });
  });

  test('a token of another process or an unknown token is rejected', async () => {
    const one = await begin();
    const other = await begin();
    await expect(confirm(one.process, other.token, other.code)).rejects.toMatchObject({
      code: '1122',
    });
    await expect(confirm(one.process, 'nothing', one.code)).rejects.toMatchObject({ code: '1122' });
  });

  test('at most five codes are sent within ten minutes', async () => {
    // The phone received some codes in other tests.
    world.pass(60 * 60_000);
    const { process } = await begin();
    // One client requests two of them.
    const from = (ip: string) => ({ ...by(process), circumstances: { ip } });
    await startCode(world.ports, by(process));
    for (const ip of ['198.51.100.7', '198.51.100.7', '198.51.100.8']) {
      await startCode(world.ports, from(ip));
    }
    await expect(startCode(world.ports, by(process))).rejects.toMatchObject({
      code: 'process.state.refused',
      details: { retryAfterSeconds: 600 },
    });
    world.pass(10 * 60_000);
    await expect(startCode(world.ports, by(process))).resolves.toMatchObject({ channel: 'Sms' });
  });

  test('are sent by mail to a signee without a phone, and refused without both', async () => {
    const { phoneNumber: _phone, ...mailed } = simple();
    const process = await world.open([mailed]);
    expect(await startCode(world.ports, by(process))).toMatchObject({ channel: 'Email' });
    const { email: _email, ...unreachable } = mailed;
    const lost = await world.open([unreachable]);
    await expect(startCode(world.ports, by(lost))).rejects.toMatchObject({
      code: 'message.phone.missing',
    });
  });

  test('are refused for other signature types, and a click for this one', async () => {
    const process = await world.open([simple(), person(2)]);
    await expect(startCode(world.ports, by(process, 1))).rejects.toMatchObject({
      code: 'signing.forbidden.type',
    });
    await expect(signByClick(world.ports, by(process))).rejects.toMatchObject({
      code: 'signing.forbidden.type',
    });
  });

  test('are not sent out of order', async () => {
    const process = await world.open([person(2, { order: 0 }), simple({ order: 1 })], {
      signInOrder: true,
    });
    await expect(startCode(world.ports, by(process, 0))).rejects.toMatchObject({
      code: 'signing.forbidden.order',
    });
  });
});

describe('published test persons', () => {
  const outcomes: Readonly<Record<string, string>> = {
    '+11111111111': 'signed',
    '+12222222222': 'signed',
    '+13333333333': 'signed',
    '+14444444444': 'signed',
    '+15555555555': 'signed',
    '+16666666666': 'signed',
    '+17777777777': '1122',
    '+18888888888': '1120',
    '+19999999999': '1121',
  };
  test.each(Object.entries(outcomes))('%s: any code leads to %s', async (phoneNumber, expected) => {
    const { process, token, code } = await begin({ phoneNumber });
    const found = await confirm(process, token, wrong(code)).then(
      () => 'signed',
      (error) => error.code,
    );
    expect(found).toBe(expected);
  });

  test.each(['', ' ', '\t-\n'])(
    'an empty code, %j, is rejected for a test number too',
    async (none) => {
      const { process, token, code } = await begin({ phoneNumber: '+11111111111' });
      await expect(confirm(process, token, none)).rejects.toMatchObject({ code: '1120' });
      const signed = await confirm(process, token, wrong(code));
      expect(signed.signees[0]?.proof?.channel).toBe('TestNumber');
    },
  );

  test('an arbitrary code does not count as proof of a text message', async () => {
    const test = { phoneNumber: '+11111111111' };
    const any = await begin(test);
    const guessed = await confirm(any.process, any.token, wrong(any.code));
    expect(guessed.signees[0]?.proof?.channel).toBe('TestNumber');
    const own = await begin(test);
    const known = await confirm(own.process, own.token, own.code);
    expect(known.signees[0]?.proof?.channel).toBe('Sms');
  });

  test('are treated like anyone else without the simulator', async () => {
    const real = { ...world.ports, simulated: false };
    const process = await world.open([simple({ phoneNumber: '+11111111111' })]);
    const { token } = await startCode(real, by(process));
    const code = await world.code(process.key);
    const answer = { ...by(process), token };
    await expect(confirmCode(real, { ...answer, code: wrong(code) })).rejects.toMatchObject({
      code: '1120',
    });
    await expect(confirmCode(real, { ...answer, code })).resolves.toMatchObject({
      phase: 'Finalizing',
    });
  });
});
