import { describe, expect, test } from 'vitest';
import {
  chooseLanguage,
  handleNames,
  languages,
  localeOfLanguage,
  type MessageFacts,
  renderMail,
  renderSms,
} from '../../../src/domain/message/index.ts';

const templates = [
  'Signup',
  'Reminder',
  'OneTimeCode',
  'Notification',
  'Confirmation',
  'SalesPerson',
  'Canceled',
] as const;

const facts: MessageFacts = {
  template: 'Signup',
  language: 'En',
  companyName: 'Acme ehf.',
  flowName: 'Leases',
  customer: { name: 'Þórður Ðagný', email: 'thordur@example.is' },
  salesPerson: 'owner@example.is',
  documents: ['Húsaleiga.pdf', 'Viðauki.pdf'],
  meta: {},
  requiresAuth: false,
  link: 'https://sign.example/s/sp1/si1',
  unsubscribeUrl: 'https://sign.example/s/sp1/si1/unsubscribe',
  expiresAtMs: Date.UTC(2025, 1, 1, 9),
  reference: 'sp0123456789',
  values: { code: '481516' },
  hasAttachments: false,
};

const cases = languages.flatMap((language) =>
  templates.map((template) => [language, template] as const),
);

/** Every tag of `html` that is not closed in order. */
function unbalancedTags(html: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (name === 'meta') continue;
    if (end === '') open.push(name);
    else if (open.pop() !== name) faults.push(name);
  }
  return [...faults, ...open];
}

describe('built-in texts in every language for seven templates', () => {
  test.each(cases)('%s %s is complete and contains its values', (language, template) => {
    const isLast = ['Notification', 'Confirmation', 'SalesPerson'].includes(template);
    const mail = renderMail({ ...facts, language, template, hasAttachments: isLast });
    const whole = `${mail.subject}\n${mail.text}\n${mail.html}`;
    expect(whole).not.toMatch(/\{\{|\}\}|undefined|NaN|\[object/);
    expect(mail.subject.length).toBeGreaterThan(8);
    expect(mail.subject.length).toBeLessThan(70);
    expect(mail.subject).not.toMatch(/[!\r\n]/);
    expect(mail.text).toContain('Acme ehf.');
    expect(mail.text).toContain('sp0123456789');
    expect(mail.html).toContain(`<html lang="${localeOfLanguage(language).tag}">`);
    expect(mail.html).toContain(`<title>${mail.subject}</title>`);
    expect(unbalancedTags(mail.html)).toEqual([]);
    expect(mail.html).not.toMatch(/<img|<script|<link|src=|url\(/i);
    const isForSignee = template !== 'Notification' && template !== 'SalesPerson';
    expect(mail.text.includes('Þórður Ðagný')).toBe(isForSignee);
    const hasDocuments = template !== 'OneTimeCode';
    expect(mail.text.includes('- Húsaleiga.pdf')).toBe(hasDocuments);
    expect(mail.html.includes('<li>Viðauki.pdf</li>')).toBe(hasDocuments);
    expect(mail.text.includes('481516')).toBe(template === 'OneTimeCode');
    expect(mail.html.includes('481516</strong>')).toBe(template === 'OneTimeCode');
    expect(mail.subject).not.toContain('481516');
    const asks = template === 'Signup' || template === 'Reminder';
    expect(mail.text.includes('2025')).toBe(asks);
  });

  test.each(cases)(
    '%s %s names the verification page if there is something to verify',
    (...given) => {
      const [language, template] = given;
      const checkUrl = 'https://sign.example/s/verify?lng=en';
      const label = localeOfLanguage(language).messages.checkLabel;
      for (const hasAttachments of [true, false]) {
        const mail = renderMail({ ...facts, language, template, hasAttachments, checkUrl });
        const isNamed = hasAttachments && template !== 'OneTimeCode';
        expect([mail.text.includes(checkUrl), mail.text.includes(label)]).toEqual([
          isNamed,
          isNamed,
        ]);
        expect(mail.html.includes(`href="${checkUrl}"`)).toBe(isNamed);
      }
      const without = renderMail({ ...facts, language, template, hasAttachments: true });
      expect(without.text).not.toContain(label);
    },
  );

  test.each(languages)('%s differs from every other language in every text', (language) => {
    for (const other of languages) {
      if (other === language) continue;
      // Related languages share words, but no whole message.
      for (const name of [
        'signup',
        'reminder',
        'confirmation',
        'salesPerson',
        'canceled',
      ] as const) {
        const { subject, line } = localeOfLanguage(language).messages[name];
        expect(`${subject} ${line}`).not.toBe(
          `${localeOfLanguage(other).messages[name].subject} ${localeOfLanguage(other).messages[name].line}`,
        );
      }
    }
  });

  test.each(languages)('%s uses the same placeholders as Icelandic in every text', (language) => {
    const handlesOf = (value: object): unknown =>
      Object.fromEntries(
        Object.entries(value).map(([name, text]) => [
          name,
          typeof text === 'string' ? [...handleNames(text)].sort() : handlesOf(text),
        ]),
      );
    expect(handlesOf(localeOfLanguage(language).messages)).toEqual(
      handlesOf(localeOfLanguage('Is').messages),
    );
  });

  test.each(languages)('%s text messages are short and end with the link', (language) => {
    for (const template of ['Signup', 'Reminder'] as const) {
      const sms = renderSms({ ...facts, language, template });
      expect(sms.endsWith(' https://sign.example/s/sp1/si1')).toBe(true);
      expect(sms).toContain('Acme ehf.');
      expect(sms.length).toBeLessThan(160);
      expect(sms).not.toContain('Húsaleiga');
    }
    const canceled = renderSms({ ...facts, language, template: 'Canceled' });
    expect(canceled).toContain('Acme ehf.');
    expect(canceled).not.toMatch(/https:|\{\{|Húsaleiga/);
    const code = renderSms({ ...facts, language, template: 'OneTimeCode' });
    expect(code).toContain('481516');
    expect(code).not.toContain('https:');
  });
});

describe('chooseLanguage', () => {
  test.each([
    [['Pl', 'En'], 'Pl'],
    [['NotSet', 'En'], 'En'],
    [[undefined, 'Hu'], 'Hu'],
    [['en'], 'En'],
    [['NotSet', 'NotSet'], 'Is'],
    [[], 'Is'],
    [['Dk', undefined], 'Is'],
    [['__proto__', 'constructor'], 'Is'],
  ] as const)('%j yields %s', (options, language) => {
    expect(chooseLanguage(...options)).toBe(language);
  });
});
