import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpRegister } from '../../../src/adapters/register/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import {
  documentedAnswers,
  type RegisterRequest,
  serveRegister,
} from '../../support/register-server.ts';
import { known, single } from './support.ts';

const home = { address: 'Prófgata 1', postalCode: '101', city: 'Reykjavík' };
const full = { ssn: known, found: true, ...home };
const secret = 'aToken-of-the-register';

function tokenFile(text: string): string {
  const folder = newTemporaryFolder('token');
  const file = join(folder, 'token');
  writeFileSync(file, text);
  return file;
}

const failed = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error as Error & { readonly details: object; readonly hint?: string },
  );

describe('a register look-up over HTTP', () => {
  test('is one POST request with the number only in its body', async () => {
    const answers = documentedAnswers({ [known]: { address: home } });
    const { url, requests } = await serveRegister(answers);
    const register = httpRegister({ url, tokenFile: tokenFile(`${secret}\nrest`) });
    expect(await register.address(known)).toEqual(home);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/persons',
        authorization: `Bearer ${secret}`,
        body: JSON.stringify({ ssn: known, lookup: 'address' }),
      },
    ]);
  });
});

const json = (value: unknown) => (_: RegisterRequest, response: ServerResponse) =>
  void response.end(JSON.stringify(value));
const status =
  (code: number, headers = {}) =>
  (_: RegisterRequest, response: ServerResponse) =>
    void response.writeHead(code, headers).end(JSON.stringify(full));
const text = (body: string | Buffer) => (_: RegisterRequest, response: ServerResponse) =>
  void response.end(body);

const invalid = 'register.answer.invalid';
const away = 'register.unavailable';
const wrong = 'register.configuration';
const hostile: readonly [string, Parameters<typeof serveRegister>[0], string][] = [
  ['that is not JSON', text('<html>'), invalid],
  ['that is empty', text(''), invalid],
  ['that is not UTF-8', text(Buffer.from([0x22, 0xff, 0x22])), invalid],
  ['that is an array', json([full]), invalid],
  ['that is null', json(null), invalid],
  ['about a different person', json({ ...full, ssn: single }), invalid],
  ['without a national number', json({ ...full, ssn: undefined }), invalid],
  ['with an invalid found member', json({ ...full, found: 'true' }), invalid],
  ['without a city', json({ ...full, city: undefined }), invalid],
  ['with a number as postal code', json({ ...full, postalCode: 101 }), invalid],
  ['with an object instead of text', json({ ...full, city: { toString: 'x' } }), invalid],
  ['with an overlong text', json({ ...full, city: 'a'.repeat(201) }), invalid],
  ['with a line break', json({ ...full, city: 'a\nb' }), invalid],
  ['with members of a prototype', text(`{"__proto__":${JSON.stringify(full)}}`), invalid],
  ['that is deeply nested', text('['.repeat(60_000)), invalid],
  ['that is too long', text(' '.repeat(70_000)), invalid],
  ['with status 302', status(302, { location: 'http://127.0.0.1:1/' }), wrong],
  ['with status 401', status(401), wrong],
  ['with status 404', status(404), wrong],
  ['with status 204', status(204), wrong],
  ['with status 429', status(429), away],
  ['with status 500', status(500), away],
  ['that is truncated', (_, response) => void response.destroy(), away],
  ['that never comes', () => undefined, away],
];

describe('a response of a register', () => {
  test.each(hostile)('%s is rejected', async (name, answer, code) => {
    const isLate = name.endsWith('comes');
    const { url } = await serveRegister(answer);
    const register = httpRegister({
      url,
      timeoutMs: isLate ? 300 : 10_000,
      tokenFile: tokenFile(secret),
    });
    const error = await failed(register.address(known));
    expect(error).toMatchObject({ code });
    const told = `${error.message} ${error.hint} ${JSON.stringify(error.details)}`;
    for (const word of [known, secret, 'Prófgata', '/persons']) expect(told).not.toContain(word);
  });

  test.each([
    ['family', { familyNumber: known, genderCode: 2, familyStatus: '3' }],
    ['family', { familyNumber: known, genderCode: '2', familyStatus: '3', partnerSsn: 'x' }],
    ['hasMeter', { hasMeter: 'yes' }],
    ['hasMeter', {}],
  ] as const)('of %s with %j is rejected', async (method, members) => {
    const { url } = await serveRegister(json({ ssn: known, found: true, ...members }));
    const error = await failed(httpRegister({ url })[method](known));
    expect(error).toMatchObject({ code: invalid });
    expect(error.message).not.toContain(known);
  });

  test('may contain unknown members, which are ignored', async () => {
    const { url } = await serveRegister(json({ ...full, more: { deep: [1] } }));
    expect(await httpRegister({ url }).address(known)).toEqual(home);
  });
});

describe('settings of a register', () => {
  test.each([
    'ftp://127.0.0.1/',
    'nothing',
    'http://register.example/',
    'https://user:pass@register.example/',
  ])('%s is rejected immediately and not repeated', (url) => {
    try {
      httpRegister({ url });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'config.invalid' });
      expect(String(error)).not.toContain('pass@');
    }
  });

  test('an unreachable server, a blocked port and a blocked address fail', async () => {
    const asked = (url: string) => failed(httpRegister({ url, timeoutMs: 500 }).address(known));
    expect(await asked('http://127.0.0.1:59999/')).toMatchObject({ code: away });
    expect(await asked('http://127.0.0.1:1/')).toMatchObject({ code: wrong });
    expect(await asked('https://169.254.169.254/')).toMatchObject({ code: wrong });
  });

  test.each([
    ['is missing', undefined],
    ['is empty', '\n'],
    ['contains a header', 'a\tb: c'],
  ])('a token file that %s fails and nothing is sent', async (_, content) => {
    const { url, requests } = await serveRegister(json(full));
    const file = content === undefined ? '/nowhere/token' : tokenFile(content);
    const error = await failed(httpRegister({ url, tokenFile: file }).address(known));
    expect(error).toMatchObject({ code: wrong });
    expect(requests).toEqual([]);
  });
});
