import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../../../src/base/errors.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import {
  createReferenceBudget,
  feedReference,
  namespaces,
} from '../../../../src/formats/xmldsig/index.ts';
import { referenceBytes } from '../../../support/reference-bytes.ts';
import {
  answerOf,
  base64,
  c14n10,
  describeAnswer,
  enveloped,
  exclusive,
  parseSigned,
  referenceText,
  sha256,
  signatureText,
  transformText,
} from './signature-text.ts';

const withComments = `${c14n10}#WithComments`;
/** A document around a signature with one reference. */
const host = (reference: string, objects = '') =>
  `<?p i?><r xmlns="urn:r"><a Id="a" b='1'>x<!--c--></a>${signatureText(reference, objects)}</r><!--e-->`;
const rest = '<r xmlns="urn:r"><a Id="a" b="1">x</a></r>';
const restCommented = '<r xmlns="urn:r"><a Id="a" b="1">x<!--c--></a></r>';
const element = '<a xmlns="urn:r" Id="a" b="1">x</a>';
const elementCommented = '<a xmlns="urn:r" Id="a" b="1">x<!--c--></a>';
const envelopedText = transformText(enveloped);
const plain = transformText(exclusive);
const commented = transformText(withComments);

describe('the data of a reference', () => {
  test.each([
    ['the document', '', envelopedText + plain, `<?p i?>\n${rest}`],
    ['the document without a named canonical form', '', envelopedText, `<?p i?>\n${rest}`],
    ['the document drops comments', '', envelopedText + commented, `<?p i?>\n${rest}`],
    [
      'the root as XPointer keeps comments',
      '#xpointer(/)',
      envelopedText + commented,
      `<?p i?>\n${restCommented}\n<!--e-->`,
    ],
    ['the root as XPointer, plain form', '#xpointer(/)', envelopedText, `<?p i?>\n${rest}`],
    ['an element', '#a', plain, element],
    ['an element drops comments', '#a', commented, element],
    ['an element as XPointer keeps comments', "#xpointer(id('a'))", commented, elementCommented],
    ['an XPointer with double quotes', '#xpointer(id(&quot;a&quot;))', commented, elementCommented],
    ['an element beside the signature that is removed', '#a', envelopedText + plain, element],
    ['one form after another: bytes are parsed again', '#a', plain + commented, element],
    ['no transforms', '#a', '', element],
  ])('is digested as expected: %s', (_, uri, transforms, expected) => {
    expect(answerOf(host(referenceText(uri, transforms)))).toBe(expected);
  });

  test.each([
    ['an unknown Id', '#b', plain, 'missing: #b'],
    ['an empty fragment', '#', plain, 'missing: #'],
    ['a file that was not supplied', 'f.txt', '', 'missing: f.txt'],
    [
      'another XPointer',
      "#xpointer(id('a')/b)",
      plain,
      'refused: an XPointer of an unsupported form',
    ],
    ['an element pointer', '#element(/1)', plain, 'refused: an XPointer of an unsupported form'],
  ])('is missing or refused: %s', (_, uri, transforms, expected) => {
    expect(answerOf(host(referenceText(uri, transforms)))).toBe(expected);
  });

  test.each([
    'http://www.w3.org/TR/1999/REC-xslt-19991116',
    'http://www.w3.org/2000/09/xmldsig#Manifest',
    'urn:unknown',
    'constructor',
  ])('is refused with the transform %s', (uri) => {
    expect(answerOf(host(referenceText('', transformText(uri))))).toMatch(
      /^refused: the transform/,
    );
  });

  test('is refused for a duplicate Id, unless that Id is not referenced', () => {
    const twice = (uri: string) =>
      `<r><a Id="a"/><b><c id="a"/></b><d Id="d"/>${signatureText(referenceText(uri))}</r>`;
    expect(answerOf(twice('#a'))).toMatch(/^refused: 2 elements/);
    expect(answerOf(twice('#d'))).toBe('<d Id="d"></d>');
  });

  test('is refused inside the signature that the transform removes', () => {
    const object = '<ds:Object Id="o"><x>1</x></ds:Object>';
    const inside = referenceText('#o', envelopedText + plain);
    expect(answerOf(host(inside, object))).toMatch(
      /^refused: (?:nothing remains|the filter leaves nothing)/,
    );
    expect(answerOf(signatureText(referenceText('', envelopedText)))).toMatch(/^refused: nothing/);
    expect(answerOf(host(referenceText('#o', plain), object))).toBe(
      `<ds:Object xmlns:ds="${namespaces.dsig}" Id="o"><x xmlns="urn:r">1</x></ds:Object>`,
    );
  });

  test('excludes only the signature itself', () => {
    const other = signatureText(referenceText('#a'), '', ' Id="other"');
    const text = `<r>${signatureText(referenceText('', envelopedText))}<a Id="a"/>${other}</r>`;
    const answer = answerOf(text);
    expect(answer).toContain('Id="other"');
    expect(answer).toMatch(/^<r><a Id="a"><\/a><ds:Signature/);
  });

  test('can be canonicalised exclusively with a prefix list', () => {
    const list = `<e:InclusiveNamespaces xmlns:e="${exclusive}" PrefixList="q #default"/>`;
    const text = `<r xmlns="urn:r" xmlns:q="urn:q"><p:a xmlns:p="urn:p" Id="a"/>${signatureText(
      referenceText('#a', transformText(exclusive, list)),
    )}</r>`;
    expect(answerOf(text)).toBe('<p:a xmlns="urn:r" xmlns:p="urn:p" xmlns:q="urn:q" Id="a"></p:a>');
  });

  test('is refused with a relative namespace URI', () => {
    const text = `<r><a Id="a" xmlns="ns"/>${signatureText(referenceText('#a'))}</r>`;
    expect(answerOf(text)).toMatch(/^refused: the namespace URI/);
  });
});

describe('the base64 transform', () => {
  const decode = transformText(base64);
  test.each([
    ['text of an element', '<o Id="o"> aGVs\nbG8= </o>', 'hello'],
    [
      'text of elements inside',
      '<o Id="o"><p q="&lt;>">aGVs</p><?i "?><!--x-->bG8=<![CDATA[]]></o>',
      'hello',
    ],
    ['references', '<o Id="o">aGVs&#13;&#98;G8=</o>', 'hello'],
    ['nothing', '<o Id="o"/>', ''],
  ])('decodes %s', (_, object, expected) => {
    expect(answerOf(`<r>${object}${signatureText(referenceText('#o', decode))}</r>`)).toBe(
      expected,
    );
  });

  test.each(['<o Id="o">aGVsbG8</o>', '<o Id="o">aGV&amp;</o>', '<o Id="o">a<p>*</p>GVs</o>'])(
    'rejects %s',
    (object) => {
      const text = `<r>${object}${signatureText(referenceText('#o', decode))}</r>`;
      expect(answerOf(text)).toBe('refused: the text to decode is not base64');
    },
  );

  test('decodes the whole document without the signature', () => {
    const text = `<r>aGVs${signatureText(referenceText('', envelopedText + decode))}<s>bG8=</s></r>`;
    expect(answerOf(text)).toBe('hello');
  });
});

describe('a referenced file', () => {
  const files = {
    'a.xml': '<?xml version="1.0"?>\n<a  b="1"/>',
    'b.txt': 'no xml <',
    '': 'unnamed',
  };
  test.each([
    ['unchanged bytes', 'a.xml', '', files['a.xml']],
    ['parsed for a canonical form', 'a.xml', plain, '<a b="1"></a>'],
    ['no attribute URI', undefined, '', 'unnamed'],
  ])('is found: %s', (_, uri, transforms, expected) => {
    expect(answerOf(host(referenceText(uri, transforms)), files)).toBe(expected);
  });

  test.each([
    ['malformed XML', 'b.txt', plain],
    ['a file that does not contain the signature', 'a.xml', envelopedText],
  ])('is refused: %s', (_, uri, transforms) => {
    expect(answerOf(host(referenceText(uri, transforms)), files)).toMatch(/^refused: /);
  });

  test('with a document type declaration is refused', () => {
    const text = host(referenceText('d.xml', plain));
    expect(answerOf(text, { 'd.xml': '<!DOCTYPE a><a/>' })).toMatch(/^refused: .*document type/);
  });
});

describe('a signature in a separate fragment', () => {
  const fragment = (reference: string) =>
    parseSigned(signatureText(reference, '<ds:Object Id="o"><x xmlns="">1</x></ds:Object>'));
  const document = parseXml(Buffer.from('<r><a Id="a">1</a><o Id="twice"/></r>'));
  const bytesOf = (reference: string) => {
    const { signature } = fragment(reference);
    const [first] = signature.signedInfo.references;
    if (first === undefined) throw new Error('a reference');
    const answer = referenceBytes(first, { document, signature: signature.element });
    return 'bytes' in answer ? Buffer.from(answer.bytes).toString() : describeAnswer(answer);
  };

  test('resolves references in both documents, as if it were spliced in', () => {
    const whole = referenceText('', envelopedText + plain);
    expect(bytesOf(whole)).toBe('<r><a Id="a">1</a><o Id="twice"></o></r>');
    expect(bytesOf(referenceText('#a', plain))).toBe('<a Id="a">1</a>');
    const inside = referenceText('#o', plain);
    const spliced = answerOf(
      `<r><a Id="a">1</a>${signatureText(inside, '<ds:Object Id="o"><x xmlns="">1</x></ds:Object>')}</r>`,
    );
    expect(bytesOf(inside)).toBe(spliced);
  });

  test('rejects an Id as ambiguous that occurs in both', () => {
    const { signature } = parseSigned(signatureText(referenceText('#a'), '<ds:Object Id="a"/>'));
    const [first] = signature.signedInfo.references;
    const answer =
      first && feedReference(first, { document, signature: signature.element }, () => {});
    expect(answer).toEqual({ refused: '2 elements have the referenced Id' });
  });
});

describe('the scope of a reference', () => {
  test('names the target and the excluded elements', () => {
    const { signature, context, document } = parseSigned(
      host(referenceText('', envelopedText + plain)),
    );
    const [reference] = signature.signedInfo.references;
    const answer = reference && referenceBytes(reference, context);
    if (answer === undefined || !('scope' in answer)) throw new Error('bytes');
    expect(answer.scope.target).toBe(document);
    expect(answer.scope.excluded.map(({ index }) => index)).toEqual([signature.element.index]);
  });
});

describe('the cost of references', () => {
  test('does not include a copy of a large document, which is digested in chunks', () => {
    const line = '<l>some text of an invoice</l>'.repeat(100_000);
    const { signature, context } = parseSigned(
      `<r>${line}${signatureText(referenceText('', envelopedText + plain))}</r>`,
    );
    const [reference] = signature.signedInfo.references;
    if (reference === undefined) throw new Error('a reference');
    const hash = createHash('sha256');
    let copied = 0;
    const answer = feedReference(reference, context, (piece) => {
      if (piece.buffer !== context.document.bytes.buffer) copied = Math.max(copied, piece.length);
      hash.update(piece);
    });
    expect('scope' in answer).toBe(true);
    expect(hash.digest('hex')).toBe(sha256(`<r>${line}</r>`));
    expect(copied).toBeLessThan(1_000_000);
  });

  test('is limited to a fixed part plus 32 times the size, each file counted once', () => {
    const document = parseXml(Buffer.from('<r/>'));
    const lengthBytes = 32 * 1024 * 1024 + 32 * 4;
    const budget = createReferenceBudget(document);
    budget.spend(lengthBytes);
    expect(() => budget.spend(1)).toThrowError(expect.objectContaining({ code: 'xml.limit' }));
    const file = new Uint8Array(10);
    const other = createReferenceBudget(document);
    other.grant(file);
    other.grant(file);
    other.spend(lengthBytes + 320);
    expect(() => other.spend(1)).toThrow(/more bytes/);
  });

  test('leads to refusals once the budget is spent', () => {
    const { signature, context } = parseSigned(
      `<r Id="r">${'<x/>'.repeat(1000)}${signatureText(referenceText('#r').repeat(9))}</r>`,
    );
    let left = 60_000;
    const budget = {
      spend(lengthBytes: number) {
        left -= lengthBytes;
        if (left < 0) throw new InnsigliError('xml.limit', 'spent');
      },
      step() {},
      grant() {},
    };
    const answers = signature.signedInfo.references.map((reference) =>
      describeAnswer(feedReference(reference, { ...context, budget }, () => {})),
    );
    expect(answers[0]).toBe('found');
    expect(answers.at(-1)).toBe('refused: spent');
    // An empty tag is longer in canonical form: written bytes count, not read ones.
    expect(answers.filter((answer) => answer === 'found').length).toBeLessThan(7);
  });
});
