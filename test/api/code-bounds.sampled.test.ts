import { afterEach, beforeEach, expect, test } from 'vitest';
import { costlyTest } from '../support/sample.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;
beforeEach(async () => {
  api = await openIdentityApi({ trustProxy: ['127.0.0.1'] });
}, 60_000);
afterEach(() => api.close());

const anna = {
  name: 'Anna',
  phoneNumber: '5812345',
  email: 'anna@example.test',
  signatureType: 'Simple',
};
const minutes = (count: number) => count * 60_000;

/** Requests codes from this address; returns how many were sent, and the first refusal. */
const codes = async (sign: string, ip: string | undefined, times: number) => {
  const replies = [];
  for (let at = 0; at < times; at++) {
    const headers = ip === undefined ? {} : { 'x-forwarded-for': ip };
    replies.push(await api.post(`${sign}/otp`, {}, headers));
  }
  const sent = replies.filter(({ status }) => status === 200).length;
  const [refused] = replies.filter(({ status }) => status !== 200);
  return { sent, refused };
};

const [attacker, second, person] = ['203.0.113.1', '203.0.113.2', '198.51.100.7'] as const;
const byCompany = async (sign: string) =>
  (await api.post(`${sign}/otp`, {}, { authorization: api.basic })).status;

test('a stranger with the link does not use up the one-time codes of the signee', async () => {
  const { sign } = await api.process(anna);
  const other = await api.process(anna);
  const first = await codes(sign, attacker, 6);
  expect(first.sent).toBe(2);
  expect(first.refused).toMatchObject({
    status: 409,
    body: { errorCode: 'process.state.refused' },
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  });
  expect((await codes(sign, second, 6)).sent).toBe(2);
  // Within the same ten minutes one code is left for the person, and one for the company.
  expect((await codes(sign, person, 2)).sent).toBe(1);
  expect(await byCompany(sign)).toBe(200);
  // Other documents are not affected.
  expect((await codes(other.sign, attacker, 1)).sent).toBe(1);
}, 60_000);

costlyTest.each([1, 2])(
  'a stranger with the link does not use up the hourly and daily codes, from %i addresses',
  async (addresses) => {
    const { sign } = await api.process(anna);
    const other = await api.process(anna);
    const attack = async () => {
      for (const ip of [attacker, second].slice(0, addresses)) await codes(sign, ip, 3);
      api.pass(minutes(10));
    };
    for (let round = 0; round < 5; round++) await attack();
    expect((await codes(sign, person, 1)).sent).toBe(1);
    expect(await byCompany(sign)).toBe(200);
    for (let round = 0; round < 80; round++) await attack();
    api.pass(minutes(60));
    expect((await codes(sign, attacker, 1)).sent).toBe(0);
    expect((await codes(sign, person, 1)).sent).toBe(1);
    expect((await codes(other.sign, person, 1)).sent).toBe(1);
    expect(await byCompany(sign)).toBe(200);
  },
  120_000,
);

test('IPv6 networks of one customer count as one client, and the limit for all clients still applies', async () => {
  const { sign } = await api.process(anna);
  let sent = 0;
  for (let at = 0; at < 6; at++) sent += (await codes(sign, `2001:db8:1:${at}::1`, 1)).sent;
  expect(sent).toBe(2);
  expect((await codes(sign, undefined, 6)).sent).toBe(3);
}, 60_000);

test('one phone number receives at most ten codes an hour and twenty a day, over all documents', async () => {
  const signs: string[] = [];
  for (let at = 0; at < 7; at++) signs.push((await api.process(anna)).sign);
  const inAll = async (spelling: (sign: string, at: number) => Promise<{ sent: number }>) => {
    let sent = 0;
    for (const [at, sign] of signs.entries()) sent += (await spelling(sign, at)).sent;
    return sent;
  };
  const ask = (sign: string, at: number) => codes(sign, `203.0.113.${at}`, 2);
  expect(await inAll(ask)).toBe(10);
  const refused = await codes(signs[6] ?? '', '198.51.100.7', 1);
  expect(refused.refused).toMatchObject({
    status: 409,
    body: { errorCode: 'process.state.refused' },
    headers: { 'retry-after': '3600' },
  });
  // A different notation is the same number; a different number is a different person.
  const again = await api.process({ ...anna, phoneNumber: '+354 581 2345' });
  expect((await codes(again.sign, undefined, 1)).sent).toBe(0);
  const other = await api.process({ ...anna, phoneNumber: '5812346' });
  expect((await codes(other.sign, undefined, 1)).sent).toBe(1);
  api.pass(minutes(61));
  expect(await inAll(ask)).toBe(10);
  api.pass(minutes(61));
  expect(await inAll(ask)).toBe(0);
}, 120_000);

test("signees added through links share part of a number's codes; the rest stays for the person", async () => {
  const { sign } = await api.process(anna);
  const mail = { email: 'mal@example.test', signatureType: 'ClickToSign' };
  const { processKey } = await api.process({ name: 'Mal Ory', ...mail });
  const added = { phoneNumber: anna.phoneNumber, signatureType: 'Simple' };
  for (let at = 0; at < 5; at++) {
    const who = { name: `Vic ${'abcde'[at]}`, email: `m${at}@example.test` };
    const reply = await api.post(`/api/signing/${processKey}/signee`, { ...who, ...added });
    expect(reply.status).toBe(200);
  }
  const { signees } = await api.toolkit.processes.show({ key: processKey });
  let sent = 0;
  for (const { key } of signees.slice(1)) {
    const path = `/api/signing/sign/${processKey}/signee/${key}`;
    sent += (await codes(path, '198.51.100.7', 4)).sent;
  }
  expect(sent).toBe(3);
  expect((await codes(sign, undefined, 5)).sent).toBe(5);
}, 120_000);
