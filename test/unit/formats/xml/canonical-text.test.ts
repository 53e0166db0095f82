import { describe, expect, it } from 'vitest';
import {
  canonicalBytes,
  canonicalMethods,
  escapeAttribute,
  escapeText,
  parseXml,
} from '../../../../src/formats/xml/index.ts';

const all = [...canonicalMethods.values()];
const plain = all.filter((method) => !method.endsWith('-comments'));
const withComments = all.filter((method) => method.endsWith('-comments'));

const form = (document: string, method = all[0]!) =>
  Buffer.from(canonicalBytes(parseXml(Buffer.from(document)), method)).toString();

/** Text that all methods write in the same way. */
const rows: readonly [what: string, document: string, canonical: string][] = [
  [
    'the XML declaration is omitted',
    '<?xml version="1.0" encoding="UTF-8"?>\n<a></a>\n',
    '<a></a>',
  ],
  ['the byte order mark is omitted', '\ufeff<a></a>', '<a></a>'],
  ['white space around the root is omitted', ' \n\n<a></a>\r\n\t', '<a></a>'],
  ['empty tags get an end tag', '<a><b/><c /></a>', '<a><b></b><c></c></a>'],
  ['white space in tags is omitted', '<a\n  b = "1"\n>x</a\n>', '<a b="1">x</a>'],
  ['single quotes become double ones', `<a b='1"2'></a>`, '<a b="1&quot;2"></a>'],
  ['an apostrophe stays', `<a b="'&apos;">'&apos;</a>`, `<a b="''">''</a>`],
  [
    'references that are kept',
    '<a b="&lt;&amp;&quot;&#xD;">&lt;&amp;&gt;&#xD;</a>',
    '<a b="&lt;&amp;&quot;&#xD;">&lt;&amp;&gt;&#xD;</a>',
  ],
  ['references that are resolved', '<a>&quot;&apos;&#65;&#x1F600;</a>', '<a>"\'A\u{1f600}</a>'],
  [
    'references as numbers',
    '<a b="&#60;&#38;&#62;">&#60;&#x26;&#62;</a>',
    '<a b="&lt;&amp;>">&lt;&amp;&gt;</a>',
  ],
  [
    'CR as a reference',
    '<a b="&#13;&#xd;">&#13;&#xd;&#x0D;</a>',
    '<a b="&#xD;&#xD;">&#xD;&#xD;&#xD;</a>',
  ],
  ['TAB and LF as references', '<a b="&#9;&#xA;">&#9;&#xA;</a>', '<a b="&#x9;&#xA;">\t\n</a>'],
  ['white space in values', '<a b="1\t2\n3\r4\r\n5"></a>', '<a b="1 2 3 4 5"></a>'],
  ['line ends in text', '<a>1\r\n2\r3\n\r\r\n4</a>', '<a>1\n2\n3\n\n\n4</a>'],
  ['> in text and in values', '<a b=">">></a>', '<a b=">">&gt;</a>'],
  ['a section', '<a><![CDATA[<b>&amp;\r\n\r"]]]></a>', '<a>&lt;b&gt;&amp;amp;\n\n"]</a>'],
  ['an empty section', '<a>1<![CDATA[]]>2</a>', '<a>12</a>'],
  [
    'U+2028, U+0085 and U+00A0 are not white space',
    '<a b="\u2028\u0085">\u2028\u00a0</a>',
    '<a b="\u2028\u0085">\u2028\u00a0</a>',
  ],
  ['instructions inside', '<a><?b  c  d ?><?e?><?f\r\n\tg?></a>', '<a><?b c  d ?><?e?><?f g?></a>'],
  ['an instruction without data', '<a><?b   ?></a>', '<a><?b?></a>'],
  ['an instruction with U+00A0', '<a><?b \u00a0c?></a>', '<a><?b \u00a0c?></a>'],
  ['line ends in instructions', '<a><?b 1\r\n2\r3?></a>', '<a><?b 1\n2\n3?></a>'],
  [
    'instructions around the root',
    '<?b?><?c d?>\n<a></a><?e?> <?f?>',
    '<?b?>\n<?c d?>\n<a></a>\n<?e?>\n<?f?>',
  ],
  [
    'attributes by name',
    '<a c="1" b="2" B="3" a="4" _="5"></a>',
    '<a B="3" _="5" a="4" b="2" c="1"></a>',
  ],
  ['a shorter name first', '<a ab="1" a="2" a-b="3"></a>', '<a a="2" a-b="3" ab="1"></a>'],
  [
    'U+FFFD before U+10400',
    '<a \u{10400}="1" \ufffd="2" \u3001="3"></a>',
    '<a \u3001="3" \ufffd="2" \u{10400}="1"></a>',
  ],
  [
    'attributes by namespace, not prefix',
    '<a xmlns:p="u:2" xmlns:q="u:1" p:a="1" q:b="2" c="3"></a>',
    '<a xmlns:p="u:2" xmlns:q="u:1" c="3" q:b="2" p:a="1"></a>',
  ],
  [
    'namespace and name are compared separately',
    '<a xmlns:p="u:a" xmlns:q="u:ab" p:c="1" q:b="2" p:bb="3"></a>',
    '<a xmlns:p="u:a" xmlns:q="u:ab" p:bb="3" p:c="1" q:b="2"></a>',
  ],
  [
    'xml: attributes in the order of attributes',
    '<a xmlns:p="a:" xml:lang="de" b="1" p:c="2"></a>',
    '<a xmlns:p="a:" b="1" p:c="2" xml:lang="de"></a>',
  ],
];

describe('all canonical forms', () => {
  it.each(rows)('write the same text: %s', (_, document, canonical) => {
    for (const method of plain) expect(form(document, method)).toBe(canonical);
  });

  it.each([
    ['inside', '<a>1<!-- b\r\nc -->2</a>', '<a>12</a>', '<a>1<!-- b\nc -->2</a>'],
    ['around', '<!--b-->\n<a></a> <!--c-->', '<a></a>', '<!--b-->\n<a></a>\n<!--c-->'],
    [
      'with instructions',
      '<!--b--><?c?><a></a><?d?><!--e-->',
      '<?c?>\n<a></a>\n<?d?>',
      '<!--b-->\n<?c?>\n<a></a>\n<?d?>\n<!--e-->',
    ],
  ])('omit or keep comments %s', (_, document, without, shown) => {
    for (const method of plain) expect(form(document, method)).toBe(without);
    for (const method of withComments) expect(form(document, method)).toBe(shown);
  });

  it('omit comments and instructions around an element', () => {
    const { root } = parseXml(Buffer.from('<!--b--><?c?><a><!--d--></a><?e?>'));
    expect(Buffer.from(canonicalBytes(root, 'c14n10-comments')).toString()).toBe('<a><!--d--></a>');
  });
});

describe('escaping', () => {
  it.each([
    ['<>&"\'\r\n\t', '&lt;&gt;&amp;"\'&#xD;\n\t', "&lt;>&amp;&quot;'&#xD;&#xA;&#x9;"],
    ['plain ü', 'plain ü', 'plain ü'],
    ['', '', ''],
  ])('the text %j survives a round trip', (text, asText, asAttribute) => {
    expect(escapeText(text)).toBe(asText);
    expect(escapeAttribute(text)).toBe(asAttribute);
    const { root } = parseXml(
      Buffer.from(`<a b="${escapeAttribute(text)}">${escapeText(text)}</a>`),
    );
    expect([root.text, root.attribute('b')]).toEqual([text, text]);
  });
});
