import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../../../src/formats/xml/index.ts';
import type { IndexedDocument } from '../../../../../src/formats/xml/tree/document.ts';
import { Evaluator } from '../../../../../src/formats/xml/xpath/evaluate-xpath.ts';
import { NodeTree } from '../../../../../src/formats/xml/xpath/node-tree.ts';
import { parseXPath } from '../../../../../src/formats/xml/xpath/parse-xpath.ts';
import { cpuMs } from '../../../../support/cpu-time.ts';
import { expressionDocument, expressionRows } from './expressions.table.ts';

/** The value at the root element; node-sets as their texts. */
function evaluate(text: string, expression: string) {
  const document = parseXml(Buffer.from(text)) as IndexedDocument;
  let steps = 0;
  const tree = new NodeTree(document, { step: (count) => (steps += count) });
  const evaluator = new Evaluator(tree, {
    byId: () => undefined,
    here: () => tree.root(),
  });
  const parsed = parseXPath(expression, (prefix) => (prefix === 'p' ? 'urn:p' : xml(prefix)));
  const value = evaluator.evaluate(parsed, tree.element(0));
  return { value: typeof value === 'object' ? value.map((node) => tree.text(node)) : value, steps };
}

function xml(prefix: string) {
  return prefix === 'xml' ? 'http://www.w3.org/XML/1998/namespace' : undefined;
}

describe('XPath 1.0', () => {
  test.each(expressionRows)('evaluates %s', (expression, expected) => {
    expect(evaluate(expressionDocument, expression).value).toEqual(expected);
  });

  // XPath 1.0 §5.7: libxml2 keeps CDATA sections apart, but comments do split text.
  test.each([
    ['count(text())', '<r>a<![CDATA[b]]>c</r>', 1],
    ['string(text())', '<r>a<![CDATA[<b]]>&amp;c</r>', 'a<b&c'],
    ['count(text())', '<r>a<!--b-->c</r>', 2],
    ['count(text())', '<r><![CDATA[]]></r>', 0],
    ['count(node())', '<r><![CDATA[]]><a/><![CDATA[]]><![CDATA[x]]></r>', 2],
    ['count(//node())', '<!--a--> <r/> <?b?>', 3],
    // XPath 1.0 §2.2: the content of an element follows its attributes.
    ['count(@x/following::node())', '<r x=""><a/>b</r>', 2],
    ['count(namespace::*[1]/following::node())', '<r><a/>b</r>', 2],
    ['count(//comment()/preceding::node())', '<r><a/></r><!--x-->', 2],
    ['count(namespace::*)', '<r xmlns="urn:r" xmlns:a="urn:a"/>', 3],
    ['count(a/namespace::*)', '<r xmlns:a="urn:a"><a xmlns:a="urn:b"/></r>', 2],
    ['count(*/namespace::*)', '<r xmlns="urn:r"><a xmlns=""/></r>', 1],
    ['string(1 div 3 * 3 = 1)', '<r/>', 'true'],
    ['string(1 div 10000000)', '<r/>', '0.0000001'],
    ['string(123456789 * 1000000000000000000)', '<r/>', '123456789000000000000000000'],
    ['string(-1 div 0)', '<r/>', '-Infinity'],
  ] as const)('evaluates %s on %s', (expression, text, expected) => {
    expect(evaluate(text, expression).value).toBe(expected);
  });

  // Each scans a long text repeatedly, at 300 positions, which must count towards the limit.
  const long = 'x'.repeat(40_000);
  const places = '<a/>'.repeat(300);
  test.each([
    ["//a[contains(string(/r/t), concat(name(), 'y'))]", `<r><t>${long}</t>${places}</r>`],
    [
      "//a[substring(string(/r/t), string-length(name()), 1) = 'y']",
      `<r><t>${long}</t>${places}</r>`,
    ],
    ["//a[translate(name(), string(/r/t), '') = 'b']", `<r><t>${long}</t>${places}</r>`],
    ['//a[string(/r/t) = string-length(name())]', `<r><t>${long}</t>${places}</r>`],
    ["//a[lang('en')]", `<r xml:lang="${long}">${places}</r>`],
    ['//a[count(//b | .) = 1]', `<r>${'<b/>'.repeat(5_000)}${places}</r>`],
    ['//a[preceding-sibling::comment()]', `<r>${'<![CDATA[]]>'.repeat(5_000)}${places}</r>`],
    ['//a[preceding-sibling::comment()]', `<r>${'<![CDATA[x]]>'.repeat(5_000)}${places}</r>`],
  ])('%s counts every step', (expression, text) => {
    expect(evaluate(text, expression).steps).toBeGreaterThan(1_000_000);
  });

  test('trailing spaces are read once', () => {
    const text = `1${' '.repeat(4_000)}x`;
    const started = cpuMs();
    for (let i = 0; i < 300; i++) expect(() => parseXPath(text, xml)).toThrow('operator');
    expect(cpuMs() - started).toBeLessThan(1_000);
  });

  test('a distant namespace declaration is looked up once, not per attribute', () => {
    const declared = Array.from({ length: 1_000 }, (_, i) => `xmlns:n${i}="urn:${i}"`).join(' ');
    const text = `<r ${declared}>${'<a n0:b=""/>'.repeat(1_000)}</r>`;
    const { value, steps } = evaluate(text, "count(//@*[namespace-uri() = 'urn:0'])");
    expect(value).toBe(1_000);
    expect(steps).toBeLessThan(20_000);
  });

  test.each([
    ['at the start', 0, 3],
    ['in the middle', 500, 503],
    ['at the end', 997, 1_000],
    ['at both ends', 0, 1_000],
    ['nowhere', 0, 0],
  ])('elements of a namespace located %s are found', (_place, first, last) => {
    const isOurs = (i: number) => i >= first && i < last && (i < 3 || i >= 997 || last < 1_000);
    const elements = Array.from({ length: 1_000 }, (_, i) => (isOurs(i) ? '<p:a/>' : '<a/>'));
    const ours = elements.filter((each) => each === '<p:a/>').length;
    const text = `<r xmlns:p="urn:p">${elements.join('')}</r>`;
    expect(evaluate(text, 'count(//p:a)').value).toBe(ours);
    expect(evaluate(text, 'count(/r/*[1]/following::p:a)').value).toBe(isOurs(0) ? ours - 1 : ours);
    expect(parseXml(Buffer.from(text)).findAll('urn:p', 'a')).toHaveLength(ours);
    expect(parseXml(Buffer.from(text)).findAll('', 'a')).toHaveLength(1_000 - ours);
  });

  test('a step without possible results costs little, whatever the document', () => {
    const text = `<r>${'<a><b/></a>'.repeat(5_000)}</r>`;
    expect(evaluate(text, 'count(//nobody)').steps).toBeLessThan(2_000);
    expect(evaluate(text, 'count(//a[not(preceding-sibling::a)])').steps).toBeLessThan(30_000);
    // All pairs are counted, so that a limit can stop them.
    expect(evaluate(text, 'count(//a[count(preceding::a) > 9])').steps).toBeGreaterThan(12_000_000);
  });
});
