import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import {
  type CanonicalMethod,
  canonicalize,
  canonicalMethods,
  parseXml,
  type XmlDocument,
  type XmlElement,
} from '../../../../src/formats/xml/index.ts';

const parse = (text: string) => parseXml(Buffer.from(text));
const many = (count: number, piece: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('');
const nested = (depth: number) => `${'<a>'.repeat(depth - 1)}<b/>${'</a>'.repeat(depth - 1)}`;
const overLimit = expect.objectContaining({ code: 'xml.limit' });

function lengthOf(target: XmlDocument | XmlElement, method: CanonicalMethod): number {
  let length = 0;
  canonicalize(target, method, {}, (piece) => {
    length += piece.length;
  });
  return length;
}

describe('limits of an XML document', () => {
  // The limit itself is accepted, one more is not.
  it.each<[string, (count: number) => string, number]>([
    ['levels', (count) => nested(count + 1), limits.xmlDepth],
    ['attributes', (count) => `<a ${many(count, (i) => ` a${i}=""`)}/>`, limits.xmlAttributes],
    [
      'declarations (xml is one)',
      (count) => `<a ${many(count - 1, (i) => ` xmlns:p${i}="u:"`)}/>`,
      limits.xmlNamespaces,
    ],
    [
      'declarations on a path',
      (count) => many(count - 1, (i) => `<p:a xmlns:p="u:${i}">`) + '</p:a>'.repeat(count - 1),
      limits.xmlNamespaces,
    ],
    ['names', (count) => `<a>${many(count - 1, (i) => `<a${i}/>`)}</a>`, limits.xmlNames],
    ['bytes of a name', (count) => `<${'a'.repeat(count)}/>`, limits.xmlNameBytes],
    [
      'characters of a URI',
      (count) => `<a xmlns="${'u'.repeat(count)}"/>`,
      limits.xmlUriCharacters,
    ],
  ])('apply exactly: %s', (_, document, limit) => {
    expect(parse(document(limit)).root.index).toBe(0);
    expect(() => parse(document(limit + 1))).toThrow(overLimit);
  });

  it.each([
    ['four bytes an element', '<a/>', false],
    ['a dense sheet: twelve bytes an element', '<c><v>1234567890</v></c>', true],
  ])('for two million elements: %s', (_, piece, isTaken) => {
    const elements = (piece.match(/<\w/g) ?? []).length;
    const document = `<r>${piece.repeat(2_000_000 / elements)}</r>`;
    if (isTaken) expect(parse(document).root.index).toBe(0);
    else expect(() => parse(document)).toThrow(overLimit);
  });

  it('apply to the number of different namespace URIs', () => {
    const document = `<a>${many(limits.xmlUris, (i) => `<b xmlns="u:${i}"/>`)}</a>`;
    expect(() => parse(document)).toThrow(overLimit);
  });
});

describe('limits of canonical forms', () => {
  it('allow the deepest document in every method', () => {
    const document = parse(nested(limits.xmlDepth));
    for (const method of canonicalMethods.values()) {
      expect(lengthOf(document, method)).toBe(7 * limits.xmlDepth);
    }
  });

  it('prevent a repeated declaration from exhausting memory', () => {
    const uri = `u:${'x'.repeat(limits.xmlUriCharacters - 2)}`;
    const document = parse(`<a xmlns:p="${uri}">${'<p:b/>'.repeat(40_000)}</a>`);
    expect(lengthOf(document, 'c14n10')).toBeLessThan(1_000_000);
    expect(() => lengthOf(document, 'exc-c14n')).toThrow(overLimit);
  });

  it('allow the longest declaration, fully escaped', () => {
    const quotes = '"'.repeat(limits.xmlUriCharacters - 2);
    const document = parse(`<p:a xmlns:p='u:${quotes}'/>`);
    const expected = `<p:a xmlns:p="u:"></p:a>`.length + quotes.length * '&quot;'.length;
    expect(lengthOf(document, 'exc-c14n')).toBe(expected);
  });

  const leaf = (tags: readonly string[]) => {
    const document = parse(`${tags.join('')}<b/>${'</a>'.repeat(tags.length)}`);
    return document.findAll('', 'b')[0]!;
  };

  it('apply to inherited attributes', () => {
    const tags = (count: number) => Array.from({ length: count }, () => '<a xml:lang="x">');
    expect(lengthOf(leaf(tags(limits.xmlInherited)), 'c14n10')).toBe('<b xml:lang="x"></b>'.length);
    expect(() => lengthOf(leaf(tags(limits.xmlInherited + 1)), 'c14n10')).toThrow(overLimit);
    expect(lengthOf(leaf(tags(limits.xmlInherited + 1)), 'exc-c14n')).toBe('<b></b>'.length);
  });

  it('apply to joined xml:base values', () => {
    const tags = (count: number, base: string) =>
      Array.from({ length: count }, () => `<a xml:base="${base}">`);
    const most = tags(limits.xmlBases, 'a/');
    expect(lengthOf(leaf(most), 'c14n11')).toBe(
      `<b xml:base="${'a/'.repeat(limits.xmlBases)}"></b>`.length,
    );
    expect(() => lengthOf(leaf([...most, ...most]), 'c14n11')).toThrow(overLimit);
    const long = tags(2, 'a'.repeat(limits.xmlBaseBytes / 2 + 1));
    expect(() => lengthOf(leaf(long), 'c14n11')).toThrow(overLimit);
  });
});

/** Work that would take minutes if it grew quadratically with the input. */
describe('a large XML document', () => {
  it('supports looking up many identifiers many times', () => {
    const document = parse(`<a>${many(100_000, (i) => `<b Id="x${i}"/>`)}</a>`);
    for (let i = 0; i < 100_000; i++) {
      if (document.findById(`x${i}`)[0]?.index !== i + 1) throw new Error(`x${i} is missing`);
    }
    expect(document.findById('x100000')).toEqual([]);
  });

  it('supports requesting the first of many children many times', () => {
    const { root } = parse(`<a>${'<b/>'.repeat(200_000)}</a>`);
    for (let i = 0; i < 50_000; i++) root.child('', 'b');
    expect(root.children).toHaveLength(200_000);
    expect(root.text).toBe('');
  });

  it('supports prefix lookups below many declarations and attributes', () => {
    const path = many(
      1_000,
      (i) => `<a xmlns:p${i}="u:${i}" ${many(50, (n) => ` b${n}="${'x'.repeat(100)}"`)}>`,
    );
    const leaves = many(2_000, () => '<p0:c p0:d=""/>');
    const document = parse(`${path}${leaves}${'</a>'.repeat(1_000)}`);
    const found = document.findAll('u:0', 'c');
    expect(found).toHaveLength(2_000);
    for (const element of found) {
      if (element.attribute('d', 'u:0') !== '') throw new Error('the attribute is missing');
      if (element.namespaceOf('p999') !== 'u:999') throw new Error('the prefix is missing');
    }
  });

  it.each([
    ['references', '&lt;', 200_000, '<'],
    ['sections', '<![CDATA[x]]>', 50_000, 'x'],
    ['comments', '<!---->', 100_000, ''],
    ['instructions', '<?p?>', 100_000, ''],
    ['brackets', ']', 2_000_000, ']'],
    ['U+FFFD', '\ufffd', 200_000, '\ufffd'],
  ])('supports text with many %s', (_, piece, count, text) => {
    const { root } = parse(`<a>.${piece.repeat(count)}</a>`);
    expect(root.text === `.${text.repeat(count)}`).toBe(true);
    expect(lengthOf(root, 'c14n10')).toBeGreaterThan(7);
  });

  it('supports many similar names', () => {
    const document = parse(`<a>${many(90_000, (i) => `<n${i.toString(36)}.x/>`)}</a>`);
    expect(document.findAll('', 'n1gn.x')).toHaveLength(1);
  });
});
