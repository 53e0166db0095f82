import { describe, expect, it } from 'vitest';
import { joinBases } from '../../../../src/formats/xml/canonical/join-bases.ts';
import {
  type CanonicalMethod,
  canonicalBytes,
  parseXml,
  type XmlElement,
} from '../../../../src/formats/xml/index.ts';

/** The form of the innermost first child. */
function formOfLeaf(document: string, method: CanonicalMethod): string {
  let element: XmlElement = parseXml(Buffer.from(document)).root;
  while (element.children[0] !== undefined) element = element.children[0];
  return Buffer.from(canonicalBytes(element, method)).toString();
}

describe('xml: attributes of ancestors', () => {
  it.each<[string, string, string, string]>([
    [
      'lang and space are inherited',
      '<a xml:lang="de" xml:space="preserve"><b/></a>',
      '<b xml:lang="de" xml:space="preserve"></b>',
      '<b xml:lang="de" xml:space="preserve"></b>',
    ],
    [
      'the nearest takes precedence',
      '<a xml:lang="de"><c xml:lang="en"><b/></c></a>',
      '<b xml:lang="en"></b>',
      '<b xml:lang="en"></b>',
    ],
    [
      "the element's own takes precedence",
      '<a xml:lang="de"><b xml:lang=""/></a>',
      '<b xml:lang=""></b>',
      '<b xml:lang=""></b>',
    ],
    [
      'version 1.1 does not inherit the id',
      '<a xml:id="x"><b/></a>',
      '<b xml:id="x"></b>',
      '<b></b>',
    ],
    [
      'version 1.1 does not inherit others',
      '<a xml:x="1"><b/></a>',
      '<b xml:x="1"></b>',
      '<b></b>',
    ],
    [
      'among own attributes',
      '<a xml:lang="&lt;"><b a="" xml:a=""/></a>',
      '<b a="" xml:a="" xml:lang="&lt;"></b>',
      '<b a="" xml:a="" xml:lang="&lt;"></b>',
    ],
    [
      'quotes',
      `<a xml:lang='"&#9;'><b/></a>`,
      '<b xml:lang="&quot;&#x9;"></b>',
      '<b xml:lang="&quot;&#x9;"></b>',
    ],
    [
      'a base',
      '<a xml:base="http://h/x/y"><b/></a>',
      '<b xml:base="http://h/x/y"></b>',
      '<b xml:base="http://h/x/y"></b>',
    ],
    [
      'bases are joined in version 1.1',
      '<a xml:base="http://h/x/y"><c xml:base="z/"><b xml:base="../w"/></c></a>',
      '<b xml:base="../w"></b>',
      '<b xml:base="http://h/x/w"></b>',
    ],
    [
      'relative bases stay relative',
      '<a xml:base="../x/"><b xml:base="../../y"/></a>',
      '<b xml:base="../../y"></b>',
      '<b xml:base="../../y"></b>',
    ],
    [
      'an empty one changes nothing',
      '<a xml:base="x/y"><b xml:base=""/></a>',
      '<b xml:base=""></b>',
      '<b xml:base="x/y"></b>',
    ],
  ])('are inherited as each form requires: %s', (_, document, first, second) => {
    expect(formOfLeaf(document, 'c14n10')).toBe(first);
    expect(formOfLeaf(document, 'c14n11')).toBe(second);
    expect(formOfLeaf(document, 'c14n11-comments')).toBe(second);
  });

  it('are not inherited in the exclusive forms', () => {
    const document = '<a xml:lang="de" xml:base="x"><b xml:base="y"/></a>';
    expect(formOfLeaf(document, 'exc-c14n')).toBe('<b xml:base="y"></b>');
  });

  it('are not inherited by the root and by nested elements', () => {
    const { root } = parseXml(Buffer.from('<a xml:lang="de" xml:base=""><b xml:base="x"/></a>'));
    for (const method of ['c14n10', 'c14n11'] as const) {
      expect(Buffer.from(canonicalBytes(root, method)).toString()).toBe(
        '<a xml:base="" xml:lang="de"><b xml:base="x"></b></a>',
      );
    }
  });
});

describe('joining xml:base values', () => {
  // The reference resolution of RFC 3986 §5.4, without fragments.
  const normal = 'http://a/b/c/d;p?q';
  it.each([
    ['g', 'http://a/b/c/g'],
    ['./g', 'http://a/b/c/g'],
    ['g/', 'http://a/b/c/g/'],
    ['/g', 'http://a/g'],
    ['//g', 'http://g'],
    ['?y', 'http://a/b/c/d;p?y'],
    ['g?y', 'http://a/b/c/g?y'],
    ['g?y#s', 'http://a/b/c/g?y'],
    ['', 'http://a/b/c/d;p?q'],
    ['.', 'http://a/b/c/'],
    ['./', 'http://a/b/c/'],
    ['..', 'http://a/b/'],
    ['../g', 'http://a/b/g'],
    ['../..', 'http://a/'],
    ['../../g', 'http://a/g'],
    ['../../../g', 'http://a/g'],
    ['/../g', 'http://a/g'],
    ['g.', 'http://a/b/c/g.'],
    ['..g', 'http://a/b/c/..g'],
    ['./g/.', 'http://a/b/c/g/'],
    ['g/../h', 'http://a/b/c/h'],
    ['g:h', 'g:h'],
  ])('resolves «%s» against an absolute base', (inner, joined) => {
    expect(joinBases(normal, inner)).toBe(joined);
  });

  // Canonical XML 1.1 §2.4: relative bases stay relative, and leading `..` segments are kept.
  it.each([
    ['a/b/c', '../d', 'a/d'],
    ['a', '../b', '../b'],
    ['a/', '../../b', '../b'],
    ['../a', '../../b', '../../../b'],
    ['..', 'a', '../a'],
    ['../..', '../a', '../../../a'],
    ['a/', '..', ''],
    ['a', '..', '../'],
    ['a//b', 'c', 'a/c'],
    ['/a/b', 'c', '/a/c'],
    ['', 'a', 'a'],
    ['a/b?c', '', 'a/b?c'],
  ])('joins «%s» and «%s»', (outer, inner, joined) => {
    expect(joinBases(outer, inner)).toBe(joined);
  });
});
