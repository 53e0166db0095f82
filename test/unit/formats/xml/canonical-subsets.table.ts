import type { CanonicalMethod } from '../../../../src/formats/xml/index.ts';

/** The document whose nodes are selected. */
export const subsetDocument =
  '<!--top--><n:r xmlns:n="urn:n" xmlns="urn:d" xml:lang="en" xml:base="http://h/x/"><n:a xmlns:m="urn:m" m:x="1" b="2" a="&lt;&#9;&amp;"><b xmlns="" xml:base="y/"><c xml:space="preserve" xml:base="z">t&#13;<!--c--><?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e xmlns:m="urn:m2"/><n:f xmlns="urn:g"><g/></n:f></m:d></n:r>';

type SubsetRow = readonly [
  method: CanonicalMethod,
  prefixList: readonly string[],
  expression: string,
  expected: string,
];

/** Canonical forms of the nodes for which an expression is true. xmlsec1 1.2 digests the same. */
export const agreedSubsets: readonly SubsetRow[] = [
  [
    'c14n10',
    [],
    'self::node()',
    '<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n',
    [],
    'self::node()',
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><n:f><g xmlns="urn:g"></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10-comments',
    [],
    'self::node()',
    '<!--top-->\n<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n-comments',
    [],
    'self::node()',
    '<!--top-->\n<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><n:f><g xmlns="urn:g"></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    'self::*',
    '<n:r><n:a><b><c></c></b></n:a><m:d><m:e></m:e><n:f><g></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    'not(self::n:a)',
    '<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"> xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"<b xmlns="" xmlns:m="urn:m" xml:base="y/" xml:lang="en"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b><m:d xmlns:m="urn:m2"><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n',
    [],
    'not(self::n:a)',
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"> a="&lt;&#x9;&amp;" b="2" m:x="1"<b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b><m:d xmlns:m="urn:m2"><m:e></m:e><n:f><g xmlns="urn:g"></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10-comments',
    [],
    'not(self::n:a)',
    '<!--top-->\n<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"> xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"<b xmlns="" xmlns:m="urn:m" xml:base="y/" xml:lang="en"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b><m:d xmlns:m="urn:m2"><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n-comments',
    [],
    'not(self::n:a)',
    '<!--top-->\n<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"> a="&lt;&#x9;&amp;" b="2" m:x="1"<b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b><m:d xmlns:m="urn:m2"><m:e></m:e><n:f><g xmlns="urn:g"></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n',
    ['n'],
    'not(self::n:a or self::b)',
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"> a="&lt;&#x9;&amp;" b="2" m:x="1" xml:base="y/"<c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c><m:d xmlns:m="urn:m2"><m:e></m:e><n:f><g xmlns="urn:g"></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n-comments',
    ['n'],
    'not(self::n:a or self::b)',
    '<!--top-->\n<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"> a="&lt;&#x9;&amp;" b="2" m:x="1" xml:base="y/"<c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c><m:d xmlns:m="urn:m2"><m:e></m:e><n:f><g xmlns="urn:g"></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    'self::c or parent::c',
    '<c xmlns:m="urn:m" xmlns:n="urn:n" xml:base="z" xml:lang="en" xml:space="preserve">t&#xD;<?p i?>u</c>',
  ],
  [
    'c14n11',
    [],
    'self::c or parent::c',
    '<c xmlns:m="urn:m" xmlns:n="urn:n" xml:base="http://h/x/y/z" xml:lang="en" xml:space="preserve">t&#xD;<?p i?>u</c>',
  ],
  [
    'exc-c14n',
    [],
    'self::c or parent::c',
    '<c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c>',
  ],
  [
    'c14n10-comments',
    [],
    'self::c or parent::c',
    '<c xmlns:m="urn:m" xmlns:n="urn:n" xml:base="z" xml:lang="en" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c>',
  ],
  [
    'c14n11-comments',
    [],
    'self::c or parent::c',
    '<c xmlns:m="urn:m" xmlns:n="urn:n" xml:base="http://h/x/y/z" xml:lang="en" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c>',
  ],
  [
    'exc-c14n-comments',
    [],
    'self::c or parent::c',
    '<c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c>',
  ],
  ['exc-c14n', ['n'], 'self::c', '<c></c>'],
  [
    'c14n10',
    [],
    'self::g or self::m:d or self::m:e or parent::m:e',
    '<m:d xml:base="http://h/x/" xml:lang="en"><m:e xmlns="urn:d" xmlns:m="urn:m2" xmlns:n="urn:n"></m:e></m:d>',
  ],
  [
    'exc-c14n',
    [],
    'self::g or self::m:d or self::m:e or parent::m:e',
    '<m:d><m:e xmlns:m="urn:m2"></m:e></m:d>',
  ],
  [
    'c14n10',
    [],
    "name() != 'm' or self::*",
    '<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a><m:d><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10-comments',
    [],
    "name() != 'm' or self::*",
    '<!--top-->\n<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b></n:a><m:d><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    "self::* or parent::* and name() = 'n'",
    '<n:r xmlns:n="urn:n"><n:a><b><c></c></b></n:a><m:d><m:e></m:e><n:f><g></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    'self::b or parent::b or parent::n:a',
    ' xmlns="urn:d" xmlns:m="urn:m" xmlns:n="urn:n" a="&lt;&#x9;&amp;" b="2" m:x="1"<b xmlns:m="urn:m" xmlns:n="urn:n" xml:base="y/" xml:lang="en"><c></c></b>',
  ],
  [
    'exc-c14n',
    ['n'],
    'self::b or parent::b or parent::n:a',
    ' xmlns:n="urn:n" a="&lt;&#x9;&amp;" b="2" m:x="1"<b xmlns:n="urn:n" xml:base="y/"><c></c></b>',
  ],
  [
    'c14n10',
    [],
    'not(self::n:f)',
    '<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e> xmlns="urn:g"<g xmlns="urn:g" xml:base="http://h/x/" xml:lang="en"></g></m:d></n:r>',
  ],
  [
    'exc-c14n',
    [],
    'not(self::n:f)',
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><g xmlns="urn:g"></g></m:d></n:r>',
  ],
  [
    'c14n10-comments',
    [],
    'not(self::n:f)',
    '<!--top-->\n<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e> xmlns="urn:g"<g xmlns="urn:g" xml:base="http://h/x/" xml:lang="en"></g></m:d></n:r>',
  ],
  [
    'exc-c14n-comments',
    [],
    'not(self::n:f)',
    '<!--top-->\n<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><g xmlns="urn:g"></g></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    "not(self::n:f) and name() != ''",
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve"><?p i?></c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><g xml:base="http://h/x/" xml:lang="en"></g></m:d></n:r>',
  ],
  [
    'exc-c14n',
    ['n'],
    "not(self::n:f) and name() != ''",
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns:m="urn:m" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve"><?p i?></c></b></n:a><m:d xmlns:m="urn:m2"><m:e></m:e><g></g></m:d></n:r>',
  ],
  [
    'c14n10',
    [],
    'not(parent::n:r and not(self::*))',
    '<n:r><n:a xmlns="urn:d" xmlns:m="urn:m" xmlns:n="urn:n" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a><m:d xmlns="urn:d" xmlns:m="urn:m2" xmlns:n="urn:n"><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'c14n10-comments',
    [],
    'not(parent::n:r and not(self::*))',
    '<!--top-->\n<n:r><n:a xmlns="urn:d" xmlns:m="urn:m" xmlns:n="urn:n" a="&lt;&#x9;&amp;" b="2" m:x="1"><b xmlns="" xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<!--c--><?p i?>u</c></b></n:a><m:d xmlns="urn:d" xmlns:m="urn:m2" xmlns:n="urn:n"><m:e></m:e><n:f xmlns="urn:g"><g></g></n:f></m:d></n:r>',
  ],
  [
    'exc-c14n',
    [],
    'count(ancestor::*) mod 2 = 0',
    '<n:r> a="&lt;&#x9;&amp;" b="2" m:x="1"<b> xml:base="z" xml:space="preserve"t&#xD;<?p i?>u</b><m:e></m:e><n:f></n:f></n:r>',
  ],
  [
    'exc-c14n-comments',
    [],
    'count(ancestor::*) mod 2 = 0',
    '<!--top-->\n<n:r> a="&lt;&#x9;&amp;" b="2" m:x="1"<b> xml:base="z" xml:space="preserve"t&#xD;<!--c--><?p i?>u</b><m:e></m:e><n:f></n:f></n:r>',
  ],
  [
    'c14n10',
    [],
    'self::g or parent::g or self::n:r or parent::n:r',
    '<n:r xmlns="urn:d" xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a xmlns=""></n:a><m:d xmlns=""></m:d></n:r>',
  ],
  [
    'exc-c14n',
    [],
    'self::g or parent::g or self::n:r or parent::n:r',
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a></n:a><m:d></m:d></n:r>',
  ],
];

/** The same where xmlsec1 deviates from the specifications, with the clause. */
export const clauseSubsets: readonly (readonly [clause: string, ...SubsetRow])[] = [
  [
    'C14N 1.0 \u00a72.4: its own attributes count, in the node-set or not',
    'c14n10',
    [],
    'self::c',
    '<c xml:lang="en"></c>',
  ],
  [
    'C14N 1.1 \u00a72.4: its own attributes count, in the node-set or not',
    'c14n11',
    [],
    'self::c',
    '<c xml:base="http://h/x/y/z" xml:lang="en"></c>',
  ],
  [
    'C14N 1.0 \u00a72.3: a line of its own only beside the document element',
    'c14n10',
    [],
    'self::text() or self::processing-instruction()',
    't&#xD;<?p i?>u',
  ],
  [
    'Exclusive C14N \u00a73: only namespace nodes in the node-set',
    'exc-c14n',
    [],
    "(name() != 'm' or self::*) and not(ancestor-or-self::m:d)",
    '<n:r xmlns:n="urn:n" xml:base="http://h/x/" xml:lang="en"><n:a a="&lt;&#x9;&amp;" b="2" m:x="1"><b xml:base="y/"><c xml:base="z" xml:space="preserve">t&#xD;<?p i?>u</c></b></n:a></n:r>',
  ],
  [
    'XPath 1.0 \u00a75.4: an empty default namespace is no node',
    'c14n10',
    [],
    'parent::b and not(self::*)',
    ' xmlns:m="urn:m" xmlns:n="urn:n" xml:base="y/"',
  ],
  [
    'C14N 1.1 \u00a72.4: the nearest xml:lang around, in the node-set or not',
    'c14n11',
    [],
    "self::n:r or self::b or parent::n:r and name() = 'xml:lang'",
    '<n:r xml:lang="en"><b xml:lang="en"></b></n:r>',
  ],
];
