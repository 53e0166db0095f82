import { agreement } from './open-api.ts';
import { as, at, open, pdf64, type Row, rowsOf, tooLarge } from './rows.ts';
import type { World } from './world.ts';

const sealing = '/api/management/sealing';
const xml64 = Buffer.from('<order><item>1</item></order>').toString('base64');
const raw = { 'content-type': 'application/pdf' };
const seal = (w: World, changes: object = {}) => ({
  pdfDocument: pdf64,
  flowKey: w.flowKey,
  ...changes,
});

const sealingRows = [
  ...rowsOf(
    'POST /management/sealing',
    [
      'JSON',
      200,
      at(sealing, (w) => seal(w, { Reason: 'Paid', languagetype: 'en' }), {
        accept: 'application/json',
      }),
    ],
    [
      'raw in and out',
      200,
      as(
        (w) => `${sealing}?flowkey=${w.flowKey}`,
        () => agreement,
        raw,
      ),
    ],
    ['raw without a flow', 400, at(sealing, () => agreement, raw), 'validation.error', 'flowKey'],
    [
      'no document',
      400,
      at(sealing, (w) => ({ flowKey: w.flowKey })),
      'validation.error',
      'pdfDocument',
    ],
    [
      'a flow of another company',
      404,
      at(sealing, (w) => seal(w, { flowKey: w.trialFlow })),
      'flow.not_found',
    ],
    [
      'a document that is not a PDF',
      400,
      at(sealing, (w) => seal(w, { pdfDocument: 'AAAA' })),
      'pdf.notpdf',
    ],
    ['a body that is too large', 413, at(sealing, () => '{}', tooLarge), 'limit.exceeded'],
  ),
  ...rowsOf(
    'POST /management/sealing/xml',
    ['JSON', 200, at(`${sealing}/xml`, (w) => ({ xmlDocument: xml64, flowKey: w.flowKey }))],
    [
      'raw out',
      200,
      at(`${sealing}/xml`, (w) => ({ xmlDocument: xml64, flowKey: w.flowKey }), {
        accept: 'application/xml',
      }),
    ],
    [
      'no flow',
      400,
      at(`${sealing}/xml`, () => ({ xmlDocument: xml64 })),
      'validation.error',
      'flowKey',
    ],
    [
      'an unknown flow',
      404,
      at(`${sealing}/xml`, () => ({ xmlDocument: xml64, flowKey: 'x' })),
      'flow.not_found',
    ],
    [
      'a document that is not XML',
      400,
      at(`${sealing}/xml`, (w) => ({
        xmlDocument: Buffer.from('<a>').toString('base64'),
        flowKey: w.flowKey,
      })),
      'xml.invalid',
    ],
    [
      'XML with a document type',
      400,
      at(`${sealing}/xml`, (w) => ({
        xmlDocument: Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
        flowKey: w.flowKey,
      })),
      'xml.dtd.forbidden',
    ],
    ['a body that is too large', 413, at(`${sealing}/xml`, () => '{}', tooLarge), 'limit.exceeded'],
  ),
  ...rowsOf(
    'POST /management/archive',
    [
      'JSON without a name',
      400,
      at('/api/management/archive', () => ({ pdfDocument: pdf64 })),
      'validation.error',
      'fileName',
    ],
    [
      'an unsigned document',
      400,
      at('/api/management/archive', () => ({ pdfDocument: pdf64, fileName: 'a.pdf' })),
      'archive.document.not_signed',
    ],
    [
      'a document that is not a PDF',
      400,
      at('/api/management/archive', () => ({ pdfDocument: 'AAAA', fileName: 'a.pdf' })),
      'pdf.notpdf',
    ],
    [
      'a body that is too large',
      413,
      at('/api/management/archive', () => '{}', tooLarge),
      'limit.exceeded',
    ],
  ),
  ...rowsOf(
    'POST /verify',
    ['JSON', 200, at('/api/verify', () => ({ document: pdf64 }))],
    ['raw', 200, at('/api/verify', () => agreement, raw)],
    [
      'a document that is not base64',
      400,
      at('/api/verify', () => ({ document: '!' })),
      'validation.error',
      'document',
    ],
    ['a body that is too large', 413, at('/api/verify', () => '{}', tooLarge), 'limit.exceeded'],
  ),
];

const smart = (w: World, version = '/v1') => `/api/management/smartflows/${w.flowKey}${version}`;
const schema = '{"type":"object"}';

const flowRows = [
  ...rowsOf('GET /management/flow', ['flows', 200, at('/api/management/flow')]),
  ...rowsOf(
    'GET /management/flow/{FlowKey}',
    ['a flow', 200, as((w) => `/api/management/flow/${w.flowKey}`)],
    ['of another company', 404, as((w) => `/api/management/flow/${w.trialFlow}`), 'flow.not_found'],
  ),
  ...rowsOf(
    'GET /management/flow/css/{FlowKey}.css',
    ['a style sheet', 200, as((w) => `/api/management/flow/css/${w.flowKey}.css`)],
    ['unknown', 404, at('/api/management/flow/css/none.css'), 'flow.not_found'],
  ),
  ...rowsOf(
    'PUT /management/smartflows/{FlowKey}/{Version}',
    [
      'by the body',
      200,
      as(
        (w) => smart(w),
        () => ({ Schema: schema, createdAt: '2026-01-31' }),
      ),
    ],
    ['by the query', 200, as((w) => `${smart(w, '/v2')}?schema=${encodeURIComponent(schema)}`)],
    ['nothing', 400, as((w) => smart(w)), 'validation.error', 'schema'],
    [
      'an invalid createdAt',
      400,
      as(
        (w) => smart(w),
        () => ({ schema, createdAt: 'soon' }),
      ),
      'validation.error',
      'createdAt',
    ],
    [
      'a schema that is not JSON',
      400,
      as(
        (w) => smart(w),
        () => ({ schema: '{' }),
      ),
      'flow.schema.invalid',
    ],
    [
      'unknown',
      404,
      at('/api/management/smartflows/none/v1', () => ({ schema })),
      'flow.not_found',
    ],
  ),
  ...rowsOf(
    'GET /management/smartflows/{FlowKey}',
    ['versions', 200, as((w) => smart(w, ''))],
    ['unknown', 404, at('/api/management/smartflows/none'), 'flow.not_found'],
  ),
  ...rowsOf(
    'GET /management/smartflows/{FlowKey}/{Version}',
    ['without credentials', 200, open((w) => smart(w))],
    ['an unknown version', 404, open((w) => smart(w, '/v9')), 'flow.not_found'],
    ['an unknown flow', 404, open(() => '/api/management/smartflows/none/v1'), 'flow.not_found'],
  ),
];

const hook = '/api/management/webhook';
const mail = '/api/management/emailtemplate';
const ownHook = (w: World) => `${hook}/${w.webhookId}`;
const ownText = (w: World) => `${mail}/${w.templateId}`;
const hookOf = (w: World, changes: object = {}) => ({
  flowKey: w.flowKey,
  type: 'allSIGNED',
  url: 'https://receiver.example.com/hook',
  ...changes,
});
const textOf = (w: World, changes: object = {}) => ({
  flowKey: w.flowKey,
  to: '{{customer.email}}',
  bcc: '',
  subject: 'Hello {{customer.name}}',
  message: '<p>Hello</p>',
  templateType: 'signup',
  language: 'Is',
  ...changes,
});

const hookRows = [
  ...rowsOf(
    'POST /management/webhook',
    ['a webhook', 200, at(`${hook}/`, (w) => hookOf(w))],
    ['never', 400, at(hook, (w) => hookOf(w, { type: 'NotSet' })), 'validation.error', 'type'],
    [
      'an unknown type',
      400,
      at(hook, (w) => hookOf(w, { type: 'Odd' })),
      'validation.error',
      'type',
    ],
    [
      'an invalid URL',
      400,
      at(hook, (w) => hookOf(w, { url: 'ftp://a' })),
      'webhook.url.invalid',
      'url',
    ],
    ['an unknown flow', 404, at(hook, (w) => hookOf(w, { flowKey: 'x' })), 'flow.not_found'],
  ),
  ...rowsOf(
    'PUT /management/webhook/{Id}',
    ['deactivation', 200, as(ownHook, () => ({ Active: false }))],
    [
      'a different flow',
      400,
      as(ownHook, (w) => ({ flowKey: w.trialFlow })),
      'validation.error',
      'flowKey',
    ],
    ['an ID that is not a number', 400, at(`${hook}/one`, () => ({})), 'validation.error', 'id'],
    ['an invalid URL', 400, as(ownHook, () => ({ url: 'x' })), 'webhook.url.invalid', 'url'],
    ['unknown', 404, at(`${hook}/99`, () => ({})), 'webhook.not_found'],
  ),
  ...rowsOf(
    'GET /management/webhook/flowKey/{FlowKey}',
    ['all', 200, as((w) => `${hook}/flowkey/${w.flowKey}`)],
    ['of a type', 200, as((w) => `${hook}/flowKey/${w.flowKey}?type=created`)],
    [
      'an unknown type',
      400,
      as((w) => `${hook}/flowKey/${w.flowKey}?Type=Odd`),
      'validation.error',
    ],
    ['unknown', 404, at(`${hook}/flowKey/none`), 'flow.not_found'],
  ),
  ...rowsOf(
    'DELETE /management/webhook/{Id}',
    [
      'of another company',
      404,
      (w) => ({ url: ownHook(w), headers: { authorization: w.foreign } }),
      'webhook.not_found',
    ],
    ['gone', 204, as(ownHook)],
    ['already deleted', 404, as(ownHook), 'webhook.not_found'],
  ),
  ...rowsOf(
    'POST /management/emailtemplate',
    ['a text', 200, at(mail, (w) => textOf(w))],
    [
      'an unknown type',
      400,
      at(mail, (w) => textOf(w, { templateType: 'Odd' })),
      'validation.error',
      'templateType',
    ],
    ['an unknown flow', 404, at(mail, (w) => textOf(w, { flowKey: 'x' })), 'flow.not_found'],
    [
      'an unclosed placeholder',
      400,
      at(mail, (w) => textOf(w, { subject: '{{customer.name' })),
      'template.invalid',
      'subject',
    ],
  ),
  ...rowsOf(
    'PUT /management/emailtemplate/{Id}',
    ['a different subject', 200, as(ownText, () => ({ Subject: 'Hi' }))],
    ['an unclosed placeholder', 400, as(ownText, () => ({ subject: '{{x' })), 'template.invalid'],
    ['an unknown flow', 404, as(ownText, () => ({ flowKey: 'x' })), 'flow.not_found'],
    ['unknown', 404, at(`${mail}/99`, () => ({})), 'template.not_found'],
  ),
  ...rowsOf(
    'GET /management/emailtemplate/flowKey/{FlowKey}',
    ['texts', 200, as((w) => `${mail}/flowKey/${w.flowKey}`)],
    ['unknown', 404, at(`${mail}/flowKey/none`), 'flow.not_found'],
  ),
  ...rowsOf(
    'DELETE /management/emailtemplate/{Id}',
    ['gone', 204, as(ownText)],
    ['already deleted', 404, as(ownText), 'template.not_found'],
  ),
];

const validate = '/api/management/apikeys/validate';

const serviceRows = [
  ...rowsOf(
    'POST /management/apikeys/validate',
    ['credentials only', 200, at(validate)],
    [
      'all keys',
      200,
      as((w) => `${validate}?flowKey=${w.flowKey}&webhooksignaturekey=${w.webhookKey}`),
    ],
    [
      'a flow of another company',
      404,
      as((w) => `${validate}?FlowKey=${w.trialFlow}`),
      'flow.not_found',
    ],
    [
      'a different webhook key',
      403,
      at(`${validate}?WebHookSignatureKey=x`),
      'apikeys.webhook_signature_key.invalid',
    ],
  ),
  ...rowsOf('GET /healthz', ['runs', 200, open(() => '/healthz')]),
  ...rowsOf('GET /readyz', ['works', 200, open(() => '/readyz')]),
  ...rowsOf('GET /metrics', ['counters', 200, open(() => '/metrics')]),
];

/** Rows of sealing, verifying, flows, webhooks, mail texts and the service itself. */
export const settingRows: readonly Row[] = [
  ...sealingRows,
  ...flowRows,
  ...hookRows,
  ...serviceRows,
];
