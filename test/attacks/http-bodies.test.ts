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

describe('JSON that is none, or a trick', () => {
  test.each([
    ['half of it', '{"flowKey":'],
    ['a comma too much', '{"a":1,}'],
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
    ['__proto__ in disguise', '{"\\u005f_proto__":{"isAdmin":true}}'],
    ['__proto__ further down', '{"meta":{"__proto__":{"isAdmin":true}}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ])('%s: 400', async (_what, text) => {
    const answer = await create(text);
    expect(answer.statusCode).toBe(400);
    const { errorCode, message, responseStatus } = answer.json();
    expect(errorCode).toBe('validation.error');
    expect(responseStatus).toMatchObject({ errorCode, message });
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test.each([
    ['levels without end', '{"a":'.repeat(1_000_000)],
    ['a million elements', `{"createSignees":[${'{},'.repeat(1_000_000)}{}]}`],
  ])('%s: refused before anything is made of it', async (_what, text) => {
    const startMs = performance.now();
    const answer = await create(text);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([413, 'limit.exceeded']);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  test('names of object members do no harm as names of values', async () => {
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
    ['many of them', Array.from({ length: 1000 }, (_, at) => `a${at}=1`).join('&')],
    ['the same again and again', 'FlowKey=a&'.repeat(1000)],
    ['brackets', `FlowKey${'[a]'.repeat(1000)}=1`],
    ['broken escapes', 'FlowKey=%zz&Search=%c3%28'],
    ['null bytes', 'FlowKey=%00&Search=%00'],
  ])('query parameters: %s', async (_what, query) => {
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
    ['half a character', Buffer.concat([Buffer.from('{"a":"'), Buffer.from('e2', 'hex')])],
    ['half a pair', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['a longer form than needed', Buffer.from('7b2261223a22c0af227d', 'hex')],
  ])('bytes of %s: 400, and no text is guessed', async (_what, bytes) => {
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
  ])('%s: 415', async (given) => {
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
  ])('%s: taken as it is', async (given) => {
    const answer = await post('/management/signing', jon(), given);
    expect([answer.statusCode, answer.json().meta]).toEqual([200, { name: 'Jón' }]);
  });

  test('a type in another encoding is no matter where nothing is sent', async () => {
    const answer = await api.app.inject({
      url: '/healthz',
      headers: { 'content-type': 'application/json; charset=latin1' },
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('what is read twice is short', () => {
  const MARKS = 1024 * 1024;

  test.each([
    ['a fault far behind', `{"a":"${'b'.repeat(MARKS)}"x}`],
    ['lines without end', `${'\n'.repeat(MARKS)}x`],
    ['a member that is refused', `{"a":"${'b'.repeat(MARKS)}","__proto__":{}}`],
  ])('the place of a fault in a long body is not looked for: %s', async (_what, text) => {
    const answer = await create(text);
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'the body is not valid JSON, or it has a member __proto__ or constructor',
    ]);
  });

  test('a header of spaces costs nothing', async () => {
    // Longer than the server takes: what is looked at is how it grows.
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

describe('bodies of another kind', () => {
  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/pdf',
    'application/json-patch',
    'application/jsonx',
    'image/svg+xml',
  ])('%s: 415', async (type) => {
    const answer = await post('/management/signing', '{}', type);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([
      415,
      'request.media.unsupported',
    ]);
  });

  test('a route of PDFs takes no XML', async () => {
    expect((await post('/management/sealing', '<a/>', 'application/xml')).statusCode).toBe(415);
  });

  test('what is packed is not unpacked', async () => {
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

test('JSON with too many values is refused before the rest of it has come', () => {
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
])(
  'a text as long as a document is refused before anything looks at it: %s',
  async (path, more) => {
    const answer = await create(JSON.stringify(request(more)));
    const { errorCode, message } = answer.json();
    expect([answer.statusCode, errorCode]).toEqual([400, 'validation.error']);
    expect(message).toContain(path);
  },
);
