import { afterEach, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi, type Reply } from './support/identity.ts';

let api: IdentityApi;
const open = async (settings: Readonly<Record<string, string>> = {}) => {
  const options = { trustProxy: ['127.0.0.1'] };
  api = await openIdentityApi(options, { INNSIGLI_SIMULATED_PERSONS: 'any', ...settings });
};
afterEach(() => api.close());

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const [attacker, victim, office] = ['198.51.100.66', '192.0.2.5', '192.0.2.200'] as const;
const byPhone = { authenticationContextType: 'Sim' };
const byApp = { authenticationContextType: 'App' };
const minutes = (count: number) => count * 60_000;
const stranger = (number: string, ip: string): Promise<Reply> =>
  api.post(
    '/api/auth/start',
    {
      flowKey: api.flowKey,
      ...(number.length === 10 ? { ...byApp, ssn: number } : { ...byPhone, phoneNumber: number }),
    },
    from(ip),
  );
const statuses = async (count: number, start: (at: number) => Promise<Reply>, passMs = 0) => {
  const found = [];
  for (let at = 0; at < count; at++) {
    found.push((await start(at)).status);
    api.pass(passMs);
  }
  return found;
};
const started = (found: readonly number[]) => found.filter((status) => status === 200).length;
const waitOf = ({ headers }: Reply) => Number(headers['retry-after']);

describe('the logins per minute of a flow', () => {
  test('one link and one client have a share each, and the company a separate one', async () => {
    await open();
    await api.toolkit.flows.update(api.flowKey, { settings: { loginsPerMinute: 6 } } as never);
    const click = { name: 'Mal Ory', email: 'm@example.test', signatureType: 'ClickToSign' };
    const [one, two, three] = [
      await api.sequence([click]),
      await api.sequence([click]),
      await api.sequence([click]),
    ];
    const own = await api.process({ name: 'Viktor', phoneNumber: '5812999' });
    const begin = ({ path }: typeof one, ip: string) =>
      api.post(`${path}/auth/eid-se/start`, {}, from(ip));
    // No number is sent, so only the link and the client are counted.
    expect(started(await statuses(5, () => begin(one, attacker)))).toBe(2);
    expect(started(await statuses(5, (at) => begin(one, `203.0.113.${at}`)))).toBe(0);
    expect(started(await statuses(5, () => begin(two, attacker)))).toBe(1);
    expect((await api.post(own.sign, byPhone, from(victim))).status).toBe(200);
    expect(started(await statuses(5, (at) => begin(three, `203.0.113.${at}`)))).toBe(2);
    const late = await api.process({ name: 'Anna', phoneNumber: '5812998' });
    expect((await api.post(late.sign, byPhone, from(victim))).status).toBe(429);
    // The credentials of the company have a separate limit, on every route of a link.
    const { sequenceKey, personKeys, path } = await api.sequence([
      { name: 'Jóna', phoneNumber: '5812997', ssn: '1203894569' },
    ]);
    const ours = { ...from(office), authorization: api.basic };
    const place = { processKey: late.processKey, signeeKey: late.signeeKey };
    const ways = [
      () => api.post(late.sign, byPhone, ours),
      () => api.post('/api/signing/auth/start', { ...place, ...byPhone }, ours),
      () => api.post(`/api/signing/${late.processKey}/auth`, { ...place, ...byPhone }, ours),
      () => api.post(`${path}/auth`, { sequenceKey, ...byPhone, loginHint: '5812997' }, ours),
      () => api.post(`${path}/auth/eid-se/start`, {}, ours),
      () => api.post(`${path}/signee/${personKeys[0]}/auth/eid-se/start`, {}, ours),
    ];
    for (const way of ways) {
      expect((await way()).status).toBe(200);
      api.pass(4000);
    }
    const foreign = { ...from(office), authorization: api.foreign };
    expect((await api.post(`${path}/auth/eid-se/start`, {}, foreign)).status).toBe(429);
  }, 120_000);
});

describe('strangers who know a number', () => {
  test('leave capacity for its link and for the company', async () => {
    await open();
    const own = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    const more = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    expect(await statuses(4, () => stranger('5812345', attacker), 5000)).toEqual([
      200, 200, 429, 429,
    ]);
    expect(started(await statuses(4, (at) => stranger('5812345', `203.0.113.${at}`)))).toBe(0);
    const link = () => api.post(own.sign, byPhone, from(victim));
    expect((await link()).status).toBe(200);
    api.pass(5000);
    const ours = { ...from(office), authorization: api.basic };
    expect((await api.post(more.sign, byPhone, ours)).status).toBe(200);
    api.pass(5000);
    expect((await link()).status).toBe(200);
    // The limit of five in ten minutes protects the person from disturbance.
    api.pass(5000);
    expect((await link()).status).toBe(429);
  }, 120_000);

  test('start four logins a day from one address, and eight from all', async () => {
    await open();
    const own = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    const inADay = async (ip: (at: number) => string) => {
      let count = 0;
      for (let at = 0; at < 10; at++) {
        count += started(await statuses(3, () => stranger('5812345', ip(at)), 5000));
        api.pass(minutes(10));
      }
      return count;
    };
    expect(await inADay(() => attacker)).toBe(4);
    expect(await inADay((at) => `203.0.113.${at}`)).toBe(4);
    expect((await api.post(own.sign, byPhone, from(victim))).status).toBe(200);
  }, 120_000);

  test('remain strangers with a link in which they entered the number themselves', async () => {
    await open();
    const own = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    const mail = { email: 'mal@example.test', signatureType: 'ClickToSign' };
    const { processKey } = await api.process({ name: 'Mal Ory', ...mail });
    const added = { name: 'Vic', phoneNumber: '5812345', email: 'vic@example.test' };
    const qualified = { ...added, signatureType: 'Qualified' };
    expect((await api.post(`/api/signing/${processKey}/signee`, qualified)).status).toBe(200);
    const shown = await api.toolkit.processes.show({ key: processKey });
    const path = `/api/signing/sign/${processKey}/signee/${shown.signees[1]?.key}`;
    const begin = (at: number) => api.post(path, byPhone, from(`203.0.113.${at}`));
    expect(started(await statuses(5, begin, 5000))).toBe(2);
    expect((await api.post(own.sign, byPhone, from(victim))).status).toBe(200);
  }, 120_000);

  test('one link of the number leaves one of five logins for another link', async () => {
    await open();
    const own = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    const other = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    const begin = (at: number) => api.post(own.sign, byPhone, from(`203.0.113.${at}`));
    expect(started(await statuses(6, begin, 5000))).toBe(4);
    expect((await api.post(other.sign, byPhone, from(victim))).status).toBe(200);
  }, 120_000);
});

describe('a link of a signee with a known national number, used with a phone', () => {
  const odon = { name: 'Ödön Kőrösi', ssn: '6000101994' };
  const phone = '6666666';
  const bounded = { INNSIGLI_LOGINS_BOUND_TEST_NUMBERS: 'true' };
  const begin = ({ sign }: { readonly sign: string }, number: string, ip: string) =>
    api.post(sign, { ...byPhone, loginHint: number }, from(ip));

  test('is not locked out by strangers, and is no stranger once it was answered', async () => {
    await open(bounded);
    const asked = { requiresAuth: true };
    const place = await api.process(odon, asked);
    expect(started(await statuses(3, () => stranger(phone, attacker), 5000))).toBe(2);
    const at = { processKey: place.processKey, signeeKey: place.signeeKey };
    const sim = { ...at, ...byPhone, loginHint: phone };
    const begun = await api.post('/api/signing/auth/start', sim, from(victim));
    expect(begun.status).toBe(200);
    api.answer();
    const { authRequestId } = begun.body;
    const answer = await api.post('/api/signing/auth/poll', { ...at, authRequestId });
    expect(answer.status).toBe(200);
    // The others have used up their share: for the phone that responded, this link is its own.
    const more = [await api.process(odon), await api.process(odon)];
    expect((await begin(more[0] as typeof place, phone, attacker)).status).toBe(200);
    api.pass(5000);
    expect((await begin(more[1] as typeof place, phone, '203.0.113.8')).status).toBe(429);
    const token = { 'x-access-token': String(answer.headers['x-access-token']) };
    const own = { ...byPhone, loginHint: phone };
    expect((await api.post(place.sign, own, { ...from(victim), ...token })).status).toBe(200);
  }, 120_000);

  test('shares six logins of a phone a day with all such links, three per link or client', async () => {
    await open();
    const own = await api.process({ name: 'Viktor', phoneNumber: '5812345' });
    const links: Awaited<ReturnType<IdentityApi['process']>>[] = [];
    for (let at = 0; at < 4; at++) {
      links.push(await api.process({ name: 'Mal Ory', ssn: `120389456${at}` }));
    }
    const inADay = async (which: (at: number) => number, ip: (at: number) => string) => {
      let count = 0;
      for (let round = 0; round < 4; round++) {
        const ask = (at: number) =>
          begin(links[which(at)] as (typeof links)[0], '5812345', ip(at + 10 * round));
        const found = started(await statuses(4, ask, 5000));
        expect(found).toBeLessThan(3);
        count += found;
        api.pass(minutes(10));
      }
      return count;
    };
    expect(
      await inADay(
        () => 0,
        (at) => `203.0.113.${at}`,
      ),
    ).toBe(3);
    expect(
      await inADay(
        (at) => at,
        () => attacker,
      ),
    ).toBe(3);
    expect(
      await inADay(
        (at) => at,
        (at) => `203.0.113.${at}`,
      ),
    ).toBe(0);
    // Strangers have a separate share, and the link of the phone has capacity besides both.
    expect(started(await statuses(4, () => stranger('5812345', office), 5000))).toBe(2);
    expect((await api.post(own.sign, byPhone, from(victim))).status).toBe(200);
  }, 120_000);

  test('waits 30 seconds for the open prompt of a stranger', async () => {
    await open(bounded);
    const place = await api.process({ name: 'Þögull Þorsteinsson', ssn: '0103901419' });
    const silent = '9999999';
    expect((await stranger(silent, attacker)).status).toBe(200);
    const kept = await begin(place, silent, victim);
    expect([kept.status, waitOf(kept)]).toEqual([429, 30]);
    api.pass(31_000);
    expect((await begin(place, silent, victim)).status).toBe(200);
    expect((await stranger(silent, attacker)).status).toBe(429);
  }, 120_000);
});

describe('an open prompt', () => {
  const silent = '0103901419';
  const thogull = { name: 'Þögull Þorsteinsson', ssn: silent };
  const bounded = { INNSIGLI_LOGINS_BOUND_TEST_NUMBERS: 'true' };
  const standing = async (status: string, token: string) =>
    (await api.get(`${status}/token/${token}`, from(victim))).body.status;

  test('of a link is replaced only by that link, not by a stranger or company', async () => {
    await open(bounded);
    const { sign, status } = await api.process(thogull);
    const first = await api.post(sign, byApp, from(victim));
    expect(first.status).toBe(200);
    api.pass(31_000);
    const early = await stranger(silent, attacker);
    expect([early.status, waitOf(early)]).toEqual([429, 149]);
    const ours = { ...from(office), authorization: api.basic };
    expect((await api.post(sign, byApp, ours)).status).toBe(429);
    expect(await standing(status, first.body.token)).toBe('Pending');
    api.pass(31_000);
    expect((await api.post(sign, byApp, from('192.0.2.77'))).status).toBe(200);
    expect(await standing(status, first.body.token)).toBe('Failed');
  }, 120_000);

  test('of a stranger is replaced by that stranger, and after 30 seconds by a link', async () => {
    await open(bounded);
    const { sign } = await api.process(thogull);
    const first = await stranger(silent, attacker);
    expect(first.status).toBe(200);
    api.pass(31_000);
    expect((await stranger(silent, '203.0.113.9')).status).toBe(429);
    const second = await stranger(silent, attacker);
    expect(second.status).toBe(200);
    const kept = await api.post(sign, byApp, from(victim));
    expect([kept.status, waitOf(kept)]).toEqual([429, 30]);
    const poll = () =>
      api.post('/api/auth/poll', {
        authRequestId: second.body.authRequestId,
        flowKey: api.flowKey,
      });
    for (let at = 0; at < 3; at++) {
      api.pass(10_000);
      expect((await poll()).body.waitingForUserInput).toBe(true);
    }
    // Although it is polled all the time, it is replaced.
    expect((await api.post(sign, byApp, from(victim))).status).toBe(200);
    expect((await poll()).body.message).toContain('cancelled');
  }, 120_000);

  test('of one document is replaced by another document of the same person and client', async () => {
    await open(bounded);
    const [one, two] = [await api.process(thogull), await api.process(thogull)];
    expect((await api.post(one.sign, byApp, from(victim))).status).toBe(200);
    expect((await api.post(two.sign, byApp, from(victim))).status).toBe(429);
    api.pass(31_000);
    expect((await api.post(two.sign, byApp, from(attacker))).status).toBe(429);
    expect((await api.post(two.sign, byApp, from(victim))).status).toBe(200);
  }, 120_000);
});
