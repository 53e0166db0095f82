import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../src/formats/xml/index.ts';

const parse = (text: string) => parseXml(Buffer.from(text));

describe('offsets', () => {
  const text = '\ufeff<?xml version="1.0"?>\n<ä x="1">ü<b/><c  ></c\n></ä>\n';
  const document = parse(text);
  const slice = (start: number, end: number) => document.bytes.subarray(start, end).toString();

  it('are byte positions in the input', () => {
    expect(Buffer.compare(document.bytes, Buffer.from(text))).toBe(0);
    const shown = [document.root, ...document.root.children].map((element) => ({
      all: slice(element.startOffset, element.endOffset),
      tag: slice(element.startOffset, element.contentStart),
      content: slice(element.contentStart, element.contentEnd),
      end: slice(element.contentEnd, element.endOffset),
      isEmptyTag: element.isEmptyTag,
    }));
    expect(shown).toEqual([
      {
        all: '<ä x="1">ü<b/><c  ></c\n></ä>',
        tag: '<ä x="1">',
        content: 'ü<b/><c  ></c\n>',
        end: '</ä>',
        isEmptyTag: false,
      },
      { all: '<b/>', tag: '<b/>', content: '', end: '', isEmptyTag: true },
      { all: '<c  ></c\n>', tag: '<c  >', content: '', end: '</c\n>', isEmptyTag: false },
    ]);
  });

  it('include the end of the prolog', () => {
    expect(slice(0, document.prologEnd)).toBe('\ufeff<?xml version="1.0"?>');
  });
});

describe('the text of an element', () => {
  it.each([
    ['references', '<a>&lt;&#65;&#x1F600;&amp;amp;</a>', '<A\u{1f600}&amp;'],
    ['line ends', '<a>1\r\n2\r3\n4\r\r\n5</a>', '1\n2\n3\n4\n\n5'],
    ['a line end as a reference', '<a>&#13;\n&#xD;&#xA;</a>', '\r\n\r\n'],
    ['sections', '<a>1<![CDATA[<&amp;\r\n]]]]>2</a>', '1<&amp;\n]]2'],
    ['comments and instructions', '<a>1<!-- 2 -->3<?p 4?>5</a>', '135'],
    ['text of children is excluded', '<a>1<b>2<c/></b>3<d/>4</a>', '134'],
    ['an empty tag', '<a/>', ''],
    ['an empty element', '<a></a>', ''],
    ['only CR and LF are line ends', '<a>\u2028\u0085\ufeff</a>', '\u2028\u0085\ufeff'],
    ['long text with everything', `<a>${'ü&gt;\r\n'.repeat(40)}</a>`, 'ü>\n'.repeat(40)],
  ])('is decoded: %s', (_, document, text) => {
    expect(parse(document).root.text).toBe(text);
  });

  it('is only the text directly inside', () => {
    const { root } = parse('<a>1<b>2<c>3</c>4</b>5<b/>6</a>');
    expect(root.text).toBe('156');
    expect(root.children.map(({ text }) => text)).toEqual(['24', '']);
  });
});

describe('attributes', () => {
  it.each([
    ['references', 'a&lt;&#65;&quot;&apos;&#x10400;', 'a<A"\'\u{10400}'],
    ['white space', '1\t2\n3\r4\r\n5', '1 2 3 4 5'],
    ['white space as references', '&#9;&#10;&#13;', '\t\n\r'],
    ['spaces as they are', '  a  b ', '  a  b '],
    ['nothing', '', ''],
    ['more than one loop reads', `${'x'.repeat(50)}&amp;ü`, `${'x'.repeat(50)}&ü`],
  ])('are normalised: %s', (_, written, value) => {
    expect(parse(`<a b="${written}"/>`).root.attribute('b')).toBe(value);
  });

  it('keep their order and names', () => {
    const { root } = parse(`<a z='1'  xmlns:p="u:1" p:y = "2" a="3"/>`);
    expect(root.attributes).toEqual([
      { name: 'z', prefix: '', localName: 'z', namespaceUri: '', value: '1' },
      { name: 'p:y', prefix: 'p', localName: 'y', namespaceUri: 'u:1', value: '2' },
      { name: 'a', prefix: '', localName: 'a', namespaceUri: '', value: '3' },
    ]);
    expect(root.attribute('none')).toBeUndefined();
  });
});

describe('navigation', () => {
  const document = parse(
    '<r xmlns="u:1" xmlns:p="u:2"><a/>x<p:a><b/></p:a><a><p:b/></a><c><c><c/></c></c></r>',
  );
  const { root } = document;

  it('provides children, parents and document order', () => {
    expect(root.children.map(({ name }) => name)).toEqual(['a', 'p:a', 'a', 'c']);
    expect(root.children.map(({ index }) => index)).toEqual([1, 2, 4, 6]);
    expect(root.children[1]!.children[0]!.parent!.parent!.index).toBe(0);
    expect(root.parent).toBeUndefined();
    expect(root.document).toBe(document);
  });

  it('finds elements by name', () => {
    expect(root.child('u:2', 'a')!.index).toBe(2);
    expect(root.child('u:2', 'c')).toBeUndefined();
    expect(root.childrenNamed('u:1', 'a').map(({ index }) => index)).toEqual([1, 4]);
    expect(document.findAll('u:1', 'c').map(({ index }) => index)).toEqual([6, 7, 8]);
    expect(document.findAll('u:2', 'c')).toEqual([]);
    expect(document.findAll('u:9', 'a')).toEqual([]);
    expect(root.children[1]!.is('u:2', 'a')).toBe(true);
    expect(root.children[1]!.is('u:1', 'a')).toBe(false);
    expect([root.children[1]!.prefix, root.children[1]!.localName]).toEqual(['p', 'a']);
  });

  it('tells whether an element contains another', () => {
    const [a, b, , c] = root.children;
    expect(root.contains(c!.children[0]!.children[0]!)).toBe(true);
    expect(c!.contains(c!)).toBe(true);
    expect(a!.contains(b!)).toBe(false);
    expect(b!.contains(a!)).toBe(false);
    expect(c!.children[0]!.contains(c!)).toBe(false);
    expect(root.contains(parse('<r/>').root)).toBe(false);
  });
});

describe('findById', () => {
  const document = parse(
    '<r Id="1"><a ID="2"/><b id="3" ID="3"/><c xml:id="4"/><d x:Id="5" iD="6" xmlns:x="u:"/>' +
      '<e Id="1"/><f Id="&#55;"/><g Id=" 8"/><h Id="ü"/><i Id=""/></r>',
  );
  it.each([
    ['1', [0, 5]],
    ['2', [1]],
    ['3', [2]],
    ['4', [3]],
    ['5', []],
    ['6', []],
    ['7', [6]],
    ['8', []],
    [' 8', [7]],
    ['ü', [8]],
    ['', [9]],
    ['absent', []],
  ])('finds the elements with the identifier «%s»', (id, indexes) => {
    expect(document.findById(id).map(({ index }) => index)).toEqual(indexes);
  });

  it('treats names of Object.prototype like any other', () => {
    expect(document.findById('__proto__')).toEqual([]);
    expect(parse('<a Id="__proto__"/>').findById('__proto__')).toHaveLength(1);
  });
});
