import { describe, expect, test } from 'vitest';
import type { MessageFacts } from '../../../src/domain/message/index.ts';
import { renderMail } from '../../../src/domain/message/index.ts';

const html = (message: string, meta: Readonly<Record<string, string>>) => {
  const facts: MessageFacts = {
    ...{ template: 'Notification', language: 'En', companyName: '', flowName: '', documents: [] },
    ...{ requiresAuth: false, expiresAtMs: 0, reference: '', values: {}, hasAttachments: false },
    meta,
  };
  return renderMail(facts, { to: '', bcc: '', subject: 'S', message: `<html>${message}</html>` })
    .html;
};

describe('a value at the start of a URL attribute', () => {
  test.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload="x">',
    'x:y',
  ])('is removed: %j', (a) => {
    expect(html('<a href="{{customer.Meta.a}}">x</a>', { a })).toBe(
      '<html><a href="">x</a></html>',
    );
    expect(html("<a HREF = '{{customer.Meta.a}}'>", { a })).toBe("<html><a HREF = ''></html>");
    expect(html('<a href={{customer.Meta.a}}>', { a })).toBe('<html><a href=></html>');
    expect(html('<form action=" {{customer.Meta.a}}">', { a })).toBe(
      '<html><form action=" "></html>',
    );
  });

  test.each([
    'https://acme.example/a?b=c:d',
    'HTTP://acme.example',
    'mailto:a@acme.example',
    'tel:+3545551234',
    '/orders/7:8',
    '?at=12:30',
    'orders',
    'data:image/png;base64,AAAA',
  ])('is kept: %j', (a) => {
    expect(html('<a href="{{customer.Meta.a}}">', { a })).toBe(`<html><a href="${a}"></html>`);
  });

  test('cannot be combined from two values to a dangerous scheme', () => {
    const meta = { a: 'javascript', b: ':alert(1)', c: 'java', d: 'script:alert(1)' };
    expect(html('<a href="{{customer.Meta.a}}{{customer.Meta.b}}">', meta)).not.toContain('alert');
    expect(html('<a href="{{customer.Meta.c}}{{customer.Meta.d}}">', meta)).not.toContain('alert');
  });

  test('with a colon is plain text elsewhere', () => {
    const meta = { a: 'Re: x' };
    const message = '<p title="{{customer.Meta.a}}">{{customer.Meta.a}}</p>';
    expect(html(message, meta)).toBe('<html><p title="Re: x">Re: x</p></html>');
    const inside = '<a href="https://acme.example/{{customer.Meta.a}}">';
    expect(html(inside, meta)).toBe('<html><a href="https://acme.example/Re: x"></html>');
  });
});
