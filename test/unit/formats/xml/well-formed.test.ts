import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../src/formats/xml/index.ts';

function codeOf(document: string | Uint8Array): string {
  try {
    parseXml(typeof document === 'string' ? Buffer.from(document) : document);
    return 'accepted';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

const accepted: readonly [what: string, document: string][] = [
  ['an empty tag', '<a/>'],
  ['white space in tags', '<a\n\t\r b = "1"\n></a \n>'],
  ['a byte order mark', '\ufeff<a/>'],
  ['a declaration', '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><a/>'],
  ['a declaration with single quotes', "<?xml version='1.0' encoding='utf-8'?>\n<a/>"],
  ['mark and declaration', '\ufeff<?xml version="1.0"?><a/>'],
  ['comments and instructions around', '<!--a--><?p?>\n<a/>\n<?q r?><!----> '],
  ['comments and instructions inside', '<a><!--b--><?p?>c<![CDATA[d]]></a>'],
  ['a single hyphen in a comment', '<a><!-- a-b - c --></a>'],
  ['brackets in text', '<a>]] > ]> ]]</a>'],
  ['> and quotes in text', '<a>"\'></a>'],
  ['brackets at the end of a section', '<a><![CDATA[]]]]></a>'],
  ['markup in a section', '<a><![CDATA[<b>&c;]]></a>'],
  ['> in values', '<a b=">]]>"/>'],
  ['the other kind of quote in values', `<a b='"' c="'"/>`],
  ['the five entities', '<a b="&lt;&amp;&quot;&apos;&gt;">&lt;&amp;&gt;&quot;&apos;</a>'],
  ['numbers of characters', '<a>&#x41;&#65;&#x10FFFF;&#9;&#xD;&#0000000065;</a>'],
  ['names of all kinds', '<_:ä xmlns:_="u:"><ab-c.d\u00b71 \u{10400}="1"/></_:ä>'],
  ['U+2028 and U+0085 in text', '<a>\u2028\u0085\u00a0</a>'],
  ['characters above U+FFFF', '<a b="\u{1f600}">\u{1f600}\u{10fffd}</a>'],
  ['a name that starts with xml', '<xmla/>'],
  ['an instruction that starts with xml', '<?xml-stylesheet href="a"?><a/>'],
  ['attributes with one local name', '<a xmlns:p="u:1" xmlns:q="u:2" p:b="" q:b="" b=""/>'],
];

const refused: readonly [what: string, document: string][] = [
  ['nothing', ''],
  ['white space only', ' \n'],
  ['text only', 'a'],
  ['text before the root', 'a<a/>'],
  ['text after the root', '<a/>a'],
  ['two roots', '<a/><b/>'],
  ['a section after the root', '<a/><![CDATA[]]>'],
  ['a reference after the root', '<a/>&#32;'],
  ['white space before the declaration', ' <?xml version="1.0"?><a/>'],
  ['a declaration after the root', '<a/><?xml version="1.0"?>'],
  ['version 1.1', '<?xml version="1.1"?><a/>'],
  ['no version', '<?xml encoding="UTF-8"?><a/>'],
  ['another order', '<?xml version="1.0" standalone="yes" encoding="UTF-8"?><a/>'],
  ['a word in the declaration', '<?xml version="1.0" more="1"?><a/>'],
  ['another standalone', '<?xml version="1.0" standalone="maybe"?><a/>'],
  ['a declaration without end', '<?xml version="1.0"'],
  ['a mismatched end tag', '<a></b>'],
  ['a longer end tag', '<a></ab>'],
  ['a shorter end tag', '<ab></a>'],
  ['crossed tags', '<a><b></a></b>'],
  ['an excess end tag', '<a/></a>'],
  ['no end tag', '<a><b/>'],
  ['an end tag with an attribute', '<a></a b="">'],
  ['an end tag without >', '<a></a'],
  ['space before the name', '< a/>'],
  ['space in an empty tag', '<a/ >'],
  ['an empty name', '<></>'],
  ['a name that starts with a digit', '<1a/>'],
  ['a name that starts with a hyphen', '<-a/>'],
  ['a name that starts with a full stop', '<.a/>'],
  ['U+00D7 in a name', '<a\u00d7/>'],
  ['U+0300 first in a name', '<\u0300/>'],
  ['no quotes', '<a b=1/>'],
  ['no value', '<a b/>'],
  ['no space between attributes', '<a b="1"c="2"/>'],
  ['no end of a value', '<a b="1/>'],
  ['< in a value', '<a b="<"/>'],
  ['& in a value', '<a b="&"/>'],
  ['a duplicate attribute', '<a b="1" b="2"/>'],
  ['a bare ampersand', '<a>a & b</a>'],
  ['an unknown entity', '<a>&nbsp;</a>'],
  ['a reference without end', '<a>&amp</a>'],
  ['a reference in upper case', '<a>&#X41;</a>'],
  ['an empty number', '<a>&#;</a>'],
  ['an empty hexadecimal number', '<a>&#x;</a>'],
  ['a letter in a decimal reference', '<a>&#6a;</a>'],
  ['U+0000', '<a>&#0;</a>'],
  ['a control character', '<a>&#1;</a>'],
  ['a surrogate', '<a>&#xD800;</a>'],
  ['U+FFFE as a reference', '<a>&#xFFFE;</a>'],
  ['above U+10FFFF', '<a>&#x110000;</a>'],
  ['an excessively large number', `<a>&#${'9'.repeat(30)};</a>`],
  ['a NUL', '<a>\0</a>'],
  ['a control character in text', '<a>\x0b</a>'],
  ['a control character in a value', '<a b="\x01"/>'],
  ['a control character in a comment', '<a><!--\x02--></a>'],
  ['a control character in a section', '<a><![CDATA[\x03]]></a>'],
  ['a control character in an instruction', '<a><?p \x04?></a>'],
  ['U+FFFE', '<a>\ufffe</a>'],
  ['U+FFFF in a value', '<a b="\uffff"/>'],
  ['U+FFFF in a comment', '<a><!--\uffff--></a>'],
  [']]> in text', '<a>]]></a>'],
  ['two hyphens in a comment', '<a><!-- a--b --></a>'],
  ['a third hyphen at the end', '<a><!-- a---></a>'],
  ['a comment without end', '<a><!-- </a>'],
  ['a section without end', '<a><![CDATA[ </a>'],
  ['an instruction without end', '<a><?p </a>'],
  ['an instruction without name', '<a><? p?></a>'],
  ['an instruction named xml', '<a><?XML ?></a>'],
  ['an instruction with a colon', '<a><?p:q ?></a>'],
  ['an instruction without white space after its target', '<a><?p"?></a>'],
  ['a declaration of markup', '<a><!ELEMENT a></a>'],
  ['a section in lower case', '<a><![cdata[]]></a>'],
  ['a truncated tag', '<a b="1"'],
];

describe('parseXml', () => {
  it.each(accepted)('%s is accepted', (_, document) => {
    expect(codeOf(document)).toBe('accepted');
  });

  it.each(refused)('%s is rejected', (_, document) => {
    expect(codeOf(document)).toBe('xml.invalid');
  });

  it.each([
    ['<!DOCTYPE a><a/>'],
    ['<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "a.dtd"><a/>'],
    ['<!--a--><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['<a/><!DOCTYPE a>'],
  ])('a document type declaration is rejected: %s', (document) => {
    expect(codeOf(document)).toBe('xml.dtd.forbidden');
  });

  it.each([
    ['line 1, column 4', '<a></b>'],
    ['line 3, column 2', '<a>\n<b/>\n &c;</a>'],
    ['line 2, column 13', '<a>\r\n<b c="1" c="2"/></a>'],
  ])('an error states its position: %s', (place, document) => {
    expect(() => parseXml(Buffer.from(document))).toThrow(place);
  });
});

describe('encodings of XML', () => {
  const wide = Buffer.from('<a/>', 'utf16le');
  it.each<[string, Uint8Array]>([
    ['UTF-16 with a byte order mark', Buffer.concat([Buffer.of(0xff, 0xfe), wide])],
    [
      'UTF-16 of the other byte order',
      Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(wide).swap16()]),
    ],
    ['UTF-16 without a byte order mark', wide],
    ['UTF-16 of the other byte order without a byte order mark', Buffer.from(wide).swap16()],
    ['ISO-8859-1 by declaration', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')],
    ['windows-1252 by its bytes', Buffer.from('<a>\xe4</a>', 'latin1')],
    [
      'ASCII with non-ASCII bytes',
      Buffer.from('<?xml version="1.0" encoding="US-ASCII"?><a>ä</a>'),
    ],
    ['an overlong sequence', Buffer.from('<a>\xc0\xbc</a>', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from('<a>\xed\xa0\x80</a>', 'latin1')],
    ['a truncated sequence', Buffer.from('<a>\xe2\x82</a>', 'latin1')],
  ])('%s is rejected', (_, document) => {
    expect(codeOf(document)).toBe('xml.encoding.unsupported');
  });

  it.each([['UTF-8'], ['utf-8'], ['UTF8'], ['US-ASCII'], ['ascii']])('%s is accepted', (name) => {
    expect(codeOf(`<?xml version="1.0" encoding="${name}"?><a/>`)).toBe('accepted');
  });
});
