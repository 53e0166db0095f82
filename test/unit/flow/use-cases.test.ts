import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import {
  type FlowPorts,
  flowOperations,
  flowWork,
  makeDocument,
} from '../../../src/app/flow/index.ts';
import { bindOperations } from '../../../src/app/operation.ts';
import {
  defaultFlowSettings,
  type FlowSettings,
  parseFlowSettings,
  requireCss,
} from '../../../src/domain/flow/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testFlow,
  testNowMs,
} from '../../support/store.ts';
import { buildForm, formValues } from './forms.ts';

let opened: TestStore;
let nowMs: number;
let octet: number;

beforeEach(async () => {
  opened = await openTestStore();
  nowMs = testNowMs;
  octet = 0;
});

afterEach(() => opened.close());

const ports = (): FlowPorts => ({
  store: opened.store,
  blobs: opened.blobs,
  now: () => nowMs,
  random: (count) => new Uint8Array(count).fill(++octet),
  fonts: readStampFonts,
  work: flowWork(readStampFonts),
});

const flows = () => bindOperations(flowOperations, ports(), testCompany.key);

describe('flow settings', () => {
  test('have the documented defaults', () => {
    expect(defaultFlowSettings()).toEqual({
      signatureType: 'Qualified',
      requiresAuth: false,
      signInOrder: false,
      signatureLocation: 'TopFirstPage',
      defaultSignees: [],
      sealLevel: 'B-LTA',
      evidencePage: true,
      mayDecline: false,
      openLinks: false,
      expiresAfterDays: 30,
      retentionDays: 30,
      confirmSignees: true,
      confirmUser: true,
    } satisfies FlowSettings);
  });

  test.each<[object, object]>([
    [{ signatureType: 'clicktosign' }, { signatureType: 'ClickToSign' }],
    [{ reminderRule: '01:3' }, { reminderRule: '1:3' }],
    [{ reminderRule: '0:0' }, { reminderRule: '0:0' }],
    [
      { expiresAfterDays: 365, retentionDays: 0 },
      { expiresAfterDays: 365, retentionDays: 0 },
    ],
    [{ notifyAddress: 'sala@example.is' }, { notifyAddress: 'sala@example.is' }],
    [
      { defaultSignees: [{ name: 'Eva', phoneNumber: '555-1234', delivery: 'sms' }] },
      {
        defaultSignees: [
          { name: 'Eva', phoneNumber: '5551234', signatureType: 'Qualified', delivery: 'Sms' },
        ],
      },
    ],
  ])('%j is accepted', (input, expected) => {
    expect(parseFlowSettings(input, defaultFlowSettings())).toMatchObject(expected);
  });

  test.each<[unknown, RegExp]>([
    [[], /settings: expected an object/],
    [{ colour: 'red' }, /settings\.colour: expected one of signatureType/],
    [JSON.parse('{"__proto__":1}'), /settings\.__proto__/],
    [{ mayDecline: 'true' }, /settings\.mayDecline: expected true or false, found "true"/],
    [{ expiresAfterDays: 0 }, /from 1 to 365/],
    [{ expiresAfterDays: 1.5 }, /from 1 to 365/],
    [{ sealLevel: 'B-X' }, /one of B-B, B-T/],
    [{ reminderRule: '31:1' }, /reminder rule/],
    [{ notifyAddress: 'a b' }, /e-mail address/],
    [{ activityDisplayName: 'a\nb' }, /a line of/],
    [{ defaultSignees: [{ name: '' }] }, /settings\.defaultSignees\[0\]\.name/],
    [{ defaultSignees: [{ name: 'a', colour: 1 }] }, /defaultSignees\[0\]\.colour/],
    [{ defaultSignees: [{ name: 'a\u2028b', phoneNumber: '5551234' }] }, /\[0\]\.name/],
    [{ defaultSignees: [{ name: 'a', phoneNumber: 'call me' }] }, /\[0\]\.phoneNumber/],
    [{ defaultSignees: [{ name: 'a', phoneNumber: '5551234', email: 'a@b' }] }, /\[0\]\.email/],
    [
      {
        defaultSignees: [
          { name: 'a', phoneNumber: '5551234' },
          { name: 'b', phoneNumber: '+354 5551234' },
        ],
      },
      /defaultSignees\[1\]: expected another person/,
    ],
    [{ minAdditionalSignees: 3, maxAdditionalSignees: 2 }, /at least 3/],
  ])('%j is rejected', (input, message) => {
    expect(() => parseFlowSettings(input, defaultFlowSettings())).toThrow(message);
  });
});

describe('style sheets', () => {
  test.each([
    '',
    'body { color: #123456 } /* plain */',
    '.a::after { content: "\\201C" }',
    '.b { background: url(data:image/png;base64,AAAA) } .c { mask: url("#m") }',
    '@media (min-width: 40em) { body { margin: 0 } }',
    '@font-face { src: url("data:font/woff2;base64,AA") }',
    '.a > .b { color: red }',
    'a { background: url( "data:image/png;base64,AA" ) }',
    'a:not(.b):hover { color: rgb(1 2 3 / 50%); width: calc(100% - (2 * var(--gap))) }',
    '@keyframes in { from { transform: translateX(1px) rotate(2deg) } to { opacity: 1 } }',
    '@supports (display: grid) { a { grid-template: repeat(2, minmax(0, 1fr)) / auto } }',
    'a { content: "url(https://x.example) @import" }',
  ])('are accepted: %s', (css) => {
    expect(requireCss(css)).toBe(css);
  });

  test.each([
    ['</style><script>alert(1)</script>', /"<"/],
    ['<!-- -->', /"<"/],
    ['a { content: "\\3c/style>" }', /"<"/],
    ['@import url(//evil.example)', /@import/],
    ['@IMPORT "x.css"', /@import/],
    ['@unknown-in-time "x.css";', /@unknown-in-time/],
    ['@namespace svg url(#a);', /@namespace/],
    ['@charset "utf-8";', /@charset/],
    ['a { background: url(/*"data:image/png,*/"//evil.example") }', /address|url/],
    ['a { background: url("data:image/png,A" "b") url(x) }', /external URLs/],
    ['a { background: url(var(--a)) }', /url/],
    ['a { background: -webkit-image-set(url(#a) 1x) }', /-webkit-image-set/],
    ['a { background: cross-fade("x.png", red) }', /cross-fade/],
    ['a { background: src("x.png") }', /src/],
    ['a { background: IMAGE("x.png") }', /image/],
    ['a { color: red', /closed/],
    ['a { color: red } }', /closed/],
    ['a { width: calc(1px }', /closed/],
    ['a { content: "open', /string/],
    ['a { content: "a\nb" }', /string/],
    ['a { background: url(a b) }', /closed/],
    ['a { -MOZ-bind\\69ng: none }', /binding/],
    ['@\\69mport "x.css"', /@import/],
    ['@im/**/port "x.css"', /@im/],
    ['@\\000069 mport "x.css"', /@import/],
    ['a { background: url(https://evil.example/?x) }', /external URLs/],
    ['a { background: url( "//evil.example") }', /external URLs/],
    ['a { background: u\\72l(//evil.example) }', /external URLs/],
    ['a { background: image-set("https://evil.example/a.png" 1x) }', /image-set/],
    ['a { background: url(data:image/svg+xml;base64,AA) }', /external URLs/],
    ['a { width: expression(alert(1)) }', /expression/],
    ['a { -moz-binding: none }', /binding/],
    ['a { behavior: url(x.htc) }', /binding|address/],
    ['/* open', /comment/],
    ['a\u0000b', /control/],
    ['x'.repeat(70_000), /at most/],
    [7, /a text/],
  ])('%s is rejected', (css, message) => {
    expect(() => requireCss(css)).toThrow(message);
    expect(() => requireCss(css)).toThrow(expect.objectContaining({ code: 'validation.error' }));
  });
});

describe('flows', () => {
  test('are created with defaults, listed, shown and updated', async () => {
    const created = await flows().create({ name: 'Orders', type: 'dropandsign', css: 'a {}' });
    expect(await flows().list()).toContainEqual({
      flowKey: created.key,
      name: 'Orders',
      flowType: 'DropAndSign',
      active: true,
      language: 'Is',
      signatureType: 'Qualified',
    });
    nowMs += 1_000;
    await flows().update(created.key, {
      isActive: false,
      settings: { expiresAfterDays: 14, reminderRule: '1:3' },
      meta: { unit: 'sala' },
    });
    await flows().update(created.key, { settings: { expiresAfterDays: null } });
    expect(await flows().show(created.key)).toMatchObject({
      flowKey: created.key,
      companyKey: testCompany.key,
      active: false,
      expiresAfterDays: 30,
      reminderRule: '1:3',
      meta: { unit: 'sala' },
      createdAt: '2026-01-02T03:04:05.000Z',
      updatedAt: '2026-01-02T03:04:06.000Z',
    });
    expect(await flows().css(created.key)).toBe('a {}');
    expect(await flows().css(testFlow.key)).toBe('');
    expect((await flows().list('FillAndSign')).length).toBe(0);
  });

  test.each<[unknown, RegExp]>([
    [null, /flow: expected an object/],
    [{}, /name: expected a name/],
    [{ name: 'x' }, /type: expected one of/],
    [{ name: 'x', type: 'Other' }, /type: expected one of/],
    [{ name: 'x', type: 'DropAndSign', key: 'f1' }, /key: expected one of name/],
    [{ name: 'x', type: 'DropAndSign', language: 'Se' }, /language/],
    [{ name: 'x', type: 'DropAndSign', meta: { a: 1 } }, /meta\.a/],
    [{ name: 'x', type: 'DropAndSign', css: '@import "a"' }, /css/],
  ])('%j is rejected', async (request, message) => {
    await expect(flows().create(request)).rejects.toThrow(message);
  });

  test('of other companies are not found, and the type cannot be changed', async () => {
    const other = bindOperations(flowOperations, ports(), asKey('company', 'c0ffee000009'));
    for (const ask of [
      () => other.show(testFlow.key),
      () => other.css(testFlow.key),
      () => other.update(testFlow.key, {}),
      () => other.schemas(testFlow.key),
      () => other.putSchema(testFlow.key, { version: '1', schema: '{}' }),
      () => flows().show('unknown'),
      () => flows().schema(testFlow.key, '9'),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'flow.not_found' });
    }
    await expect(flows().update(testFlow.key, { type: 'RenderFlow' })).rejects.toThrow(
      /which cannot change/,
    );
    await expect(other.create({ name: 'x', type: 'DropAndSign' })).rejects.toMatchObject({
      code: 'company.not_found',
    });
    await expect(
      flows().create({ name: 'x', type: 'DropAndSign' }, Buffer.from('x')),
    ).rejects.toThrow(/template: expected none/);
  });
});

describe('schemas of a flow', () => {
  test('have versions, and the published one validates values', async () => {
    const { key } = testFlow;
    await flows().requireValues(key, { anything: 1 });
    const first = '{"required":["a"]}';
    await flows().putSchema(key, { version: '1', schema: first });
    nowMs += 1_000;
    await flows().putSchema(key, { version: '2', schema: '{"required":["b"]}', publish: true });
    await flows().putSchema(key, { version: '1', schema: '{"required":["c"]}' });
    expect((await flows().schemas(key)).map(({ version }) => version).sort()).toEqual(['1', '2']);
    expect(await flows().schema(key, '1')).toEqual({
      flowKey: key,
      version: '1',
      schema: '{"required":["c"]}',
      createdAtMs: testNowMs,
      updatedAtMs: testNowMs + 1_000,
    });
    await expect(flows().requireValues(key, { c: 1 })).rejects.toMatchObject({
      code: 'flow.values.invalid',
    });
    await flows().publish(key, '1');
    await flows().requireValues(key, { c: 1 });
    expect((await flows().show(key)).publishedVersion).toBe('1');
    await expect(flows().publish(key, '7')).rejects.toMatchObject({ code: 'flow.not_found' });
    await expect(flows().putSchema(key, { version: '3', schema: '{' })).rejects.toMatchObject({
      code: 'flow.schema.invalid',
    });
  });
});

describe('documents of a flow', () => {
  test('are filled from pdfFieldData and named after the template', async () => {
    const request = {
      name: 'Order',
      type: 'FillAndSign',
      settings: { fileNameTemplate: 'Order {{buyer.name}}' },
    };
    const flow = await flows().create(request, await buildForm());
    expect((await flows().show(flow.key)).fields?.[0]?.name).toBe('buyer.name');
    const meta = { reference: '7', pdfFieldData: JSON.stringify(formValues) };
    const made = await makeDocument(ports())(flow, meta);
    expect(made?.fileName).toBe('Order Þórður Łucja Čeněk.pdf');
    expect(
      Buffer.from(made?.pdf ?? '')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    await expect(makeDocument(ports())(flow, { reference: '7' })).rejects.toThrow(
      /reference is unknown; buyer\.name needs a value/,
    );
    await expect(makeDocument(ports())(flow, { pdfFieldData: '{' })).rejects.toMatchObject({
      code: 'flow.values.invalid',
    });
  });

  test('are rendered from all metadata after the schema has checked it', async () => {
    const template = {
      v: 1,
      title: 'Bréf {{no}}',
      blocks: [{ type: 'list', items: ['{{value}}'], each: 'lines' }],
    };
    const flow = await flows().create(
      { name: 'Letter', type: 'RenderFlow' },
      Buffer.from(JSON.stringify(template)),
    );
    const made = await flows().preview(flow.key, { no: '1', lines: ['a'] });
    expect(made?.fileName).toBe('Letter.pdf');
    const fromMeta = await makeDocument(ports())(flow, {
      no: '1',
      pdfFieldData: '{"lines":["a"]}',
    });
    expect(Buffer.from(fromMeta?.pdf ?? '').equals(made?.pdf ?? Buffer.alloc(0))).toBe(true);
    const schema = '{"properties":{"no":{"pattern":"^\\\\d+$"}}}';
    await flows().putSchema(flow.key, { version: '1', schema, publish: true });
    await expect(flows().preview(flow.key, { no: 'x', lines: [] })).rejects.toThrow(
      /\/no must match/,
    );
  });

  test('cannot be rendered from a template with text the font lacks; the error names the position', async () => {
    const blocks = [
      { type: 'heading', text: 'Bréf {{ástæða?}}' },
      { type: 'table', each: 'a', columns: [{ title: 'A', text: '日本 😀 {{b?}} 日' }] },
    ];
    const templateOf = (title: string) => Buffer.from(JSON.stringify({ v: 1, title, blocks }));
    const refusal = {
      code: 'template.invalid',
      message: 'blocks[1].columns[0].text: expected characters in the font, found 日 本 😀',
    };
    const request = { name: 'Letter', type: 'RenderFlow' };
    await expect(flows().create(request, templateOf('T'))).rejects.toMatchObject(refusal);
    blocks.pop();
    const { key } = await flows().create(request, templateOf('T {{沒}}'));
    await expect(flows().update(key, {}, templateOf('沒'))).rejects.toMatchObject({
      message: expect.stringMatching(/^title: .* found 沒$/),
    });
  });

  test('are not created if the flow has no template', async () => {
    expect(await makeDocument(ports())(testFlow, {})).toBeUndefined();
    await expect(flows().create({ name: 'Empty', type: 'FillAndSign' })).rejects.toThrow(
      /template: expected the form/,
    );
    await expect(flows().create({ name: 'Empty', type: 'RenderFlow' })).rejects.toMatchObject({
      code: 'validation.error',
      message: 'template: expected the template of a flow of type RenderFlow, found none',
      details: { field: 'template' },
    });
    const flow = await flows().create({ name: 'Empty', type: 'FillAndSign', isActive: false });
    expect(await makeDocument(ports())(flow, {})).toBeUndefined();
  });

  test('have an example that treats unusual names literally', async () => {
    const template = {
      v: 1,
      title: '{{a}} {{a.b}} {{__proto__.x?}} {{toString}}',
      blocks: [
        { type: 'list', items: ['{{constructor}} {{c.d}}'], each: 'a.list' },
        { type: 'list', items: ['{{e}}'], each: 'a.list' },
      ],
    };
    const bytes = Buffer.from(JSON.stringify(template));
    const flow = await flows().create({ name: 'Odd', type: 'RenderFlow' }, bytes);
    const { meta } = await flows().example(flow.key);
    expect(JSON.parse(meta['pdfFieldData'] ?? '')).toEqual({
      a: 'Example',
      'a.b': 'Example',
      toString: 'Example',
      'a.list': [{ constructor: 'Example', c: { d: 'Example' }, e: 'Example' }],
    });
    expect((await makeDocument(ports())(flow, meta))?.pdf.length).toBeGreaterThan(100);
    await expect(flows().example('none')).rejects.toMatchObject({ code: 'flow.not_found' });
  });

  test('have an example with the names in column titles outside the list', async () => {
    const columns = [{ title: 'Amount in {{currency}}', text: '{{amount}}' }];
    const blocks = [{ type: 'table', each: 'payments', columns }];
    const bytes = Buffer.from(JSON.stringify({ v: 1, title: 'Plan', blocks }));
    const flow = await flows().create({ name: 'Plan', type: 'RenderFlow' }, bytes);
    const { meta } = await flows().example(flow.key);
    expect(JSON.parse(meta['pdfFieldData'] ?? '')).toEqual({
      currency: 'Example',
      payments: [{ amount: 'Example' }],
    });
    expect((await makeDocument(ports())(flow, meta))?.pdf.length).toBeGreaterThan(100);
  });

  test('have an example that can be sent unchanged', async () => {
    const example = await flows().example();
    expect(example).toMatchObject({ flowKey: testFlow.key, pdfFileName: 'agreement.pdf' });
    const { PDFDocument } = await import('pdf-lib');
    const pdf = Buffer.from(example.pdfDocument ?? '', 'base64');
    expect((await PDFDocument.load(pdf)).getPageCount()).toBe(1);
    expect(example.createSignees.map(({ signatureType }) => signatureType)).toEqual([
      'ClickToSign',
      'Simple',
      'Qualified',
    ]);
  });
});
