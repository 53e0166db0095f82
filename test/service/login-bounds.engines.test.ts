import { expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';
import { agreement } from './open-service.ts';

const jona = {
  name: 'Jóna',
  phoneNumber: '5812345',
  signatureType: 'Qualified',
} as const;

describeOnEngines(
  'limits of login starts',
  (service) => {
    const code = (error: unknown) => (error as { readonly code?: string }).code;
    const start = (phoneNumber: string) => {
      const { service: whole, flowKey } = service();
      const request = {
        scheme: 'sim-app',
        channel: 'Sim',
        includeVerificationCode: false,
      } as const;
      return whole.identity.startLogin({ ...request, flowKey, loginHint: phoneNumber });
    };

    test('of concurrent starts with one number one succeeds', async () => {
      const all = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(() => start('5812399')));
      const refused = all.flatMap((each) =>
        each.status === 'rejected' ? [code(each.reason)] : [],
      );
      expect(refused).toEqual(new Array(7).fill('authentication.start.too_frequent'));
    });

    test('concurrent starts with different numbers all succeed', async () => {
      const numbers = Array.from({ length: 8 }, (_, at) => `581230${at}`);
      const all = await Promise.all(numbers.map(start));
      expect(new Set(all.map(({ token }) => token)).size).toBe(8);
    });

    test('a local program is limited, too, and its login stays open while it polls', async () => {
      const { toolkit, flowKey, pass } = service();
      const made = await toolkit.processes.create({
        ...{ flowKey, pdf: agreement, fileName: 'a.pdf', signees: [jona], requiresAuth: true },
      });
      const place = { processKey: made.key, signeeKey: made.signees[0]?.key ?? '' };
      const choice = { channel: 'Sim', includeVerificationCode: false } as const;
      const session = await toolkit.signing.startAuth(place, choice);
      for (const again of [
        () => toolkit.signing.startAuth(place, choice),
        () => toolkit.signing.startQualified(place, choice),
        () => start(jona.phoneNumber),
      ]) {
        await expect(again()).rejects.toMatchObject({ code: 'authentication.start.too_frequent' });
      }
      const otherHint = { ...choice, loginHint: '5812377' };
      await expect(toolkit.signing.startAuth(place, otherHint)).rejects.toMatchObject({
        code: 'authentication.error.signee.logon.mismatch',
      });
      pass(2000);
      expect((await toolkit.signing.pollAuth(place, session.token)).state).toBe('done');
      const signature = await toolkit.signing.startQualified(place, choice);
      pass(2000);
      expect((await toolkit.signing.pollQualified(place, signature.token)).state).toBe('signed');
    });

    test('a signature that is no longer polled is replaced, and releases its document', async () => {
      const { toolkit, flowKey, pass, nowMs } = service();
      const silent = { name: 'Þögull', ssn: '0103901419', signatureType: 'Qualified' } as const;
      const make = async () => {
        const request = { flowKey, pdf: agreement, fileName: 'a.pdf', signees: [silent] };
        const made = await toolkit.processes.create(request);
        return { processKey: made.key, signeeKey: made.signees[0]?.key ?? '' };
      };
      const choice = { channel: 'App', includeVerificationCode: false } as const;
      const [first, second] = [await make(), await make()];
      const left = await toolkit.signing.startQualified(first, choice);
      const leaseOf = async () => (await toolkit.processes.show({ key: first.processKey })).lease;
      expect((await leaseOf())?.untilMs).toBeGreaterThan(nowMs());
      pass(31_000);
      await toolkit.signing.startQualified(second, choice);
      expect(await leaseOf()).toBeUndefined();
      const answer = await toolkit.signing.pollQualified(first, left.token);
      expect(answer).toEqual({ state: 'failed', hint: 'cancelled' });
    });
  },
  { INNSIGLI_LOGINS_BOUND_TEST_NUMBERS: 'true', INNSIGLI_SIMULATED_PERSONS: 'any' },
);
