import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../src/formats/xml/index.ts';

const parse = (text: string) => parseXml(Buffer.from(text));

describe('namespaces', () => {
  it.each([
    ['a prefix that is not declared', '<p:a/>'],
    ['a prefix of an attribute that is not declared', '<a p:b=""/>'],
    ['a prefix out of its scope', '<a><b xmlns:p="u:"/><p:c/></a>'],
    ['a prefix without namespace', '<a xmlns:p=""/>'],
    ['two colons', '<a:b:c xmlns:a="u:"/>'],
    ['an empty prefix', '<:a/>'],
    ['an empty local name', '<a: xmlns:a="u:"/>'],
    ['an empty declared prefix', '<a xmlns:="u:"/>'],
    ['a local name that starts with a digit', '<a:1 xmlns:a="u:"/>'],
    ['two spellings of one attribute name', '<a xmlns:p="u:" xmlns:q="u:" p:b="" q:b=""/>'],
    ['two declarations of one prefix', '<a xmlns:p="u:1" xmlns:p="u:2"/>'],
    ['xml bound to another namespace', '<a xmlns:xml="u:"/>'],
    ['another prefix for xml', '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>'],
    ['xml as the default', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>'],
    ['xmlns declared', '<a xmlns:xmlns="http://www.w3.org/2000/xmlns/"/>'],
    ['another prefix for xmlns', '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>'],
    ['an element with the prefix xmlns', '<xmlns:a/>'],
  ])('%s is rejected', (_, document) => {
    expect(() => parse(document)).toThrow(expect.objectContaining({ code: 'xml.invalid' }));
  });

  it.each<[string, string, string]>([
    ['none', '<a/>', ''],
    ['the default', '<a xmlns="u:1"/>', 'u:1'],
    ['a prefix', '<p:a xmlns="u:1" xmlns:p="u:2"/>', 'u:2'],
    ['xml', '<xml:a/>', 'http://www.w3.org/XML/1998/namespace'],
    [
      'xml, declared',
      '<xml:a xmlns:xml="http://www.w3.org/XML/1998/namespace"/>',
      'http://www.w3.org/XML/1998/namespace',
    ],
    ['a reference in the URI', '<a xmlns="u:&amp;&#x41;"/>', 'u:&A'],
    ['white space in the URI', '<a xmlns="u:\t1"/>', 'u: 1'],
    ['declared after its use', '<p:a b="" xmlns:p="u:1"/>', 'u:1'],
  ])('an element gets its namespace from %s', (_, document, uri) => {
    expect(parse(document).root.namespaceUri).toBe(uri);
  });

  it('declarations end with their element', () => {
    const { root } = parse(
      '<a xmlns="u:1" xmlns:p="u:2"><b xmlns="" xmlns:p="u:3"><p:c/></b><p:d/><e/></a>',
    );
    const [b, d, e] = root.children;
    expect([b, b!.children[0], d, e].map((element) => element!.namespaceUri)).toEqual([
      '',
      'u:3',
      'u:2',
      'u:1',
    ]);
    expect(['', 'p', 'xml', 'q'].map((prefix) => b!.children[0]!.namespaceOf(prefix))).toEqual([
      '',
      'u:3',
      'http://www.w3.org/XML/1998/namespace',
      undefined,
    ]);
    expect(['', 'p'].map((prefix) => e!.namespaceOf(prefix))).toEqual(['u:1', 'u:2']);
  });

  it('the default namespace does not apply to attributes', () => {
    const { root } = parse('<a xmlns="u:1" xmlns:p="u:1" b="1" p:b="2" xml:lang="de"/>');
    expect(root.attribute('b')).toBe('1');
    expect(root.attribute('b', 'u:1')).toBe('2');
    expect(root.attribute('lang', 'http://www.w3.org/XML/1998/namespace')).toBe('de');
    expect(root.attribute('lang')).toBeUndefined();
    expect(root.attribute('xmlns')).toBeUndefined();
    expect(root.attribute('p', 'http://www.w3.org/2000/xmlns/')).toBeUndefined();
    expect(root.attributes.map(({ name, namespaceUri }) => [name, namespaceUri])).toEqual([
      ['b', ''],
      ['p:b', 'u:1'],
      ['xml:lang', 'http://www.w3.org/XML/1998/namespace'],
    ]);
  });
});
