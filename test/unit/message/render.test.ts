import { describe, expect, test } from 'vitest';
import { asKey } from '../../../src/domain/keys.ts';
import {
  chooseOwnText,
  type EmailTemplate,
  htmlToText,
  type MessageFacts,
  renderMail,
  renderSms,
  requireUsableText,
} from '../../../src/domain/message/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { fc } from '../../support/property.ts';

const facts: MessageFacts = {
  template: 'Signup',
  language: 'En',
  companyName: 'Acme & Sons',
  flowName: 'Leases',
  customer: {
    name: 'Anna <b>"X"</b>',
    email: 'anna@example.is',
    phoneNumber: '5550101',
    ssn: '1203894569',
    address: 'Gata 1',
    postalCode: '101',
    city: 'Reykjavík',
  },
  salesPerson: 'owner@example.is',
  companySsn: '5001011234',
  documents: ['Secret plan.pdf'],
  meta: { caseId: '42', 'customer.name': 'x', __proto__x: 'y' },
  requiresAuth: false,
  link: 'https://sign.example/s/sp1/si1',
  expiresAtMs: Date.UTC(2025, 1, 1, 9),
  reference: 'sp1',
  values: {},
  hasAttachments: false,
};

const own = { to: '{{customer.email}}', bcc: '', subject: 'Hello {{customer.name}}', message: '' };

/** Any UTF-16, with special characters more often than by chance. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x40 })))
  .map((units) => String.fromCharCode(...units));

describe('placeholders in company texts', () => {
  test.each([
    ['customer.name', 'Anna &lt;b&gt;&quot;X&quot;&lt;/b&gt;'],
    ['customer.email', 'anna@example.is'],
    ['customer.phoneNumber', '5550101'],
    ['customer.ssn', '1203894569'],
    ['customer.address', 'Gata 1'],
    ['customer.postalCode', '101'],
    ['customer.city', 'Reykjavík'],
    ['customer.Meta.pdfFileName', 'Secret plan.pdf'],
    ['customer.Meta.caseId', '42'],
    ['salesPerson', 'owner@example.is'],
    ['companyName', 'Acme &amp; Sons'],
    ['companySsn', '5001011234'],
    ['flowName', 'Leases'],
    ['link', 'https://sign.example/s/sp1/si1'],
    ['expiresAt', 'February 1, 2025'],
    ['processKey', 'sp1'],
    [' customer.city ', 'Reykjavík'],
    ['costumer.name', ''],
    ['customer.Meta.other', ''],
    ['customer.Meta.__proto__', ''],
    ['constructor', ''],
    ['__proto__', ''],
    ['', ''],
  ])('{{%s}} becomes %j', (name, value) => {
    const { html } = renderMail(facts, { ...own, message: `<p>[{{${name}}}]</p>` });
    expect(html).toContain(`<p>[${value}]</p>`);
  });

  test('are not replaced inside a value', () => {
    const customer = { name: '{{companySsn}}' };
    const { html, subject } = renderMail(
      { ...facts, customer },
      { ...own, message: '{{customer.name}}' },
    );
    expect(html).toContain('{{companySsn}}');
    expect(`${html}${subject}`).not.toContain('5001011234');
  });

  test('a form field cannot replace the file name', () => {
    const meta = { pdfFileName: 'other.pdf' };
    const { html } = renderMail(
      { ...facts, meta },
      { ...own, message: '{{customer.Meta.pdfFileName}}' },
    );
    expect(html).toContain('Secret plan.pdf');
    expect(html).not.toContain('other.pdf');
  });

  test('an invitation always contains its link; other messages do not', () => {
    const without = renderMail(facts, { ...own, message: '<p>Please sign.</p>' });
    expect(without.html).toContain('href="https://sign.example/s/sp1/si1"');
    expect(without.text).toBe('Please sign.\n\nRead and sign:\nhttps://sign.example/s/sp1/si1\n');
    const within = renderMail(facts, { ...own, message: '<a href="{{link}}">Go</a>' });
    expect(within.html.match(/sp1\/si1/g)).toHaveLength(1);
    const done = renderMail({ ...facts, template: 'Confirmation' }, { ...own, message: 'Done' });
    expect(done.html).not.toContain('sp1/si1');
  });

  test('a complete HTML page keeps its structure', () => {
    const message = '<!doctype html><HTML><Body><p>Hi</p></Body></HTML>';
    const { html } = renderMail(facts, { ...own, message });
    expect(html.match(/<html/gi)).toHaveLength(1);
    expect(html.indexOf('sp1/si1')).toBeLessThan(html.indexOf('</Body>'));
  });

  test.each([
    ['{{customer.email}}', 'anna@example.is'],
    ['fixed@example.org', 'fixed@example.org'],
    ['{{salesPerson}}', 'owner@example.is'],
    ['{{customer.name}}', undefined],
    ['a@example.org, b@example.org', undefined],
    ['a@example.org\r\nBcc: b@example.org', undefined],
    ['', undefined],
  ])('the recipient %j resolves to %j', (to, address) => {
    const mail = renderMail(facts, { ...own, to, bcc: to, message: 'x' });
    expect([mail.to, mail.bcc]).toEqual([address, address]);
  });
});

describe('hostile values in a message', () => {
  const evils = [
    'a\r\nBcc: victim@example.org',
    'a\nSubject: other',
    'a\u2028b',
    'a\u0000b',
    'a\u202Efdp.exe',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    '</title></head><body>',
    '\uD800',
  ];
  test.each(evils)('%j adds no header and no tag', (evil) => {
    const hostile: MessageFacts = {
      ...facts,
      companyName: evil,
      flowName: evil,
      customer: { name: evil, email: evil },
      documents: [evil],
      meta: { evil },
      salesPerson: evil,
    };
    for (const template of ['Signup', 'Reminder', 'Confirmation', 'Notification'] as const) {
      for (const text of [
        undefined,
        { ...own, message: '<p>{{customer.name}} {{customer.Meta.evil}}</p>' },
      ]) {
        const mail = renderMail({ ...hostile, template }, text);
        expect(mail.subject).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(mail.html).not.toMatch(/<script|<img|onmouseover='|onerror=alert\(1\)>/);
        expect(mail.html.match(/<title>/g)).toHaveLength(1);
        expect(mail.html.match(/<body/g)).toHaveLength(1);
        expect(mail.to ?? '').toBe('');
      }
    }
    expect(renderSms(hostile)).not.toMatch(/\p{Cc}/u);
  });

  test('never break the subject line or the structure of the page', () => {
    fc.assert(
      fc.property(anyText, fc.string(), (name, company) => {
        const mail = renderMail({ ...facts, customer: { name }, companyName: company });
        expect(mail.subject).not.toMatch(/\p{Cc}/u);
        expect(mail.subject.length).toBeLessThanOrEqual(400);
        expect(mail.html.match(/<(html|body|main|title)\b/g)).toHaveLength(4);
      }),
    );
  });
});

describe('confidential content of a message', () => {
  test.each(['Signup', 'Reminder'] as const)('%s behind a login names no document', (template) => {
    const closed = { ...facts, template, requiresAuth: true };
    const message = '{{customer.Meta.pdfFileName}}{{documents}}';
    for (const mail of [
      renderMail(closed),
      renderMail(closed, { ...own, subject: message, message }),
    ]) {
      expect(JSON.stringify(mail)).not.toContain('Secret plan');
      expect(mail.html).toContain('https://sign.example/s/sp1/si1');
    }
  });

  test('a one-time code names neither document nor link', () => {
    const mail = renderMail({ ...facts, template: 'OneTimeCode', values: { code: '123456' } });
    expect(JSON.stringify(mail)).not.toContain('Secret plan');
  });

  test('custom text of a text message is cut at 200 characters, its link is not', () => {
    const sms = renderSms({ ...facts, customSmsText: `${'ð'.repeat(199)}😀😀${'x'.repeat(1e5)}` });
    expect(sms).toBe(`${'ð'.repeat(199)}😀 https://sign.example/s/sp1/si1`);
    expect(renderSms({ ...facts, customSmsText: ' \n ' })).toMatch(/^Acme & Sons asks/);
  });
});

describe('htmlToText', () => {
  test.each([
    ['<p>a</p><p>b &amp; c</p>', 'a\n\nb & c'],
    ['a<br>b<BR/>c', 'a\nb\nc'],
    ['<ul><li>x</li><li>y</li></ul>', '- x\n- y'],
    ['<a href="https://e.org/?a=1&amp;b=2">Go</a>', 'Go https://e.org/?a=1&b=2'],
    ["<a class='x' href='http://e.org'>Go</a>!", 'Go http://e.org!'],
    ['<a href="javascript:x">Go</a>', 'Go'],
    ['<style>p{}</style><script>a<b</script><!-- c > d -->e', 'e'],
    ['<script>never closed', ''],
    ['1 < 2', '1'],
    ['&#205;sland &#x1F600; &nosuch; &#0; &#xD800;', 'Ísland 😀 &nosuch;'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
    ['', ''],
  ])('converts %j to %j', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test.each(['<', '<a href="', '<!--', '<style>', '&#', '<p', '</script', '<script>', ' '])(
    'converts a hundred thousand %j in linear time',
    (piece) => {
      const started = cpuMs();
      htmlToText(piece.repeat(100_000));
      expect(cpuMs() - started).toBeLessThan(2_000);
    },
  );
});

describe('chooseOwnText', () => {
  const make = (id: number, templateType: EmailTemplate['templateType'], language: string) => ({
    ...{ id, templateType, language, to: '', bcc: '', subject: '', message: '' },
    ...{ flowKey: asKey('flow', 'f'), includeFiles: false, createdAtMs: 0, updatedAtMs: 0 },
  });
  const all = [
    make(1, 'Signup', 'Is'),
    make(2, 'Signup', 'NotSet'),
    make(3, 'Signup', 'Is'),
    make(4, 'Notification', 'En'),
    make(5, 'Confirmation', 'en'),
  ];
  test.each([
    ['Signup', 'Is', 3],
    ['Signup', 'Pl', 2],
    ['Confirmation', 'En', 5],
    ['Confirmation', 'Is', undefined],
    ['Notification', 'Is', 4],
    ['SalesPerson', 'Is', undefined],
    ['Reminder', 'Is', undefined],
    ['OneTimeCode', 'Is', undefined],
  ] as const)('chooses for %s in %s the text number %j', (template, language, id) => {
    expect(chooseOwnText(all, template, language)?.id).toBe(id);
  });
});

describe('requireUsableText', () => {
  const good = {
    to: '{{customer.email}}',
    bcc: '',
    subject: 'Hi {{customer.name}}',
    message: '<p>',
  };
  test.each([
    {},
    { bcc: 'a@example.org' },
    { message: '{{unknown}} {{ customer.name }}' },
    { to: 'fixed@example.org' },
  ])('accepts %j', (change) => {
    expect(requireUsableText({ ...good, ...change })).toBeUndefined();
  });

  test.each([
    { to: '' },
    { to: 'a@example.org,b@example.org' },
    { to: '{{a}}{{b}}' },
    { bcc: 'nobody' },
    { subject: ' ' },
    { subject: 'a\r\nBcc: b@example.org' },
    { subject: 'x'.repeat(501) },
    { subject: '{{customer.name' },
    { message: 'a }} b' },
    { message: '{{a {{b}}' },
    { message: '' },
    { message: 'x'.repeat(200_001) },
  ])('rejects %j', (change) => {
    expect(() => requireUsableText({ ...good, ...change })).toThrowError(
      expect.objectContaining({ code: 'template.invalid' }),
    );
  });
});
