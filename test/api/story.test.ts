import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement, basicOf, openTestApi } from './support/open-api.ts';
import { openWorld, type World } from './support/world.ts';

const pdf64 = agreement.toString('base64');
let w: World;
beforeAll(async () => {
  w = await openWorld();
}, 120_000);
afterAll(() => w.close());

const own = () => ({ authorization: w.basic });
const create = async (changes: object = {}) => {
  const response = await w.app.inject({
    method: 'POST',
    url: '/api/management/signing',
    headers: own(),
    payload: {
      flowKey: w.flowKey,
      pdfDocument: pdf64,
      pdfFileName: 'agreement.pdf',
      createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      attachments: [{ fileName: 'a.html', fileContent: Buffer.from('<b>').toString('base64') }],
      meta: { Reference: '1', __proto__x: '2' },
      ...changes,
    },
  });
  return response.json() as {
    readonly key: string;
    readonly status: string;
    readonly meta: object;
    readonly signees: readonly { readonly key: string; readonly url: string }[];
    readonly attachmentReferences: readonly { readonly id: string }[];
  };
};

describe('a process', () => {
  test('is created, read, blocked and cancelled', async () => {
    const process = await create();
    const [signee] = process.signees;
    expect(process.status).toBe('Created');
    expect(process.meta).toEqual({ Reference: '1', __proto__x: '2' });
    expect(signee?.url).toMatch(new RegExp(`/s/${process.key}/${signee?.key}$`));
    const url = `/api/management/signing/block`;
    const body = { PROCESSKEY: process.key, reason: 'dispute', user: 'owner@example.test' };
    const blocked = await w.app.inject({ method: 'POST', url, headers: own(), payload: body });
    expect([blocked.statusCode, blocked.body]).toEqual([204, '']);
    expect((await w.toolkit.processes.show({ key: process.key })).status).toBe('Blocked');
    const cancel = `/api/management/signing?ProcessKey=${process.key}&User=owner@example.test`;
    const gone = await w.app.inject({ method: 'DELETE', url: cancel, headers: own() });
    expect(gone.statusCode).toBe(204);
    const shown = await w.app.inject(`/api/signing/${process.key}/signee/${signee?.key}`);
    expect(shown.json()).toMatchObject({ status: 'Canceled' });
  });

  test('records that a link was opened, and a view only once the document was sent', async () => {
    const { key, signees } = await create();
    const signeeKey = String(signees[0]?.key);
    const page = `/api/signing/${key}/signee/${signeeKey}?UserAgent=Tester`;
    const pdf = `/api/pdf/${key}/${signeeKey}.pdf`;
    const seen = async () => {
      const log = await w.app.inject({ url: `/api/signing/activity/${key}`, headers: own() });
      const [{ activityLog }] = log.json() as [{ activityLog: Record<string, string>[] }];
      const looks = activityLog.filter(({ status = '' }) => /Opened|Viewed/.test(status));
      return looks.map(({ status, description, userAgent }) => [status, description, userAgent]);
    };
    const ask = async (method: 'GET' | 'HEAD', url: string, headers = {}) =>
      (await w.app.inject({ method, url, headers: { 'user-agent': 'Reader', ...headers } }))
        .statusCode;
    expect(await ask('GET', page)).toBe(200);
    expect(await ask('GET', page)).toBe(200);
    const opened = ['LinkOpened', undefined, 'Tester'];
    expect(await seen()).toEqual([opened]);
    const [before] = (await w.toolkit.processes.show({ key })).signees;
    expect([before?.state, before?.viewedAtMs]).toEqual(['Invited', undefined]);
    expect(await ask('HEAD', pdf)).toBe(200);
    expect(await ask('GET', pdf, own())).toBe(200);
    const digest = createHash('sha256').update(agreement).digest('hex');
    expect(await ask('GET', pdf, { 'if-none-match': `"${digest}"` })).toBe(304);
    expect(await seen()).toEqual([opened]);
    expect(await ask('GET', pdf)).toBe(200);
    expect(await ask('GET', pdf)).toBe(200);
    expect(await seen()).toEqual([opened, ['DocumentViewed', `SHA-256 ${digest}`, 'Reader']]);
    const [after] = (await w.toolkit.processes.show({ key })).signees;
    expect(after).toMatchObject({ state: 'Viewed', viewedSha256: digest });
  });

  test('serves an attachment as a download and never as a page, and deletes it', async () => {
    const { key, attachmentReferences } = await create();
    const url = `/api/signing/${key}/attachment/${attachmentReferences[0]?.id}/fileName/a.html`;
    const read = await w.app.inject(url);
    expect(read.body).toBe('<b>');
    expect(read.headers['content-disposition']).toContain('attachment');
    expect(read.headers['content-security-policy']).toContain('sandbox');
    expect((await w.app.inject({ method: 'DELETE', url })).statusCode).toBe(204);
    expect((await w.app.inject(url)).json()).toMatchObject({ errorCode: 'process.file.not_found' });
  });

  test('serves its document with an ETag, for GET and HEAD', async () => {
    const { key, signees } = await create();
    const url = `/api/pdf/${key}/${signees[0]?.key}.pdf`;
    const read = await w.app.inject(url);
    expect(createHash('sha256').update(read.rawPayload).digest('hex')).toBe(
      createHash('sha256').update(agreement).digest('hex'),
    );
    const head = await w.app.inject({ method: 'HEAD', url });
    expect(head.statusCode).toBe(200);
    expect(head.rawPayload.length).toBe(0);
    expect(head.headers['content-length']).toBe(String(agreement.length));
    const tag = String(read.headers.etag);
    const again = await w.app.inject({ url, headers: { 'if-none-match': tag } });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  });
});

describe('a sequence', () => {
  test('groups persons, and is cancelled only by its user', async () => {
    const process = {
      flowKey: w.flowKey,
      pdfDocument: pdf64,
      pdfFileName: 'a.pdf',
      createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      user: 'Owner@example.test',
      signInOrder: true,
    };
    const url = '/api/management/signing/sequential';
    const made = await w.app.inject({
      method: 'POST',
      url,
      headers: own(),
      payload: [process, process],
    });
    const sequence = made.json();
    expect(sequence).toMatchObject({ status: 'Created', signInOrder: true });
    expect(sequence.signees).toHaveLength(1);
    expect(sequence.signees[0].signingKeys).toHaveLength(2);
    expect(sequence.signingProcesses[0].sequenceKey).toBe(sequence.key);
    const cancel = `${url}?SequenceKey=${sequence.key}&User=owner@EXAMPLE.test`;
    const gone = await w.app.inject({ method: 'DELETE', url: cancel, headers: own() });
    expect(gone.json()).toMatchObject({ key: sequence.key, status: 'Canceled' });
  });
});

describe('a sealed document', () => {
  test('is sealed, counted, archived and verified', async () => {
    const headers = { ...own(), 'content-type': 'application/pdf' };
    const url = `/api/management/sealing?FlowKey=${w.flowKey}&Reason=Paid&AddSealOnAllPages=true`;
    const sealed = await w.app.inject({ method: 'POST', url, headers, payload: agreement });
    expect(sealed.headers['content-type']).toBe('application/pdf');
    expect(Number(sealed.headers['x-seal-count'])).toBeGreaterThan(0);
    expect(sealed.rawPayload.subarray(0, agreement.length).equals(agreement)).toBe(true);
    const archived = await w.app.inject({
      method: 'POST',
      url: '/api/management/archive',
      headers: { ...own(), accept: 'application/json' },
      payload: { pdfDocument: sealed.rawPayload.toString('base64'), fileName: 'a.pdf' },
    });
    expect(archived.json()).toMatchObject({ fileName: 'a.pdf' });
    const checked = await w.app.inject({
      method: 'POST',
      url: '/api/verify',
      headers: own(),
      payload: { Document: archived.json().pdfDocument },
    });
    expect(checked.json()).toMatchObject({ valid: true, signatures: [{ level: 'B-LTA' }, {}, {}] });
    const raw = await w.app.inject({
      method: 'POST',
      url: '/api/management/archive?filename=a.pdf',
      headers,
      payload: sealed.rawPayload,
    });
    expect([raw.statusCode, raw.headers['content-type']]).toEqual([200, 'application/pdf']);
  });

  test('is returned in the format that the client accepts', async () => {
    const answers: string[] = [];
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'application/pdf, application/json;q=0.5',
      'application/json;q=0',
    ]) {
      const response = await w.app.inject({
        method: 'POST',
        url: '/api/management/sealing',
        headers: { ...own(), ...(accept === undefined ? {} : { accept }) },
        payload: { flowKey: w.flowKey, pdfDocument: pdf64 },
      });
      answers.push(String(response.headers['content-type']).split(';')[0] ?? '');
    }
    const [pdf, json] = ['application/pdf', 'application/json'];
    expect(answers).toEqual([pdf, pdf, json, pdf, pdf]);
  });
});

describe('credentials', () => {
  test('of another company reach nothing of this one', async () => {
    const { key, signee } = w.open;
    const calls: readonly [method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object][] = [
      ['DELETE', `/api/management/signing?ProcessKey=${key}&User=owner@example.test`],
      ['POST', `/api/management/signing/block?ProcessKey=${key}`],
      ['GET', `/api/signing/activity/${key}`],
      [
        'DELETE',
        `/api/management/signing/sequential?SequenceKey=${w.sequenceKey}&User=owner@example.test`,
      ],
      ['DELETE', `/signing/process/${key}/signee/${signee}/remind`],
      ['DELETE', `/signing/sequence/${w.sequenceKey}/signee/${w.personKey}/remind`],
      [
        'POST',
        `/management/signing/${key}/signee/${signee}/remind`,
        { CommunicationDeliveryType: 'Email' },
      ],
      ['GET', `/api/management/flow/${w.flowKey}`],
      ['GET', `/api/management/smartflows/${w.flowKey}`],
      ['GET', `/api/management/webhook/flowKey/${w.flowKey}`],
      ['GET', `/api/management/emailtemplate/flowKey/${w.flowKey}`],
      ['POST', '/api/management/sealing', { flowKey: w.flowKey, pdfDocument: pdf64 }],
      ['POST', `/api/management/apikeys/validate?FlowKey=${w.flowKey}`],
    ];
    for (const [method, url, payload] of calls) {
      const headers = { authorization: w.foreign };
      const more = payload === undefined ? {} : { payload };
      const response = await w.app.inject({ method, url, headers, ...more });
      expect(`${method} ${url} ${response.statusCode}`).toBe(`${method} ${url} 404`);
    }
    const list = await w.app.inject({
      url: '/api/signing/activity?StartDate=2000-01-01&EndDate=2100-01-01',
      headers: { authorization: w.foreign },
    });
    expect(list.json()).toEqual([]);
  });

  test('a hundred failures within a minute lock out an address', async () => {
    const api = await openTestApi();
    try {
      const [user = ''] = Buffer.from(api.basic.slice(6), 'base64').toString().split(':');
      const guess = (remoteAddress: string, authorization = basicOf(user, 'api-wrong')) =>
        api.app.inject({ url: '/api/management/flow', headers: { authorization }, remoteAddress });
      const statuses = [];
      for (let at = 0; at < 101; at += 1) statuses.push((await guess('192.0.2.1')).statusCode);
      expect(statuses).toEqual([...Array(100).fill(401), 429]);
      const closed = await guess('192.0.2.1', api.basic);
      expect(closed.statusCode).toBe(429);
      expect(Number(closed.headers['retry-after'])).toBeGreaterThan(0);
      expect((await guess('192.0.2.2', api.basic)).statusCode).toBe(200);
      api.pass(61_000);
      expect((await guess('192.0.2.1', api.basic)).statusCode).toBe(200);
    } finally {
      await api.close();
    }
  });

  test('malformed ones are rejected before the body is read', async () => {
    const malformed = ['Basic', 'Basic !!', 'Bearer x', basicOf('', 'x'), 'Basic Og=='];
    for (const authorization of malformed) {
      const response = await w.app.inject({
        method: 'POST',
        url: '/api/management/signing',
        headers: { authorization, 'content-type': 'application/json' },
        payload: '{"broken',
      });
      expect(response.json()).toMatchObject({ errorCode: 'authentication.credentials.invalid' });
    }
  });
});

describe('the log of requests', () => {
  test('has routes and codes, and nothing secret or personal', async () => {
    const lines: string[] = [];
    const api = await openTestApi({ log: (line) => void lines.push(line), logLevel: 'debug' });
    await api.app.inject({
      url: '/api/signing/activity?Search=6000101994&User=anna@example.test',
      headers: { authorization: api.basic, 'x-request-id': 'trace-1' },
    });
    await api.close();
    const [line = ''] = lines.filter((each) => each.includes('answered'));
    expect(JSON.parse(line)).toMatchObject({
      requestId: 'trace-1',
      route: '/api/signing/activity',
      status: 400,
    });
    expect(lines.join('')).not.toMatch(/6000101994|anna@|Basic|api-/);
  });
});

describe('the description', () => {
  test('is OpenAPI 3.1 with every route, and its page loads nothing from elsewhere', async () => {
    const document = (await w.app.inject('/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    const paths = Object.keys(document.paths);
    for (const { path } of w.app.routeFacts) {
      expect(paths.some((each) => each === path || each === `/api${path}`)).toBe(true);
    }
    expect(document.components.schemas.CreateSigningProcess.properties).toHaveProperty('flowKey');
    const references = JSON.stringify(document).match(/"\$ref":"([^"]+)"/g) ?? [];
    for (const reference of new Set(references)) {
      const [, kind = '', name = reference] = /components\/(\w+)\/([^"]+)"/.exec(reference) ?? [];
      expect(Object.keys(document.components[kind])).toContain(name);
    }
    const page = await w.app.inject('/api/swagger-ui/');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(3);
    for (const file of files) expect((await w.app.inject(file)).statusCode).toBe(200);
    expect((await w.app.inject('/api/swagger-ui/..%2fpackage.json')).statusCode).toBe(404);
  });

  test('metrics count responses by route, not by URL', async () => {
    const { body } = await w.app.inject('/metrics');
    expect(body).toMatch(/_count\{method="GET",route="\/openapi.json",status="200"\} 1\n/);
    expect(body).not.toContain(w.open.key);
  });
});
