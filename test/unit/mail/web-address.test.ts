import { describe, expect, test } from 'vitest';
import { type MessageFacts, renderMail, renderSms } from '../../../src/domain/message/index.ts';
import { withoutWebAddresses } from '../../../src/domain/message/web-address.ts';

/** What mail programs turn into links: a scheme, two slashes, or a dot inside a word. */
const clickable =
  /\w[:\ufe13\ufe55\uff1a]\S|[/\uff0f]{2}|[.\u2024\u3002\ufe12\ufe52\uff0e\uff61][\p{L}\p{N}]/u;

const hostile = [
  'http://evil.example/login',
  'HTTPS://EVIL.EXAMPLE',
  'www.evil.example',
  'Pay at evil.example',
  'evil．example',
  'evil。example',
  'evil\u2024example',
  'evil\ufe52example',
  'evil\ufe12example',
  'http\uff1a\uff0f\uff0fevil',
  'mailto\ufe55evil',
  'evil.\u200bexample',
  'mailto:evil@phish.example',
  'evil@phish.example',
  '//evil.example',
  'tel:+3545550000',
  'http://192.0.2.1/x',
  'javascript:alert(1)',
] as const;

describe('web addresses in the name of a signee', () => {
  test.each([...hostile])('are broken up: %s', (name) => {
    const plain = withoutWebAddresses(name);
    expect(plain).not.toBe(name);
    expect(plain).not.toMatch(clickable);
    expect(plain.replaceAll(' ', '')).toBe(name.replaceAll(' ', ''));
    expect(withoutWebAddresses(plain)).toBe(plain);
  });

  test.each([
    'Anna Þórðardóttir',
    'J. R. Smith jr.',
    'Björn Čeněk (forstj.)',
    'Þröstur ehf., Reykjavík',
    'Anna: f.h. Björns'.replace('f.h.', 'f. h.'),
    '...',
  ])('are not seen in %s', (name) => {
    expect(withoutWebAddresses(name)).toBe(name);
  });
});

const facts = (name: string): MessageFacts => ({
  ...{ template: 'Signup', language: 'En', companyName: 'Acme ehf.', flowName: 'Contracts' },
  customer: { name, address: name, postalCode: name, city: name, email: 'a@example.test' },
  ...{ documents: ['agreement.pdf'], meta: { site: 'https://acme.example/x' } },
  ...{ requiresAuth: false, link: 'https://sign.example/s/sp1/si1', expiresAtMs: 0 },
  ...{ reference: 'sp1', values: {}, hasAttachments: false },
});

test.each([...hostile])('%s is never clickable in mails of the company', (name) => {
  const own = {
    ...{ to: '{{customer.email}}', bcc: '', subject: 'For {{customer.name}}' },
    message:
      '<p>{{customer.name}} {{customer.address}} {{customer.postalCode}} {{customer.city}}</p>' +
      '<p>{{customer.Meta.site}} {{link}}</p>',
  };
  for (const mail of [renderMail(facts(name)), renderMail(facts(name), own)]) {
    for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toContain(name);
    expect(mail.text).toContain('https://sign.example/s/sp1/si1');
  }
  const written = renderMail(facts(name), own);
  expect([written.to, written.text.includes('https://acme.example/x')]).toEqual([
    'a@example.test',
    true,
  ]);
  expect(renderSms(facts(name))).not.toContain(name);
});
