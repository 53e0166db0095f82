import { describe, expect, it } from 'vitest';
import {
  type CanonicalMethod,
  type CanonicalOptions,
  canonicalBytes,
  canonicalMethods,
  parseXml,
  type XmlElement,
} from '../../../../src/formats/xml/index.ts';

function elementAt(root: XmlElement, path: string): XmlElement {
  const steps = path.split('/').filter((step) => step !== '');
  return steps.reduce((element, step) => element.children[Number(step)]!, root);
}

function form(
  document: string,
  method: CanonicalMethod,
  path?: string,
  options?: CanonicalOptions,
): string {
  const parsed = parseXml(Buffer.from(document));
  const target = path === undefined ? parsed : elementAt(parsed.root, path);
  return Buffer.from(canonicalBytes(target, method, options)).toString();
}

describe('namespace declarations of a canonical document', () => {
  it.each<[string, string, string, string]>([
    [
      'in order, the default first',
      '<b:c xmlns:b="u:1" xmlns="u:2" xmlns:a="u:3" a:x="" z=""><y></y></b:c>',
      '<b:c xmlns="u:2" xmlns:a="u:3" xmlns:b="u:1" z="" a:x=""><y></y></b:c>',
      '<b:c xmlns:a="u:3" xmlns:b="u:1" z="" a:x=""><y xmlns="u:2"></y></b:c>',
    ],
    [
      'repeated ones are omitted',
      '<p:a xmlns:p="u:1"><p:b xmlns:p="u:1"><p:c xmlns:p="u:2"></p:c></p:b></p:a>',
      '<p:a xmlns:p="u:1"><p:b><p:c xmlns:p="u:2"></p:c></p:b></p:a>',
      '<p:a xmlns:p="u:1"><p:b><p:c xmlns:p="u:2"></p:c></p:b></p:a>',
    ],
    [
      'repeated after another declaration of the prefix',
      '<p:a xmlns:p="u:1"><p:b xmlns:p="u:2"><p:c xmlns:p="u:1"></p:c></p:b><p:d></p:d></p:a>',
      '<p:a xmlns:p="u:1"><p:b xmlns:p="u:2"><p:c xmlns:p="u:1"></p:c></p:b><p:d></p:d></p:a>',
      '<p:a xmlns:p="u:1"><p:b xmlns:p="u:2"><p:c xmlns:p="u:1"></p:c></p:b><p:d></p:d></p:a>',
    ],
    [
      'an empty default that overrides nothing is omitted',
      '<a xmlns=""><b xmlns=""></b></a>',
      '<a><b></b></a>',
      '<a><b></b></a>',
    ],
    [
      'an empty default that overrides another is kept',
      '<a xmlns="u:1"><b xmlns=""><c></c></b></a>',
      '<a xmlns="u:1"><b xmlns=""><c></c></b></a>',
      '<a xmlns="u:1"><b xmlns=""><c></c></b></a>',
    ],
    [
      'an unused empty default',
      '<a xmlns="u:1" xmlns:p="u:2"><p:b xmlns=""><p:c xmlns="u:1"><d></d></p:c></p:b></a>',
      '<a xmlns="u:1" xmlns:p="u:2"><p:b xmlns=""><p:c xmlns="u:1"><d></d></p:c></p:b></a>',
      '<a xmlns="u:1"><p:b xmlns:p="u:2"><p:c><d></d></p:c></p:b></a>',
    ],
    [
      'at their first use, once on each path',
      '<a xmlns:p="u:1"><p:b><p:c p:x=""></p:c></p:b><p:d></p:d><e p:x=""></e></a>',
      '<a xmlns:p="u:1"><p:b><p:c p:x=""></p:c></p:b><p:d></p:d><e p:x=""></e></a>',
      '<a><p:b xmlns:p="u:1"><p:c p:x=""></p:c></p:b><p:d xmlns:p="u:1"></p:d><e xmlns:p="u:1" p:x=""></e></a>',
    ],
    [
      'the xml prefix is never declared',
      '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:lang="de"><xml:b></xml:b></a>',
      '<a xml:lang="de"><xml:b></xml:b></a>',
      '<a xml:lang="de"><xml:b></xml:b></a>',
    ],
    [
      'the exclusive form ignores a prefix used in a value',
      '<a xmlns:t="u:1" type="t:x"></a>',
      '<a xmlns:t="u:1" type="t:x"></a>',
      '<a type="t:x"></a>',
    ],
    [
      'a reference in the URI',
      `<p:a xmlns:p='u:?a&amp;b"&#x3C;'></p:a>`,
      '<p:a xmlns:p="u:?a&amp;b&quot;&lt;"></p:a>',
      '<p:a xmlns:p="u:?a&amp;b&quot;&lt;"></p:a>',
    ],
    [
      'by code points',
      '<a xmlns:\u{10400}="u:1" xmlns:\uf900="u:2" \u{10400}:x="" \uf900:x=""></a>',
      '<a xmlns:\uf900="u:2" xmlns:\u{10400}="u:1" \u{10400}:x="" \uf900:x=""></a>',
      '<a xmlns:\uf900="u:2" xmlns:\u{10400}="u:1" \u{10400}:x="" \uf900:x=""></a>',
    ],
    [
      'attributes that merely resemble declarations',
      '<a xmlnsx="1" xmlns-y="2" xmlns:zxmlns="u:1" zxmlns:b="3"></a>',
      '<a xmlns:zxmlns="u:1" xmlns-y="2" xmlnsx="1" zxmlns:b="3"></a>',
      '<a xmlns:zxmlns="u:1" xmlns-y="2" xmlnsx="1" zxmlns:b="3"></a>',
    ],
  ])('follow the rules of each form: %s', (_, document, inclusive, exclusive) => {
    expect(form(document, 'c14n10')).toBe(inclusive);
    expect(form(document, 'c14n11')).toBe(inclusive);
    expect(form(document, 'exc-c14n')).toBe(exclusive);
    expect(form(inclusive, 'c14n10')).toBe(inclusive);
    expect(form(exclusive, 'exc-c14n')).toBe(exclusive);
  });

  it.each([
    ['used', '<p:a xmlns:p="x/y"/>'],
    ['not used', '<a xmlns:p="../y"/>'],
    ['the default namespace', '<a xmlns="#x"/>'],
    ['inside', '<a><b xmlns="//h/x"/></a>'],
  ])('with a relative URI are rejected: %s', (_, document) => {
    for (const method of canonicalMethods.values()) {
      expect(() => form(document, method)).toThrow(
        expect.objectContaining({ code: 'xml.invalid' }),
      );
    }
  });
});

describe('namespace declarations of a canonical element', () => {
  const host =
    '<a xmlns="u:1" xmlns:p="u:2" xmlns:q="u:3"><b xmlns:q="u:4"><p:c x=""><d/></p:c></b></a>';
  it.each<[string, CanonicalMethod, string]>([
    ['0', 'c14n10', '<b xmlns="u:1" xmlns:p="u:2" xmlns:q="u:4"><p:c x=""><d></d></p:c></b>'],
    ['0/0', 'c14n10', '<p:c xmlns="u:1" xmlns:p="u:2" xmlns:q="u:4" x=""><d></d></p:c>'],
    ['0/0', 'c14n11', '<p:c xmlns="u:1" xmlns:p="u:2" xmlns:q="u:4" x=""><d></d></p:c>'],
    ['0/0', 'exc-c14n', '<p:c xmlns:p="u:2" x=""><d xmlns="u:1"></d></p:c>'],
    ['0/0/0', 'exc-c14n', '<d xmlns="u:1"></d>'],
    ['', 'exc-c14n', '<a xmlns="u:1"><b><p:c xmlns:p="u:2" x=""><d></d></p:c></b></a>'],
  ])('for the path %s in %s', (path, method, canonical) => {
    expect(form(host, method, path)).toBe(canonical);
  });

  it('omit a default namespace that was undeclared', () => {
    const document = '<a xmlns="u:1"><b xmlns=""><c/></b></a>';
    expect(form(document, 'c14n10', '0/0')).toBe('<c></c>');
    expect(form(document, 'exc-c14n', '0/0')).toBe('<c></c>');
    expect(form(document, 'exc-c14n', '0/0', { prefixList: [''] })).toBe('<c></c>');
  });

  it.each<[readonly string[], string]>([
    [[], '<p:c xmlns:p="u:2" x=""><d xmlns="u:1"></d></p:c>'],
    [[''], '<p:c xmlns="u:1" xmlns:p="u:2" x=""><d></d></p:c>'],
    [['q'], '<p:c xmlns:p="u:2" xmlns:q="u:4" x=""><d xmlns="u:1"></d></p:c>'],
    [['p', 'q', ''], '<p:c xmlns="u:1" xmlns:p="u:2" xmlns:q="u:4" x=""><d></d></p:c>'],
    [['absent', 'xml'], '<p:c xmlns:p="u:2" x=""><d xmlns="u:1"></d></p:c>'],
  ])('of the exclusive form with the prefix list %j', (prefixList, canonical) => {
    expect(form(host, 'exc-c14n', '0/0', { prefixList })).toBe(canonical);
    expect(form(host, 'exc-c14n-comments', '0/0', { prefixList })).toBe(canonical);
  });

  it('of the inclusive forms ignore the prefix list', () => {
    expect(form(host, 'c14n10', '0', { prefixList: ['p'] })).toBe(form(host, 'c14n10', '0'));
  });

  it('for a listed prefix appear where it is declared', () => {
    const document = '<a xmlns:p="u:1"><b><c xmlns:p="u:2"><p:d/></c></b></a>';
    expect(form(document, 'exc-c14n', undefined, { prefixList: ['p'] })).toBe(
      '<a xmlns:p="u:1"><b><c xmlns:p="u:2"><p:d></p:d></c></b></a>',
    );
  });
});

describe('excluding elements from a canonical form', () => {
  const document = parseXml(
    Buffer.from('<?p?><a xmlns:q="u:1">1<b><q:c/>2</b>3<d/>4<!--5--><e><f/></e></a><!--6-->'),
  );
  const [b, d, e] = document.root.children;
  const shown = (exclude: readonly XmlElement[], method: CanonicalMethod = 'exc-c14n') =>
    Buffer.from(canonicalBytes(document, method, { exclude })).toString();

  it.each<[string, readonly (XmlElement | undefined)[], string]>([
    ['none', [], '<?p?>\n<a>1<b><q:c xmlns:q="u:1"></q:c>2</b>3<d></d>4<e><f></f></e></a>'],
    ['one', [b], '<?p?>\n<a>13<d></d>4<e><f></f></e></a>'],
    ['an empty tag', [d], '<?p?>\n<a>1<b><q:c xmlns:q="u:1"></q:c>2</b>34<e><f></f></e></a>'],
    ['several', [e, b, d], '<?p?>\n<a>134</a>'],
    ['nested elements', [b, b?.children[0]], '<?p?>\n<a>13<d></d>4<e><f></f></e></a>'],
    ['the root', [document.root], '<?p?>\n'],
  ])('keeps the declarations of the rest: %s', (_, exclude, canonical) => {
    expect(shown(exclude as XmlElement[])).toBe(canonical);
  });

  it('ignores elements of another document', () => {
    const other = parseXml(Buffer.from('<a><b/></a>'));
    expect(shown(other.root.children)).toBe(shown([]));
  });

  it('works for the form of an element', () => {
    const inner = canonicalBytes(e!, 'exc-c14n', { exclude: e!.children });
    expect(Buffer.from(inner).toString()).toBe('<e></e>');
    expect(canonicalBytes(e!, 'exc-c14n', { exclude: [e!] })).toHaveLength(0);
  });
});
