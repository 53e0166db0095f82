/** Small XML documents, each with one feature in which canonical forms and parsers differ. */
export const documents = {
  plain: '<a><b>text</b></a>',
  'empty elements': '<a><b/><c></c><d  /></a>',
  'XML declaration': '<?xml version="1.0" encoding="UTF-8"?>\n<a>text</a>',
  'byte order mark': '\ufeff<a>text</a>',
  'lines of CR LF': '<a>\r\n  <b>one\r\ntwo</b>\r\n</a>',
  'reference to CR': '<a>one&#13;two</a>',
  'CR, LF, tab in an attribute': '<a b="1&#13;2&#10;3&#9;4"/>',
  'markup as references': '<a b="&lt;&amp;&quot;&gt;">&lt;&amp;&gt;&quot;</a>',
  CDATA: '<a>one <![CDATA[<two> & ]]> three</a>',
  'comment in the root': '<a>one<!-- not said -->two</a>',
  'comment before the root': '<!-- before --><a>text</a>',
  'instruction in the root': '<a><?target some data?>text</a>',
  'instruction around the root': '<?before?><a>text</a><?after it?>',
  'white space around the root': '\n\n  <a>text</a>\n\n',
  'single quotes': '<a b=\'it is "so"\'/>',
  'order of attributes': '<a c="3" b="2" a="1"/>',
  'order by namespace': '<a xmlns:y="urn:1" xmlns:x="urn:2" x:a="1" y:b="2" c="3"/>',
  'order by namespaces of which one begins the other':
    '<a xmlns:x="urn:1" xmlns:y="urn:1z" x:zz="1" y:a="2"/>',
  'default namespace': '<a xmlns="urn:1"><b>text</b></a>',
  'default namespace taken back': '<a xmlns="urn:1"><b xmlns="">text</b></a>',
  'default namespace beside a prefixed root': '<p:a xmlns="urn:1" xmlns:p="urn:2"><b/></p:a>',
  prefix: '<p:a xmlns:p="urn:1"><p:b p:c="1"/></p:a>',
  'namespace that nothing uses': '<a xmlns:p="urn:1"><b/></a>',
  'namespace declared twice': '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:1"/></p:a>',
  'prefix bound anew': '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"/></p:a>',
  'prefix that ends in xmlns': '<a xmlns:axmlns="urn:1" axmlns:b="1"/>',
  'prefix with an accent': '<a><þ:b xmlns:þ="urn:1" þ:c="1"/></a>',
  'xml:lang on the root': '<a xml:lang="is"><b>text</b></a>',
  'xml:space on a child': '<a><b xml:space="preserve">  text  </b></a>',
  'letters beyond ASCII': '<a b="ðþæö">漢字 😀</a>',
  'spaces that only JavaScript knows': '<a>\u2028\u00a0<?p \u00a0x?></a>',
  'UBL invoice': `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>1</cbc:ID><cbc:Note languageID="is">Fyrir þjónustu</cbc:Note>
</Invoice>`,
} as const;

/** Name of one of the documents. */
export type DocumentName = keyof typeof documents;
