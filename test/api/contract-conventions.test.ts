import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement } from './support/open-api.ts';
import { openWorld, type World } from './support/world.ts';

// Existing clients write URLs, bodies and values in many ways; each row is one of them.
let w: World;
beforeAll(async () => {
  w = await openWorld();
}, 120_000);
afterAll(() => w.close());

const pdf64 = agreement.toString('base64');
const own = () => ({ authorization: w.basic });
const qualified = { name: 'Ödön', ssn: '6000101994', phoneNumber: '6666666' };
const process = (changes: object = {}, signee: object = {}) => ({
  flowKey: w.flowKey,
  pdfDocument: pdf64,
  pdfFileName: 'a.pdf',
  createSignees: [{ ...qualified, email: 'o@example.test', ...signee }],
  ...changes,
});
const make = async (payload: object) => {
  const url = '/api/management/signing';
  const reply = await w.app.inject({ method: 'POST', url, headers: own(), payload });
  return { status: reply.statusCode, body: reply.json() };
};

describe('URLs', () => {
  test.each([
    ['/api/management/flow'],
    ['/API/Management/FLOW/'],
    ['/management/flow'],
    ['//api//management//flow//'],
    ['/Management/Flow/?unknown=1'],
  ])('%s returns the list of flows', async (url) => {
    const reply = await w.app.inject({ url, headers: own() });
    expect([reply.statusCode, reply.json()[0]?.flowKey]).toEqual([200, w.flowKey]);
  });

  test.each([
    ['GET', (): string => `/signing/${w.open.key}/signee/${w.open.signee}`],
    ['GET', (): string => `/pdf/${w.open.key}/${w.open.signee}.PDF`],
    ['GET', (): string => '/signing/activity?StartDate=2020-01-01&EndDate=2100-01-01'],
    ['POST', (): string => `/signing/sequential/${w.sequenceKey}`],
    ['POST', (): string => `/management/signing/${w.open.key}/signee/nobody/remind`],
  ] as const)('the route also exists without /api: %s, row %#', async (method, url) => {
    const reply = await w.app.inject({ method, url: url(), headers: own() });
    expect(reply.body).not.toContain('route.not_found');
  });

  test('the download URLs in webhooks and responses work', async () => {
    const { open } = w;
    const document = await w.app.inject(`/${open.key}/${open.signee}.pdf`);
    expect([document.statusCode, document.headers['content-type']]).toEqual([
      200,
      'application/pdf',
    ]);
    const shown = await w.app.inject(`/api/signing/${open.key}/signee/${open.signee}`);
    const [reference] = shown.json().attachmentReferences;
    const file = await w.app.inject(new URL(reference.url).pathname);
    expect([file.statusCode, file.body]).toEqual([200, 'Terms']);
    expect((await w.app.inject('/attachment/sp0/at0/..%2f..%2fetc')).statusCode).toBe(404);
    expect((await w.app.inject('/nothing')).json().errorCode).toBe('route.not_found');
  });

  test.each(['/api/swagger-ui', '/api/swagger-ui/', '/api/swagger-ui/index.html'])(
    '%s serves the API console',
    async (url) => {
      const reply = await w.app.inject(url);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    },
  );

  test('the OpenAPI description has the published version', async () => {
    expect((await w.app.inject('/openapi.json')).json().info.version).toBe('1.0');
  });
});

describe('request bodies', () => {
  const validate = '/api/management/apikeys/validate';
  const start = { authenticationContextType: 'Sim', phoneNumber: '6666666' };
  const login = () => JSON.stringify({ flowKey: w.flowKey, ...start });

  test.each([
    ['no type and no body', validate, undefined, undefined, 200],
    ['a form without a body', validate, 'application/x-www-form-urlencoded', '', 200],
    ['text without a body', validate, 'text/plain', '', 200],
    ['JSON without a body', validate, 'application/json', '', 200],
    ['a form with a body', validate, 'application/x-www-form-urlencoded', 'a=b', 415],
    [
      'null where no body is needed',
      '/api/management/signing/block',
      'application/json',
      'null',
      400,
    ],
    ['application/json-patch+json', '/api/auth/start', 'application/json-patch+json', login, 200],
    ['text/json', '/api/auth/start', 'text/json; charset=utf-8', login, 200],
    ['a byte order mark', '/api/auth/start', 'application/json', () => `\ufeff${login()}`, 200],
    ['plain text', '/api/auth/start', 'text/plain', login, 415],
  ] as const)(
    'answers with the status for this body: %s',
    async (_what, url, type, body, status) => {
      const payload = typeof body === 'function' ? body() : body;
      const headers = { ...own(), ...(type === undefined ? {} : { 'content-type': type }) };
      const given = payload === undefined ? {} : { payload };
      const reply = await w.app.inject({ method: 'POST', url, headers, ...given });
      expect([reply.statusCode, status === 200 ? '' : reply.json().errorCode]).toEqual([
        status,
        { 200: '', 400: 'validation.error', 415: 'request.media.unsupported' }[status],
      ]);
      // `null` counts as an empty body, so that the key is reported as missing.
      if (status === 400) expect(reply.json().message).toContain('processKey');
    },
  );
});

describe('routes that accept the document itself as the body', () => {
  const routes = [
    ['/api/management/sealing', 'pdfDocument'],
    ['/api/management/sealing/xml', 'xmlDocument'],
    ['/api/management/archive', 'pdfDocument'],
    ['/api/verify', 'document'],
  ] as const;
  const bodies = [
    [undefined, undefined],
    ['application/json', ''],
    ['application/json', 'null'],
    ['application/json', '{}'],
    ['text/json', '{}'],
    ['application/json-patch+json', '{}'],
    ['application/json', '[]'],
    ['application/json', '"text"'],
    ['application/x-www-form-urlencoded', ''],
  ] as const;
  const rows = routes.flatMap(([url, member]) =>
    bodies.map((each) => [url, ...each, member] as const),
  );

  test.each(rows)('%s with %s %j is rejected as incomplete', async (url, type, payload, member) => {
    const headers = { ...own(), ...(type === undefined ? {} : { 'content-type': type }) };
    const given = payload === undefined ? {} : { payload };
    const reply = await w.app.inject({ method: 'POST', url, headers, ...given });
    const { errorCode, responseStatus } = reply.json();
    expect([reply.statusCode, errorCode]).toEqual([400, 'validation.error']);
    if (payload !== '{}') return;
    const fields = responseStatus.errors.map((each: { fieldName: string }) => each.fieldName);
    expect(fields).toContain(member);
  });
});

describe('enumerations and numbers', () => {
  test.each([
    ['language', 10, 'Is'],
    ['language', '21', 'En'],
    ['language', 'hu', 'Hu'],
    ['language', 0, undefined],
    ['language', '', undefined],
    ['communicationDeliveryType', 0, 'None'],
    ['communicationDeliveryType', 1, 'Sms'],
    ['communicationDeliveryType', 2, 'Email'],
    ['communicationDeliveryType', '', 'None'],
    ['signatureType', '', 'Qualified'],
    ['hidePersonalCode', 'True', true],
    ['hidePersonalCode', 'FALSE', false],
    ['hidePersonalCode', '', false],
  ])('accepts %s %j as %j', async (name, value, expected) => {
    const { status, body } = await make(process({}, { [name]: value }));
    expect([status, body.signees?.[0]?.[name]]).toEqual([200, expected]);
  });

  test.each([
    ['language', 11],
    ['language', 'Dk'],
    ['communicationDeliveryType', 3],
    ['hidePersonalCode', 'yes'],
  ])('rejects %s %j', async (name, value) => {
    const { status, body } = await make(process({}, { [name]: value }));
    expect([status, body.responseStatus.errors[0].fieldName]).toEqual([
      400,
      `createSignees[0].${name}`,
    ]);
  });

  test('accepts the published number of a webhook type, and rejects 0', async () => {
    const url = '/api/management/webhook';
    const options = { flowKey: w.flowKey, url: 'https://receiver.example.com/' };
    const send = (type: unknown) =>
      w.app.inject({ method: 'POST', url, headers: own(), payload: { ...options, type } });
    expect((await send(2)).json().type).toBe('AllSigned');
    const none = await send(0);
    expect([none.statusCode, none.json().responseStatus.errors[0].fieldName]).toEqual([
      400,
      'type',
    ]);
  });
});

describe('fieldName of a validation error', () => {
  const flow = () => ({ flowKey: w.flowKey });
  const text = { to: '{{customer.email}}', subject: 'A', message: '<p>', language: 'Is' };
  const mail = { ...text, templateType: 'Signup' };
  test.each([
    ['webhook', () => ({ ...flow(), type: 'NotSet', url: 'https://a.example.com' }), 'type'],
    ['webhook', () => ({ ...flow(), type: 'Odd', url: 'https://a.example.com' }), 'type'],
    ['webhook', () => ({ ...flow(), type: 'Created', url: 'ftp://a' }), 'url'],
    ['webhook', () => ({ ...flow(), type: 'Created' }), 'url'],
    ['emailtemplate', () => ({ ...flow(), ...mail, to: 'nobody' }), 'to'],
    ['emailtemplate', () => ({ ...flow(), ...mail, Bcc: 'nobody' }), 'bcc'],
    ['emailtemplate', () => ({ ...flow(), ...mail, message: '{{open' }), 'message'],
    ['emailtemplate', () => ({ ...flow(), ...mail, language: 'xx' }), 'language'],
    ['signing', () => process({ pdfDocument: '!' }), 'pdfDocument'],
    [
      'signing',
      () => process({ createSignees: [{ email: 'x@example.test' }] }),
      'createSignees[0].name',
    ],
  ] as const)(
    '%s: the field is in fieldName and not in the message',
    async (what, payload, field) => {
      const url = `/api/management/${what}`;
      const reply = await w.app.inject({ method: 'POST', url, headers: own(), payload: payload() });
      expect(reply.statusCode).toBe(400);
      const { errorCode, message, responseStatus } = reply.json();
      const [error] = responseStatus.errors;
      expect(error).toMatchObject({ errorCode, fieldName: field });
      expect(error.message.startsWith(field)).toBe(false);
      if (what === 'webhook') expect(error.message).not.toContain('NotSet,');
      expect(message).toContain(error.message);
    },
  );

  test('an unknown member is ignored: isActive does not disable a webhook, active does', async () => {
    const url = '/api/management/webhook';
    const options = { ...flow(), type: 'Created', url: 'https://receiver.example.com/' };
    const headers = own();
    const { id } = (await w.app.inject({ method: 'POST', url, headers, payload: options })).json();
    const put = async (payload: object) =>
      (await w.app.inject({ method: 'PUT', url: `${url}/${id}`, headers, payload })).json().active;
    expect(await put({ isActive: false })).toBe(true);
    expect(await put({ Active: false })).toBe(false);
  });
});

describe('fieldName uses the member names of the request', () => {
  const nameless = { email: 'x@example.test' };
  test.each([
    ['a signee', () => process({ createSignees: [nameless] }), 'createSignees[0].name'],
    ['a signee as a whole', () => process({ createSignees: [{ name: 'X' }] }), 'createSignees[0]'],
    ['the reminder rule', () => process({ reminderRule: 'often' }), 'reminderRule'],
    ['the file name', () => process({ pdfFileName: 'a/b.pdf' }), 'pdfFileName'],
  ] as const)('names the field as the client sent it: %s', async (_what, payload, field) => {
    const { status, body } = await make(payload());
    const [error] = body.responseStatus.errors;
    expect([status, error.fieldName]).toEqual([400, field]);
    expect(body.message).not.toMatch(/(^|\W)signees\[/);
  });

  test('names the field of a document within a sequence', async () => {
    const url = '/api/management/signing/sequential';
    const second = process({ createSignees: [nameless] });
    const payload = { createSigningProcesses: [process(), second], user: 'o@example.test' };
    const reply = await w.app.inject({ method: 'POST', url, headers: own(), payload });
    expect(reply.json().responseStatus.errors[0].fieldName).toBe(
      'createSigningProcesses[1].createSignees[0].name',
    );
  });

  test('names the field of an added signee', async () => {
    const url = `/api/signing/${w.open.key}/signee`;
    const reply = await w.app.inject({ method: 'POST', url, payload: nameless });
    expect([reply.statusCode, reply.json().responseStatus.errors[0].fieldName]).toEqual([
      400,
      'name',
    ]);
  });
});
