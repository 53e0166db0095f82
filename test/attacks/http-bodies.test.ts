import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JsonDocuments } from '../../src/api/plugins/bodies/json-documents.ts';
import { type BodyApi, openBodyApi } from '../api/support/body-api.ts';
import type { TestApi } from '../api/support/open-api.ts';

let api: TestApi;
let post: BodyApi['post'];
let create: BodyApi['create'];
let request: BodyApi['request'];
beforeAll(async () => {
  ({ api, post, create, request } = await openBodyApi());
}, 60_000);
afterAll(() => api.close());

const MB = 1024 * 1024;

describe('malformed and malicious JSON', () => {
  test.each([
    ['truncated JSON', '{"flowKey":'],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{}{}'],
    ['a comment', '{/**/}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark alone', '\ufeff'],
    ['a null octet', '{"a":1}\0'],
    ['a control character in a text', '{"a":"\u0001"}'],
    ['a number', '7'],
    ['null', 'null'],
    ['nothing', ''],
    ['a list', '[]'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['escaped __proto__', '{"\\u005f_proto__":{"isAdmin":true}}'],
    ['nested __proto__', '{"meta":{"__proto__":{"isAdmin":true}}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ])('%s: answers 400', async (_what, text) => {
    const answer = await create(text);
    expect(answer.statusCode).toBe(400);
    const { errorCode, message, responseStatus } = answer.json();
    expect(errorCode).toBe('validation.error');
    expect(responseStatus).toMatchObject({ errorCode, message });
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test.each([
    ['a million levels of nesting', '{"a":'.repeat(1_000_000)],
    ['a million elements', `{"createSignees":[${'{},'.repeat(1_000_000)}{}]}`],
  ])('%s: answers 413 before it is parsed', async (_what, text) => {
    const startMs = performance.now();
    const answer = await create(text);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([413, 'limit.exceeded']);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  test('names of Object.prototype members are harmless as member names', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'];
    const meta = Object.fromEntries(names.map((name) => [name, 'x']));
    const made = await create(JSON.stringify(request({ meta })));
    expect([made.statusCode, made.json().meta]).toEqual([200, meta]);
    const query = names.map((name) => `${name}=1&${name}[a]=2&__proto__[${name}]=3`).join('&');
    const listed = await api.app.inject({
      url: `/api/signing/activity/total?StartDate=2020-01-01&EndDate=2100-01-01&${query}`,
      headers: { authorization: api.basic },
    });
    expect(listed.statusCode).toBe(200);
    expect(typeof {}.toString).toBe('function');
  });

  test.each([
    ['many parameters', Array.from({ length: 1000 }, (_, at) => `a${at}=1`).join('&')],
    ['a repeated parameter', 'FlowKey=a&'.repeat(1000)],
    ['brackets', `FlowKey${'[a]'.repeat(1000)}=1`],
    ['malformed escapes', 'FlowKey=%zz&Search=%c3%28'],
    ['null octets', 'FlowKey=%00&Search=%00'],
  ])('query parameters: %s: answers 200 or 400', async (_what, query) => {
    const answer = await api.app.inject({
      url: `/api/signing/activity?StartDate=2020-01-01&EndDate=2100-01-01&${query}`,
      headers: { authorization: api.basic },
    });
    expect([200, 400]).toContain(answer.statusCode);
  });
});

describe('JSON in another encoding', () => {
  const jon = () => Buffer.from(JSON.stringify(request({ meta: { name: 'Jón' } })));
  const type = 'application/json';

  test.each([
    ['latin-1', Buffer.from('{"name":"Jón"}', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"name":"Jón"}', 'utf16le')],
    ['half of a UTF-8 character', Buffer.concat([Buffer.from('{"a":"'), Buffer.from('e2', 'hex')])],
    ['half of a surrogate pair', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['an overlong encoding', Buffer.from('7b2261223a22c0af227d', 'hex')],
  ])('bytes of %s: answers 400 and does not guess the text', async (_what, bytes) => {
    const answer = await post('/management/signing', bytes);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'validation.error']);
    expect(answer.json().message).toBe('the body is not UTF-8, which JSON requires');
  });

  test.each([
    'application/json; charset=iso-8859-1',
    'application/json;charset="UTF-16"',
    'application/json; a=b; Charset = windows-1252',
    'application/json; charset=utf-8; charset=latin1',
    'text/json; charset=latin1',
    'application/problem+json; charset=us-acsii',
  ])('%s: answers 415', async (given) => {
    const answer = await post('/management/signing', jon(), given);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([
      415,
      'request.media.unsupported',
    ]);
    expect(answer.json().message).toContain('application/json in UTF-8');
  });

  test.each([
    type,
    `${type}; charset=utf-8`,
    `${type};charset="UTF-8"`,
    `${type}; Charset=utf8; a=b`,
    'text/json;charset=UTF-8',
    `${type};`,
  ])('%s: is accepted', async (given) => {
    const answer = await post('/management/signing', jon(), given);
    expect([answer.statusCode, answer.json().meta]).toEqual([200, { name: 'Jón' }]);
  });

  test('an unsupported charset does not matter without a body', async () => {
    const answer = await api.app.inject({
      url: '/healthz',
      headers: { 'content-type': 'application/json; charset=latin1' },
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('the cost of long bodies and headers', () => {
  const MARKS = 1024 * 1024;

  test.each([
    ['a fault far into the body', `{"a":"${'b'.repeat(MARKS)}"x}`],
    ['very many lines', `${'\n'.repeat(MARKS)}x`],
    ['a rejected member', `{"a":"${'b'.repeat(MARKS)}","__proto__":{}}`],
  ])('the position of a fault in a long body is not computed: %s', async (_what, text) => {
    const answer = await create(text);
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'the body is not valid JSON, or it has a member __proto__ or constructor',
    ]);
  });

  test('a long header of spaces is parsed in linear time', async () => {
    // Longer than the server accepts: the growth of the run time is tested.
    const accept = `a${' '.repeat(100_000)}b`;
    const begunAt = performance.now();
    const { statusCode } = await api.app.inject({
      method: 'POST',
      url: `/api/management/sealing/xml?flowKey=${api.flowKey}`,
      headers: { authorization: api.basic, accept, 'content-type': 'application/xml' },
      payload: '<a/>',
    });
    expect(statusCode).toBe(200);
    expect(performance.now() - begunAt).toBeLessThan(5000);
  });
});

describe('bodies of other types', () => {
  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/pdf',
    'application/json-patch',
    'application/jsonx',
    'image/svg+xml',
  ])('%s: answers 415', async (type) => {
    const answer = await post('/management/signing', '{}', type);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([
      415,
      'request.media.unsupported',
    ]);
  });

  test('a route for PDFs does not accept XML', async () => {
    expect((await post('/management/sealing', '<a/>', 'application/xml')).statusCode).toBe(415);
  });

  test('compressed bodies are not decompressed', async () => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/management/signing',
      headers: {
        authorization: api.basic,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: Buffer.from('1f8b0800000000000003', 'hex'),
    });
    expect(answer.statusCode).toBe(400);
  });
});

test('JSON with too many values is rejected before the whole body has arrived', () => {
  const documents = new JsonDocuments(64 * MB);
  const piece = Buffer.from('"a":0,'.repeat(10_000));
  let taken = 0;
  const take = () => {
    for (; taken < 50; taken += 1) documents.take(piece);
  };
  expect(take).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
  expect(taken).toBe(9);
});

test.each([
  ['user', { user: '<a '.repeat(100_000) }],
  ['meta', { meta: '<a '.repeat(100_000) }],
  [
    'createSignees[0].ssn',
    { createSignees: [{ name: 'A', ssn: '%20'.repeat(100_000), signatureType: 'ClickToSign' }] },
  ],
])('a text as long as a document is rejected by its length: %s', async (path, more) => {
  const answer = await create(JSON.stringify(request(more)));
  const { errorCode, message } = answer.json();
  expect([answer.statusCode, errorCode]).toEqual([400, 'validation.error']);
  expect(message).toContain(path);
});
