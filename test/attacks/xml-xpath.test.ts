import { describe, expect, test } from 'vitest';
import { cpuMs } from '../support/cpu-time.ts';
import { codes, first, keyInfo, passed, signer } from '../unit/verify/xml/sealed-xml.ts';
import { check, enveloped, exclusive, signXml } from '../unit/verify/xml/sign-xml.ts';

// An XPath transform is a program written by the signer: it may exclude visible content. The
// remaining nodes determine the coverage, and the report names the excluded ones.

const host = [
  '<inv xmlns:p="urn:p"><sum currency="EUR">100</sum><?page odd?><note xml:lang="en">two<b/>texts</note>',
  '</inv>',
] as const;
const others = 'not(ancestor-or-self::ds:Signature)';
const xpath = (expression: string) =>
  '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">' +
  `<ds:XPath>${expression.replaceAll('<', '&lt;')}</ds:XPath></ds:Transform>`;
const filter = (operation: string, path: string) =>
  '<ds:Transform Algorithm="http://www.w3.org/2002/06/xmldsig-filter2"><f:XPath ' +
  `xmlns:f="http://www.w3.org/2002/06/xmldsig-filter2" Filter="${operation}">${path}</f:XPath>` +
  '</ds:Transform>';

const sign = (transform: string, form = exclusive, around: readonly [string, string] = host) =>
  signXml({
    signer,
    host: around,
    keyInfo,
    references: [{ id: 'r', uri: '', transforms: transform + form }],
  });

describe('an XPath that excludes content makes the coverage partial', () => {
  test.each([
    ['an attribute', xpath(`${others} and name() != 'currency'`), 'the attribute currency of'],
    [
      'all attributes',
      xpath(`${others} and count(.|../@*) != count(../@*)`),
      'currency of /inv/sum',
    ],
    ['a text', xpath(`${others} and not(self::text() and parent::sum)`), 'text in /inv/sum'],
    ['a part of a text', xpath(`${others} and not(. = 'texts')`), 'text in /inv/note'],
    ['the tags of an element', xpath(`${others} and not(self::sum)`), 'the tags of /inv/sum'],
    ['an element', xpath(`${others} and not(ancestor-or-self::sum)`), 'without /inv/sum'],
    [
      'an element by its text',
      xpath(`${others} and not(ancestor-or-self::sum[. = 100])`),
      '/inv/sum',
    ],
    ['an empty element', xpath(`${others} and not(self::b)`), 'the tags of /inv/note/b'],
    [
      'an instruction',
      xpath(`${others} and not(self::processing-instruction())`),
      'instruction in',
    ],
    [
      'a namespace',
      xpath(`${others} and (self::* or parent::*/@* or name() != 'p')`),
      'a namespace of /inv',
    ],
    ['what is no element', xpath(`${others} and self::*`), 'currency of /inv/sum'],
    ['a subtree by a filter', filter('subtract', '//ds:Signature | //sum'), 'without /inv/sum'],
    ['an attribute by a filter', filter('subtract', '//ds:Signature | //@currency'), 'currency of'],
    ['all but subtrees', filter('intersect', '//sum | //note'), 'the tags of /inv'],
  ])('excluding %s is reported, with its name', (_, transform, told) => {
    const text = sign(transform);
    const report = first(text);
    expect(report).toMatchObject({ ...passed, coverage: 'partial' });
    const partial = report.findings.find(({ code }) => code === 'signature.coverage.partial');
    expect(partial?.message).toContain(told);
  });
});

test('after earlier transforms, every excluded part is named', () => {
  const [b, note] = ['b', 'note'].map((name) => xpath(`not(ancestor-or-self::${name})`));
  const report = first(sign(`${enveloped}${exclusive}${b}${note}`));
  expect(report).toMatchObject({ ...passed, coverage: 'partial' });
  expect(report.references[0]?.target).toBe('/inv without /inv/note/b, /inv/note');
});

describe('an XPath that excludes only signatures covers the document', () => {
  const whole: Readonly<Record<string, string>> = {
    'by local name': xpath("not(ancestor-or-self::*[local-name() = 'Signature'])"),
    'its own signature': xpath(
      'count(ancestor-or-self::ds:Signature | here()/ancestor::ds:Signature[1]) > ' +
        'count(ancestor-or-self::ds:Signature)',
    ),
    'and a condition that nothing fulfils': xpath(`${others} and not(ancestor-or-self::hidden)`),
    'node by node': xpath('count(ancestor-or-self::node()[self::ds:Signature]) = 0'),
    'by a filter': filter('subtract', '/*/*[local-name() = &quot;Signature&quot;]'),
    'by its place': filter('subtract', '/inv/*[last()]'),
  };

  test.each(Object.entries(whole))('%s: no change passes', (_, transform) => {
    const text = sign(transform);
    expect(first(text)).toMatchObject({ ...passed, coverage: 'document' });
    for (const change of ['EUR', '100', 'page', 'odd', 'note', 'en"', 'two', '<b/>', 'texts']) {
      const changed = text.replace(change, change === '<b/>' ? '<c/>' : `x${change}`);
      const reports = check(
        changed.includes('xnote') ? changed.replace('/note', '/xnote') : changed,
      );
      expect(reports[0]?.indication, change).toBe('TOTAL-FAILED');
    }
  });

  test('content that is added and excluded by the condition is named', () => {
    const text = sign(whole['and a condition that nothing fulfils'] as string);
    const report = first(text.replace('<?page', '<hidden><sum>9</sum></hidden>$&'));
    expect(report).toMatchObject({ ...passed, coverage: 'partial' });
    expect(report.references[0]).toMatchObject({ target: '/inv without /inv/hidden' });
  });

  test('a foreign Signature excluded by its local name is named', () => {
    const text = sign(whole['by local name'] as string);
    const report = first(text.replace('<?page', '<p:Signature><sum>9</sum></p:Signature>$&'));
    expect(report).toMatchObject({ ...passed, coverage: 'partial' });
    expect(report.references[0]).toMatchObject({ target: '/inv without /inv/p:Signature' });
  });

  test('an element excluded by its position fails the signature if the signature is moved', () => {
    const text = sign(whole['by its place'] as string);
    const signature = text.slice(text.indexOf('<ds:Signature'), text.indexOf('</inv>'));
    const moved = text.replace(signature, '').replace('<?page', () => `${signature}<?page`);
    expect(first(moved)).toMatchObject({ indication: 'TOTAL-FAILED' });
  });

  test('an excluded element within a text is reported', () => {
    const text = sign(whole['and a condition that nothing fulfils'] as string);
    const report = first(text.replace('100', '1<hidden/>00'));
    expect(codes(report)).toContain('signature.text.split');
  });
});

describe('an XPath that selects nothing', () => {
  test.each([
    ['false()', xpath('false()')],
    ['nobody', xpath('self::nobody')],
    ['a filter', filter('intersect', '//nobody')],
  ])('%s is no signature over data', (_, transform) => {
    const report = first(sign(transform));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      coverage: 'none',
    });
    expect(report.references[0]).toMatchObject({ scope: 'nothing', status: 'valid' });
    expect(codes(report)).toContain('signature.data.none');
  });

  test('is harmless next to a reference that covers the document', () => {
    const references = [
      { id: 'r', uri: '', transforms: enveloped },
      { id: 'n', uri: '', transforms: xpath('false()') + exclusive },
    ];
    const report = first(signXml({ signer, host, keyInfo, references }));
    expect(report).toMatchObject({ ...passed, coverage: 'document' });
  });
});

describe('comments', () => {
  const withComments = exclusive.replace('c14n#', 'c14n#WithComments');
  const splitting = ['<inv><sum>1<!-- -->00</sum>', '</inv>'] as const;

  // XML-Signature §4.4.3.3: URI="" excludes comments, whatever canonical form follows.
  test.each([
    ['of a reference that leaves them out', ''],
    ['that the XPath leaves out', '#xpointer(/)'],
  ])('%s split the text, although the canonical form would include them', (_, uri) => {
    const condition = uri === '' ? others : `${others} and not(self::comment())`;
    const references = [{ id: 'r', uri, transforms: xpath(condition) + withComments }];
    const report = first(signXml({ signer, host: splitting, keyInfo, references }));
    expect(report).toMatchObject(passed);
    expect(codes(report)).toContain('signature.comment.uncovered');
  });

  test('that are digested split nothing', () => {
    const references = [{ id: 'r', uri: '#xpointer(/)', transforms: xpath(others) + withComments }];
    const report = first(signXml({ signer, host: splitting, keyInfo, references }));
    expect(report).toMatchObject({ ...passed, coverage: 'document' });
    expect(codes(report)).not.toContain('signature.comment.uncovered');
  });
});

test('an endless XPath expression leaves the signature INDETERMINATE within bounded time', () => {
  const lines = '<a>1</a>'.repeat(20_000);
  const plain = sign(xpath(others), exclusive, [`<inv>${lines}`, '</inv>']);
  for (const costly of [
    'count(preceding::node()) != 3',
    '//a[. = 1]/preceding::a[. = 2]',
    "contains(concat(/, /, /), concat('§', '§')) or string-length(..) > string-length(/)",
    'count(//a[count(..//a[count(..//a) > 2]) > 2]) > 2',
  ]) {
    const started = cpuMs();
    const report = first(plain.replace(others, costly.replaceAll('<', '&lt;')));
    const { status, message } = report.references[0] ?? {};
    expect({ costly, status }).toEqual({ costly, status: 'refused' });
    expect(report).toMatchObject({ indication: 'INDETERMINATE', intact: false });
    expect(message).toMatch(/XPath .*(?:steps|nodes|characters)/);
    expect(cpuMs() - started).toBeLessThan(4_000);
  }
});

test('a long row of excluded elements is visited once', () => {
  const row = '<a>1</a>'.repeat(20_000);
  const text = sign(xpath(`${others} and not(ancestor-or-self::a)`), exclusive, [
    `<inv>${row}`,
    '</inv>',
  ]);
  const started = cpuMs();
  expect(first(text)).toMatchObject({ ...passed, coverage: 'partial' });
  expect(cpuMs() - started).toBeLessThan(2_000);
});
