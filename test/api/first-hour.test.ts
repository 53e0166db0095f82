import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealPdf } from '../../src/index.ts';
import { craftCms } from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';
import { fixture, sealOptions } from '../support/sealing.ts';
import { type Description, operationsOf, readDescription } from './support/description.ts';
import { agreement } from './support/open-api.ts';
import { openWorld, type World } from './support/world.ts';

// The first experience of a developer with a PDF, curl and the description, and nothing else.
let w: World;
let document: Description;
beforeAll(async () => {
  w = await openWorld();
  document = (await readDescription()).document;
}, 120_000);
afterAll(() => w.close());

const xml = '<order><total>12</total></order>';
const send = (url: string, payload: string | Buffer, headers: Record<string, string>) =>
  w.app.inject({
    method: 'POST',
    url,
    headers: { authorization: w.basic, ...headers },
    payload,
  });

describe('an unsupported Content-Type', () => {
  test.each([
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['', 'none'],
  ])('%j: the message states the found and the expected types', async (type, found) => {
    const headers = type === '' ? {} : { 'content-type': type };
    const reply = await send('/api/verify', agreement, headers);
    expect([reply.statusCode, reply.json().errorCode]).toEqual([415, 'request.media.unsupported']);
    const { message } = reply.json();
    expect(message).toContain(`found ${found}`);
    for (const each of ['application/json', 'application/pdf', 'application/xml']) {
      expect(message).toContain(each);
    }
  });

  test('a document sent to a JSON route: the message names both types', async () => {
    const reply = await send('/api/management/signing', agreement, {
      'content-type': 'application/pdf',
    });
    expect(reply.json().message).toBe(
      'expected Content-Type application/json, found application/pdf',
    );
  });
});

describe('verification of a CMS signature', () => {
  const pki = makeTestPki();
  const content = Buffer.from('an order');
  const signers = [{ signer: pki.member('signer') }];
  const cms = Buffer.from(craftCms({ content, embedded: content, signers }));

  test('verifies an enveloping signature sent as raw bytes and as JSON', async () => {
    const raw = await send('/api/verify', cms, { 'content-type': 'application/pkcs7-mime' });
    expect(raw.json()).toMatchObject({ format: 'cms', signatures: [{ intact: true }] });
    const payload = JSON.stringify({ document: cms.toString('base64') });
    const json = await send('/api/verify', payload, { 'content-type': 'application/json' });
    expect(json.json()).toMatchObject({ format: 'cms', enveloping: true });
  });

  test('reports a detached signature without content, and a CMS without a signature, as invalid', async () => {
    const type = { 'content-type': 'application/pkcs7-signature' };
    const alone = await send('/api/verify', Buffer.from(craftCms({ content, signers })), type);
    expect(alone.json()).toMatchObject({
      valid: false,
      signatures: [{ subIndication: 'SIGNED_DATA_NOT_FOUND' }],
    });
    const none = Buffer.from(craftCms({ content, signers: [] }));
    expect((await send('/api/verify', none, type)).json()).toMatchObject({
      valid: false,
      code: 'cms.signature.none',
    });
  });
});

describe('the response to sealed XML', () => {
  const json = () => {
    const body = { xmlDocument: Buffer.from(xml).toString('base64'), flowKey: w.flowKey };
    return JSON.stringify(body);
  };
  const raw = () => xml;
  test.each([
    ['application/xml', undefined, raw, 'application/xml'],
    ['text/xml', '*/*', raw, 'application/xml'],
    ['application/xml', 'application/json', raw, 'application/json'],
    ['application/xml', 'application/xml', raw, 'application/xml'],
    ['application/json', undefined, json, 'application/json'],
    ['application/json', '*/*', json, 'application/json'],
    ['application/json', 'application/xml', json, 'application/xml'],
  ] as const)(
    'Content-Type %s with Accept %s: answers in the expected format',
    async (type, accept, body, expected) => {
      const headers = { 'content-type': type, ...(accept === undefined ? {} : { accept }) };
      const url = `/api/management/sealing/xml?FlowKey=${w.flowKey}`;
      const reply = await send(url, body(), headers);
      expect(reply.statusCode, reply.body).toBe(200);
      expect(String(reply.headers['content-type']).split(';')[0]).toBe(expected);
      if (expected === 'application/xml') expect(reply.body).toContain('Signature');
    },
  );
});

describe('an unsigned document', () => {
  test.each([
    ['application/pdf', agreement, 'pdf.signature.none'],
    ['application/xml', xml, 'xml.signature.none'],
  ] as const)(
    'a document of type %s without a signature is invalid',
    async (type, payload, code) => {
      const reply = await send('/api/verify', payload, { 'content-type': type });
      expect(reply.statusCode).toBe(200);
      expect(reply.json()).toMatchObject({ valid: false, code, coverage: 'none', signatures: [] });
      expect(reply.json().message).toMatch(/no .*signature/);
      if (type === 'application/pdf') expect(reply.json().uncoveredBytes).toBe(agreement.length);
    },
  );

  // A name of the same length replaces the entry, so that no offset changes.
  test.each([
    ['a form without /Fields', /\/Fields/, /a signature that no field refers to/],
    ['no /AcroForm', /\/AcroForm/, /a signature that no field refers to/],
  ])(
    'a sealed PDF that has %s: the report says that no field refers to the signature',
    async (_, entry, said) => {
      const { bytes } = await sealPdf(
        fixture('minimal.pdf'),
        sealOptions(undefined, { level: 'B-B' }),
      );
      const text = Buffer.from(bytes)
        .toString('latin1')
        .replace(entry, (found) => `/X${found.slice(2)}`);
      const type = { 'content-type': 'application/pdf' };
      const reply = await send('/api/verify', Buffer.from(text, 'latin1'), type);
      expect(reply.json()).toMatchObject({
        ...{ valid: false, code: 'pdf.signature.none', signatures: [] },
        message: expect.stringMatching(said),
      });
    },
  );

  test('a sealed document is valid and has no such code', async () => {
    const type = { 'content-type': 'application/pdf' };
    const sealed = await send(`/api/management/sealing?FlowKey=${w.flowKey}`, agreement, type);
    const reply = await send('/api/verify', sealed.rawPayload, type);
    expect([reply.json().valid, reply.json().code]).toEqual([true, undefined]);
  });
});

describe('a document without revocation data', () => {
  const type = { 'content-type': 'application/pdf' };
  /** The sealed document as it was before validation data was added. */
  async function stampedOnly() {
    const sealed = await send(`/api/management/sealing?FlowKey=${w.flowKey}`, agreement, type);
    const { signatures } = (await send('/api/verify', sealed.rawPayload, type)).json();
    const [, , start = 0, length = 0] = signatures[0].byteRange;
    return sealed.rawPayload.subarray(0, start + length);
  }

  test('is indeterminate unless the request relaxes the revocation mode', async () => {
    const pdf = await stampedOnly();
    const strict = (await send('/api/verify', pdf, type)).json();
    expect(strict).toMatchObject({ valid: false, revocation: { mode: 'require', asked: [] } });
    expect(strict.signatures[0]).toMatchObject({ level: 'B-T', subIndication: 'TRY_LATER' });
    const ignored = (await send('/api/verify?Revocation=ignore', pdf, type)).json();
    expect(ignored).toMatchObject({ valid: true, revocation: { mode: 'ignore' } });
    const document = pdf.toString('base64');
    const asked = (
      await send('/api/verify', JSON.stringify({ document, revocation: 'online' }), {
        'content-type': 'application/json',
      })
    ).json();
    expect(asked).toMatchObject({ valid: true, revocation: { mode: 'online' } });
    expect(asked.revocation.asked.length).toBeGreaterThan(0);
  });

  test('an unknown revocation mode is rejected', async () => {
    const reply = await send('/api/verify?Revocation=never', agreement, type);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().errorCode).toBe('validation.error');
  });
});

describe('a body that is not JSON', () => {
  test.each([
    ['{"flowKey":', 'line 1, column 12', 'it ends too early'],
    ['{"flowKey":"secret-7" oops}', 'line 1, column 23', ''],
    ['{\n  "flowKey": secret-7\n}', 'line 2, column 14', ''],
    ['{"a":"secret-7\n"}', 'line 1, column 15', ''],
    ['{"a":"\\x"}', 'line 1, column 7', ''],
    ['[1,]', 'line 1, column 4', ''],
    ['{"a":1,}', 'line 1, column 8', ''],
    ['{} {}', 'line 1, column 4', ''],
    ['{"a":01}', 'line 1, column 7', ''],
    ["{'a':1}", 'line 1, column 2', ''],
    ['"secret-7', 'line 1, column 10', 'it ends too early'],
  ])('%j: the message states the position of the fault', async (body, where, more) => {
    const type = { 'content-type': 'application/json' };
    const reply = await send('/api/management/signing', body, type);
    expect([reply.statusCode, reply.json().errorCode]).toEqual([400, 'validation.error']);
    const { message } = reply.json();
    expect(message).toContain('not valid JSON');
    expect(message).toContain(where);
    expect(message).toContain(more);
    expect(reply.body).not.toContain('secret-7');
  });

  test('the member __proto__ is rejected by name', async () => {
    const type = { 'content-type': 'application/json' };
    const reply = await send('/api/management/signing', '{"__proto__":{"x":1}}', type);
    expect([reply.statusCode, reply.json().errorCode]).toEqual([400, 'validation.error']);
    expect(reply.json().message).toContain('__proto__');
  });
});

test('the root links to the description and the API console', async () => {
  const reply = await w.app.inject('/');
  expect(reply.statusCode).toBe(200);
  const { description, page } = reply.json();
  expect([description, page]).toEqual(['/openapi.json', '/api/swagger-ui/']);
  for (const url of [description, page]) expect((await w.app.inject(url)).statusCode).toBe(200);
});

/** The members of a schema, wherever it is defined. */
interface Shape {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
}

describe('the description marks what is required', () => {
  const shape = (name: string) => document.components.schemas[name] as Shape;
  const query = (path: string, name: string) =>
    document.paths[path]?.['post']?.parameters?.find((each) => each.name === name) ??
    document.paths[path]?.['get']?.parameters?.find((each) => each.name === name);

  test.each([
    ['CreateSigningProcess', ['flowKey', 'createSignees']],
    ['CreateSignee', ['name']],
    ['AddSignee', ['name']],
    ['CreateSequentialSigning', ['createSigningProcesses', 'user']],
    ['SealingRequest', ['pdfDocument', 'flowKey']],
    ['ArchivingRequest', ['pdfDocument', 'fileName']],
    ['ScreeningRequest', ['countryCode', 'flowKey']],
  ])('the shape %s has exactly these required members', (name, members) => {
    expect([...(shape(name).required ?? [])].sort()).toEqual([...members].sort());
  });

  test('a document requires its file name', () => {
    expect(shape('CreateSigningProcess').dependentRequired).toEqual({
      pdfDocument: ['pdfFileName'],
    });
  });

  test('a query parameter required with a raw document is described as such', () => {
    for (const [path, name] of [
      ['/api/management/sealing', 'FlowKey'],
      ['/api/management/sealing/xml', 'FlowKey'],
      ['/api/management/archive', 'FileName'],
    ] as const) {
      const found = query(path, name) as { description?: string } | undefined;
      expect(found?.description, path).toMatch(/^Required when the body is the document itself/);
    }
    expect(query('/api/auth/eid-se/status/token/{Token}', 'FlowKey')?.required).toBe(true);
  });
});

describe('the OpenAPI description', () => {
  test('every operation has a unique summary, a description and its access', () => {
    const operations = operationsOf(document);
    const texts = operations.map(({ path, method, operation }) => ({
      where: `${method} ${path}`,
      operation: operation as typeof operation & { description?: string; deprecated?: boolean },
    }));
    for (const { where, operation } of texts) {
      expect(operation.summary.length, where).toBeGreaterThan(8);
      expect(operation.description ?? '', where).toMatch(/[.]$/);
    }
    const summaries = texts.map(({ operation }) => operation.summary);
    expect(summaries.filter((each, at) => summaries.indexOf(each) !== at)).toEqual([]);
  });

  test('an alias of a route has a tag of its own and names the primary route', () => {
    for (const { path, operation } of operationsOf(document)) {
      const first = document.paths[`/api${path}`];
      if (first === undefined) continue;
      expect(operation.tags, path).toEqual(['Further addresses']);
      expect(operation.summary, path).toContain(`/api${path}`);
    }
  });

  test('documents the download URLs of webhooks and messages', () => {
    const pdf = document.paths['/{ProcessKey}/{SigneeKey}.pdf']?.['get'];
    const file = document.paths['/attachment/{ProcessKey}/{Id}/{FileName}']?.['get'];
    expect(pdf?.responses['200']?.content).toHaveProperty('application/pdf');
    expect(file?.responses['200']?.content).toHaveProperty(['*/*']);
    for (const each of [pdf, file]) {
      for (const { name, example } of each?.parameters ?? []) expect(example, name).toBeTruthy();
    }
  });
});
