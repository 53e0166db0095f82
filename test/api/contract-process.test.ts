import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildForm } from '../unit/flow/forms.ts';
import { agreement } from './support/open-api.ts';
import { openWorld, type World } from './support/world.ts';

let w: World;
beforeAll(async () => {
  w = await openWorld();
}, 120_000);
afterAll(() => w.close());

const pdf64 = agreement.toString('base64');
const clicker = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' };
const terms = { fileName: 'terms.txt', fileContent: Buffer.from('Terms').toString('base64') };
const options = (changes: object = {}) => ({
  flowKey: w.flowKey,
  pdfDocument: pdf64,
  pdfFileName: 'a.pdf',
  createSignees: [clicker],
  ...changes,
});
const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: unknown) => {
  const given = payload === undefined ? {} : { payload: payload as object };
  const headers = { authorization: w.basic };
  const reply = await w.app.inject({ method, url: `/api${url}`, headers, ...given });
  return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() };
};
const make = async (changes: object = {}) =>
  (await send('POST', '/management/signing', options(changes))).body;

describe('the status of a process', () => {
  const statusOf = async ({ key, signees }: { key: string; signees: { key: string }[] }) =>
    (await send('GET', `/signing/${key}/signee/${signees[0]?.key}`)).body.status;

  test('is Created, then Started, then Completed', async () => {
    const made = await make();
    expect(made.status).toBe('Created');
    await send('GET', `/signing/${made.key}/signee/${made.signees[0].key}`);
    await w.app.inject(`/api/signing/${made.key}/signee/${made.signees[0].key}`);
    expect(await statusOf(made)).toBe('Started');
    await send('POST', `/signing/sign/${made.key}/signee/${made.signees[0].key}/click`);
    await w.service.work();
    expect(await statusOf(made)).toBe('Completed');
  });

  test.each([
    ['Canceled', 'DELETE', '/management/signing?ProcessKey='],
    ['Blocked', 'POST', '/management/signing/block?ProcessKey='],
  ] as const)('becomes %s after the request', async (status, method, url) => {
    const made = await make();
    expect((await send(method, `${url}${made.key}`)).status).toBe(204);
    expect(await statusOf(made)).toBe(status);
  });

  test('also applies to a sequence and each of its documents', async () => {
    const body = { createSigningProcesses: [options(), options()], user: 'owner@example.test' };
    const { body: made } = await send('POST', '/management/signing/sequential', body);
    const { signingProcesses: parts } = made;
    expect([made.status, parts[0].status, parts[1].status]).toEqual(Array(3).fill('Created'));
    await w.app.inject(`/api/signing/${parts[0].key}/signee/${parts[0].signees[0].key}`);
    const seen = (await send('POST', `/signing/sequential/${made.key}`)).body;
    expect([seen.status, seen.signingProcesses[0].status]).toEqual(['Started', 'Started']);
  });
});

describe('attachments of a process', () => {
  test('are returned in full at creation and by name later', async () => {
    const made = await make({ attachments: [terms] });
    expect(made.attachments).toEqual([terms]);
    expect(made.attachmentReferences).toMatchObject([{ fileName: 'terms.txt', contentLength: 5 }]);
    const later = await send('GET', `/signing/${made.key}/signee/${made.signees[0].key}`);
    expect(later.body.attachments).toEqual([{ fileName: 'terms.txt' }]);
    expect((await make()).attachments).toEqual([]);
  });

  test('are returned in full for a sequence, too', async () => {
    const body = [options({ attachments: [terms], user: 'o@example.test' }), options()];
    const { body: made } = await send('POST', '/management/signing/sequential', body);
    const [first, second] = made.signingProcesses;
    expect([first.attachments, second.attachments]).toEqual([[terms], []]);
  });
});

describe('a sequence sent as a bare array of documents', () => {
  test('takes user and requiresAuth from its first document', async () => {
    const body = [options({ user: 'first@example.test', requiresAuth: true }), options()];
    const { body: made } = await send('POST', '/management/signing/sequential', body);
    expect(made).toMatchObject({ user: 'first@example.test', requiresAuth: true });
  });

  test('may have no user: then it can be cancelled in the name of any user', async () => {
    const { status, body: made } = await send('POST', '/management/signing/sequential', [
      options(),
    ]);
    expect([status, made.user, made.signingProcesses[0].user]).toEqual([200, undefined, undefined]);
    const url = `/management/signing/sequential?SequenceKey=${made.key}&User=any@example.test`;
    expect(await send('DELETE', url)).toMatchObject({ status: 200, body: { status: 'Canceled' } });
  });

  test('an object of documents still requires the user', async () => {
    const body = { createSigningProcesses: [options()] };
    const { status, body: refused } = await send('POST', '/management/signing/sequential', body);
    expect([status, refused.responseStatus.errors[0].fieldName]).toEqual([400, 'user']);
  });
});

describe('the example body of a flow', () => {
  test('has every member and one signee of each type, and creates a process', async () => {
    const { body } = await send('GET', `/management/signing/example?FlowKey=${w.flowKey}`);
    expect(Object.keys(body).sort()).toEqual([
      'activityDisplayName',
      'attachments',
      'createSignees',
      'flattenDocument',
      'flowKey',
      'meta',
      'pdfDocument',
      'pdfFileName',
      'reminderRule',
      'requiresAuth',
      'signInOrder',
      'signatureLocation',
      'user',
    ]);
    const types = body.createSignees.map((each: { signatureType: string }) => each.signatureType);
    expect(types.sort()).toEqual(['ClickToSign', 'Qualified', 'Simple']);
    const members = new Set(body.createSignees.flatMap(Object.keys));
    expect([...members].sort()).toEqual([
      'address',
      'city',
      'communicationDeliveryType',
      'customSmsText',
      'email',
      'hidePersonalCode',
      'language',
      'name',
      'phoneNumber',
      'postalCode',
      'reason',
      'signatureType',
      'ssn',
      'user',
    ]);
    const made = await send('POST', '/management/signing', body);
    expect([made.status, made.body.signees?.length]).toEqual([200, 3]);
  });

  test('of a form has every field of the form, and creates a process', async () => {
    const options = { name: 'Order', type: 'FillAndSign' };
    const { key } = await w.toolkit.flows.create(options, await buildForm());
    const { body } = await send('GET', `/management/signing/example?FlowKey=${key}`);
    expect([body.flowKey, body.pdfDocument, body.meta.reference]).toEqual([
      key,
      undefined,
      '2026-001',
    ]);
    expect(JSON.parse(body.meta.pdfFieldData)).toEqual({
      'buyer.name': 'Example',
      small: 'Example',
      notes: 'Example',
      cells: 'Example',
      turned: 'Example',
      agree: 'checked',
      other: 'checked',
      size: 'small',
      country: 'Ísland',
      right: 'Example',
    });
    const made = await send('POST', '/management/signing', body);
    expect([made.status, made.body.meta]).toEqual([200, body.meta]);
  });

  test('of a template has every placeholder of the template, and creates a process', async () => {
    const template = {
      v: 1,
      title: 'Loan {{number}}',
      blocks: [
        { type: 'values', rows: [{ name: 'Lender', text: '{{lender.name}}, {{lender.town?}}' }] },
        { type: 'list', items: ['{{name}}: {{share}} %'], each: 'owners', when: 'owners' },
        { type: 'paragraph', text: 'By {{guarantor}}', when: 'isGuaranteed' },
        { type: 'pageBreak' },
        { type: 'table', each: 'days', columns: [{ title: 'Day', text: '{{value}}' }] },
      ],
    };
    const bytes = Buffer.from(JSON.stringify(template));
    const settings = { fileNameTemplate: 'Loan {{number}} of {{branch}}' };
    const { key } = await w.toolkit.flows.create(
      { name: 'Loan', type: 'RenderFlow', settings },
      bytes,
    );
    const schema = {
      additionalProperties: false,
      required: ['number', 'kind', 'terms'],
      properties: {
        number: { type: 'integer', minimum: 100 },
        kind: { enum: ['short', 'long'] },
        terms: { type: 'object', required: ['from'], properties: { from: { format: 'date' } } },
        lender: { properties: { town: { default: 'Vík' }, name: { examples: ['Beta ehf.'] } } },
        owners: { items: { properties: { share: { type: 'number' } } } },
        isGuaranteed: { type: 'boolean' },
        guarantor: {},
        branch: { const: 'North' },
        days: {},
      },
    };
    const version = { version: '1', schema: JSON.stringify(schema), publish: true };
    await w.toolkit.flows.putSchema(key, version);
    const { body } = await send('GET', `/management/signing/example?flowkey=${key}`);
    expect(Object.keys(body.meta)).toEqual(['pdfFieldData']);
    expect(JSON.parse(body.meta.pdfFieldData)).toEqual({
      number: 100,
      kind: 'short',
      terms: { from: '2026-01-31' },
      lender: { name: 'Beta ehf.', town: 'Vík' },
      owners: [{ name: 'Example', share: 1 }],
      isGuaranteed: true,
      guarantor: 'Example',
      days: [{ value: 'Example' }],
      branch: 'North',
    });
    const made = await send('POST', '/management/signing', body);
    expect([made.status, made.body.responseStatus]).toEqual([200, undefined]);
  });

  test('with a value for an unknown field is rejected with a documented code', async () => {
    const options = { name: 'Order', type: 'FillAndSign' };
    const { key } = await w.toolkit.flows.create(options, await buildForm());
    const { body } = await send('GET', `/management/signing/example?FlowKey=${key}`);
    const wrong = { ...body, meta: { pdfFieldData: '{"nothing":"x"}' } };
    const sequence = { user: 'o@example.test', createSigningProcesses: [wrong] };
    for (const reply of [
      await send('POST', '/management/signing', wrong),
      await send('POST', '/management/signing/sequential', sequence),
    ]) {
      expect([reply.status, reply.body.errorCode]).toEqual([400, 'flow.values.invalid']);
    }
  });

  test('of a form with a published schema uses the examples and defaults of the schema', async () => {
    const { key } = await w.toolkit.flows.create(
      { name: 'Order', type: 'FillAndSign' },
      await buildForm(),
    );
    const schema = {
      properties: {
        'buyer.name': { examples: ['Jón'] },
        cells: { pattern: '^\\d+$', default: '7' },
      },
    };
    const version = { version: '1', schema: JSON.stringify(schema), publish: true };
    await w.toolkit.flows.putSchema(key, version);
    const { body } = await send('GET', `/management/signing/example?FlowKey=${key}`);
    const values = JSON.parse(body.meta.pdfFieldData);
    expect([values['buyer.name'], values.cells, values.small]).toEqual(['Jón', '7', 'Example']);
    expect((await send('POST', '/management/signing', body)).status).toBe(200);
  });
});
