import { describe, expect, test } from 'vitest';
import { handlePlaces } from '../../../src/domain/message/handle-places.ts';
import { type OwnText, renderMail } from '../../../src/domain/message/index.ts';
import { requireUsableText } from '../../../src/domain/message/own-text.ts';

/** `T` text, `A` attribute, `X` elsewhere, in the order of the placeholders. */
const placesOf = (html: string) =>
  handlePlaces(html)
    .map(({ kind }) => ({ text: 'T', attribute: 'A', elsewhere: 'X' })[kind])
    .join('');

const table: readonly (readonly [html: string, places: string])[] = [
  ['{{a}} {{b}}', 'TT'],
  ['<p>{{a}}</p>{{b}}', 'TT'],
  ['<p title="{{a}}">', 'A'],
  ['<p title=\'{{a}}\' class = "x {{b}}">{{c}}', 'AAT'],
  ['a < {{a}} > b', 'T'],
  ['1<2 {{a}}', 'T'],
  ['<p title={{a}}>', 'X'],
  ['<p title=x{{a}} id="{{b}}">', 'XA'],
  ['<p title= {{a}} >', 'X'],
  ['<{{a}}>', 'X'],
  ['Anna <{{a}}{{b}}> {{c}}', 'XXT'],
  ['</{{a}}>{{b}}', 'XT'],
  ['<{{a}}p title="{{b}}" {{c}}>{{d}}', 'XAXT'],
  ['< {{a}}>', 'T'],
  ['<<{{a}}>', 'X'],
  ['<s{{a}}cript>{{b}}</script>{{c}}', 'XXT'],
  ['<p{{a}}>', 'X'],
  ['<p {{a}}>', 'X'],
  ['<p {{a}}="x">', 'X'],
  ['<p {{a}}="{{b}}">', 'XA'],
  ['</p {{a}}>{{b}}', 'XT'],
  ['<p ="{{a}}" title="{{b}}">', 'XA'],
  ['<p title="{{a}}"{{b}}>', 'AX'],
  ['<p title="a>{{a}}">{{b}}', 'AT'],
  ['<p title="\'{{a}}">{{b}}', 'AT'],
  ['<p title="x/{{a}}"/>{{b}}', 'AT'],
  ['<p/title="{{a}}">', 'A'],
  ['<a onclick="go(\'{{a}}\')">', 'X'],
  ['<p STYLE="color: {{a}}">', 'X'],
  ['<iframe srcdoc="{{a}}">', 'X'],
  ['<style>a { color: {{a}} }</style>{{b}}', 'XT'],
  ['<script>let a = "{{a}}"</script >{{b}}', 'XT'],
  ['<SCRIPT>{{a}}</scripty>{{b}}</Script>{{c}}', 'XXT'],
  ['<script>{{a}}', 'X'],
  ['<title>{{a}}</title>', 'T'],
  ['<!doctype {{a}}>{{b}}', 'XT'],
  ['<?xml {{a}}?>{{b}}', 'XT'],
  ['<!-- {{a}} -->{{b}}', 'TT'],
  ['<!--[if mso]><td width="{{a}}">{{b}}<![endif]-->{{c}}', 'ATT'],
  ['<!-- <a title=" --><img src={{a}}> " -->{{b}}', 'XT'],
  ['<!-- open {{a}}', 'T'],
  ['<!--x--!>{{a}}', 'T'],
  ['<svg><a href="{{a}}"></svg>{{b}}', 'XT'],
  ['<p title="open {{a}}', 'A'],
  ['<a href="{{ a "b> }}">{{c}}', 'AT'],
];

describe('placeholders in a company text', () => {
  test.each(table)('are classified by context: %s: %s', (html, places) => {
    expect(placesOf(html)).toBe(places);
  });

  test.each(table)('are accepted only where values can do no harm: %s', (message, places) => {
    const check = () =>
      requireUsableText({ to: '{{customer.email}}', bcc: '', subject: 'S', message });
    if (!places.includes('X')) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'template.invalid' }));
  });

  test('are found in linear time', () => {
    const html = '<p title="{{a}}">{{b}}<!-- {{c}} -->'.repeat(5000);
    expect(placesOf(html)).toBe('ATT'.repeat(5000));
    expect(placesOf('<'.repeat(100_000))).toBe('');
    expect(placesOf('<!--'.repeat(50_000))).toBe('');
    expect(placesOf(`<script>${'</script'.repeat(20_000)}`)).toBe('');
  });
});

test('values in an older text are left out where they could do harm', () => {
  const own = (message: string): OwnText => ({ to: '', bcc: '', subject: 'S', message });
  const meta = { a: 'x onload=alert(1)' };
  const facts = {
    ...({ template: 'Notification', language: 'En', companyName: '', flowName: '' } as const),
    ...{ documents: [], requiresAuth: false, expiresAtMs: 0, reference: '', values: {} },
    ...{ hasAttachments: false, meta },
  };
  const message = '<html><img alt={{customer.Meta.a}}><p {{customer.Meta.a}}>{{customer.Meta.a}}';
  expect(renderMail(facts, own(message)).html).toBe('<html><img alt=><p >x onload=alert(1)');
  const named = '<html><{{customer.Meta.a}}></{{customer.Meta.a}}>{{customer.Meta.a}}';
  expect(renderMail(facts, own(named)).html).toBe('<html><></>x onload=alert(1)');
});
