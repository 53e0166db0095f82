import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { agreement, openTestApi, type TestApi } from '../api/support/open-api.ts';
import { formOf } from '../api/support/upload.ts';
import { costlyTest } from '../support/sample.ts';

// For anything that a visitor sends to the verification page: a page of ours, and nothing is left
// behind.

let api: TestApi;
let visitors = 0;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

/** Each visitor has a separate address, so that no limit is reached by chance. */
const address = () => `198.18.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`;
const post = (payload: Buffer | string, type: string, more: Record<string, string> = {}) =>
  api.app.inject({
    ...{ method: 'POST', url: '/s/verify', remoteAddress: address() },
    ...{ headers: { 'content-type': type, ...more }, payload },
  });
const form = (parts: string, boundary = 'x') =>
  post(Buffer.from(parts, 'latin1'), `multipart/form-data; boundary=${boundary}`);
const send = (content: Buffer, name = 'a.pdf') => {
  const { headers, payload } = formOf('file', name, content, {});
  return post(payload as Buffer, (headers as Record<string, string>)['content-type'] ?? '');
};

const part = (name: string, content: string, headers = '') =>
  `--x\r\nContent-Disposition: form-data; ${name}\r\n${headers}\r\n${content}\r\n`;
const file = part('name="file"; filename="a.txt"', 'hello');

describe('forms sent to the verification page', () => {
  test.each([
    ['an empty body', ''],
    ['no boundary in the body', 'hello'],
    ['only the closing boundary', '--x--\r\n'],
    ['many parts before the file', `${part('name="a"', 'b').repeat(20_000)}${file}--x--\r\n`],
    ['an unterminated part', file],
    ['an unterminated file name', `${part('name="file"; filename="a', 'b')}--x--\r\n`],
    [
      'headers of 1 MB',
      `${part('name="file"; filename="a"', 'b', `X: ${'y'.repeat(1 << 20)}\r\n`)}--x--`,
    ],
    ['a text field instead of the file', `${part('name="file"', 'b')}--x--\r\n`],
    [
      'a nested form',
      `--x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\n\r\nb\r\n--y--\r\n--x--\r\n`,
    ],
    ['an empty file', `${part('name="file"; filename="a"', '')}--x--\r\n`],
    ['only boundaries', '--x\r\n'.repeat(100_000)],
  ])('%s: answers 422', async (_, body) => {
    const { statusCode, headers } = await form(body);
    expect(statusCode).toBe(422);
    expect(headers['content-type']).toContain('text/html');
  });

  test.each([
    ['none', 'multipart/form-data'],
    ['an empty one', 'multipart/form-data; boundary='],
    ['a long one', `multipart/form-data; boundary=${'x'.repeat(5000)}`],
    ['one that is a regular expression', 'multipart/form-data; boundary="(.*)+"'],
  ])('with an invalid boundary: %s', async (_, type) => {
    expect((await post(Buffer.from(`${file}--x--\r\n`), type)).statusCode).toBe(422);
  });

  test('of another type are answered with our page', async () => {
    for (const type of [
      'text/plain',
      'application/json',
      'multipart/mixed; boundary=x',
      '\u00e9',
    ]) {
      const { statusCode, body } = await post('{"a":1}', type);
      expect([400, 415, 422]).toContain(statusCode);
      expect(body).toContain('<form');
    }
  });

  test('compressed bodies are not decompressed', async () => {
    const body = gzipSync(Buffer.alloc(1 << 20));
    const { statusCode } = await post(body, 'multipart/form-data; boundary=x', {
      'content-encoding': 'gzip',
    });
    expect([415, 422]).toContain(statusCode);
  });
});

describe('hostile file names on the verification page', () => {
  test.each([
    ['HTML', '<script>alert(1)</script>.pdf'],
    ['closing tags', '</bdi></p><img src=x onerror=alert(1)>'],
    ['an attribute', "' onmouseover='a"],
    ['a bidirectional override', 'a\u202efdp.exe'],
    ['10 KB', 'n'.repeat(7000)],
    ['folders', '../../etc/passwd'],
    ['controls', 'a\u0007\u001b[31mb'],
    ['NUL', 'a\u0000b'],
    ['combining marks alone', '\u0301'.repeat(200)],
  ])('%s', async (_, name) => {
    const { statusCode, body, headers } = await send(agreement, name);
    expect(statusCode).toBe(200);
    expect(body).not.toContain('<script');
    expect(body).not.toContain('<img');
    expect(body).not.toContain("' onmouseover='");
    for (const sign of '\u0000\u0007\u001b\u202e') expect(body).not.toContain(sign);
    expect(body.length).toBeLessThan(60_000);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toContain('no-store');
  });
});

test('other methods are rejected, and invalid languages ignored', async () => {
  const ask = (method: 'HEAD' | 'PUT' | 'DELETE', url = '/s/verify') =>
    api.app.inject({ method, url });
  expect((await ask('HEAD')).body).toBe('');
  for (const method of ['PUT', 'DELETE'] as const) {
    const { statusCode } = await ask(method);
    expect([404, 405]).toContain(statusCode);
  }
  for (const lng of ['"><script>', '../..', '__proto__', 'constructor', '%00', 'a&lng=is', '🦊']) {
    const { body, statusCode } = await api.app.inject({
      url: `/s/verify?lng=${encodeURIComponent(lng)}`,
    });
    expect([200, 400]).toContain(statusCode);
    expect(body).not.toContain('<script');
    expect(body).toContain('action="/s/verify"');
    const { headers } = await api.app.inject({ url: `/verify?lng=${encodeURIComponent(lng)}` });
    expect(headers.location ?? '/s/verify').toBe('/s/verify');
  }
  for (const requested of ['__proto__', 'constructor', 'hasOwnProperty-x;q=2', ',;q=;,']) {
    const headers = { 'accept-language': requested };
    expect((await api.app.inject({ url: '/s/verify', headers })).statusCode).toBe(200);
  }
  const { statusCode } = await api.app.inject({ url: '/s/verify?lng=is&lng=de' });
  expect([200, 400]).toContain(statusCode);
});

test('a claimed client address has no limit of its own', async () => {
  const from = '198.51.100.77';
  const codes: number[] = [];
  for (let count = 0; count <= limits.pageChecksAtOnce; count++) {
    const { statusCode } = await api.app.inject({
      ...{ method: 'POST', url: '/s/verify', remoteAddress: from },
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        'x-forwarded-for': `203.0.113.${count}`,
        forwarded: `for=203.0.113.${count}`,
        'x-real-ip': `203.0.113.${count}`,
      },
      payload: '--x--\r\n',
    });
    codes.push(statusCode);
  }
  expect(codes.filter((code) => code === 429)).toHaveLength(1);
});

describe('verification over real connections', () => {
  let port = 0;
  beforeAll(async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    port = (api.app.server.address() as AddressInfo).port;
  });

  costlyTest(
    'clients that disconnect in the middle release their resources',
    async () => {
      const length = limits.pageFileBytes;
      for (let count = 0; count < 24; count++) {
        await new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => {
            const type = 'Content-Type: multipart/form-data; boundary=x';
            socket.write(
              `POST /s/verify HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${length}\r\n\r\n${file}`,
            );
            setTimeout(() => socket.destroy(), count % 2 === 0 ? 5 : 25);
          });
          socket.on('close', () => resolve());
          socket.on('error', () => undefined);
        });
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      // As much as is allowed concurrently: three files of full size.
      const whole = formOf('file', 'a.pdf', Buffer.alloc(limits.pageFileBytes), {});
      const codes = await Promise.all([1, 2, 3].map(() => upload(port, whole)));
      expect(codes).toEqual([422, 422, 422]);
      expect(await upload(port, formOf('file', 'a.pdf', agreement, {}))).toBe(200);
    },
    30_000,
  );

  test('rejects one byte more than 20 MB, and a false Content-Length', async () => {
    const more = formOf('file', 'a.pdf', Buffer.alloc(limits.pageFileBytes + 1), {});
    expect(await upload(port, more)).toBe(413);
    const status = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        const type = 'Content-Type: multipart/form-data; boundary=x';
        socket.write(
          `POST /s/verify HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 1e3\r\n\r\n${file}`,
        );
      });
      socket.once('data', (bytes) => {
        resolve(bytes.toString().slice(9, 12));
        socket.destroy();
      });
    });
    expect(status).toBe('400');
  }, 30_000);
});

function upload(port: number, { headers, payload }: ReturnType<typeof formOf>): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'POST', path: '/s/verify' };
    const request = httpRequest(
      { ...options, headers: { ...headers, 'content-length': payload.length } as never },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}
