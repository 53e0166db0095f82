import { describe, expect, test } from 'vitest';
import {
  codes,
  dsig,
  failed,
  first,
  host,
  keyInfo,
  passed,
  signed,
  signer,
} from '../unit/verify/xml/sealed-xml.ts';
import {
  check,
  enveloped,
  exclusive,
  signXml,
  wholeDocument,
} from '../unit/verify/xml/sign-xml.ts';

test('control: the attacked document is valid', () => {
  expect(first(signed)).toMatchObject({ ...passed, coverage: 'document', level: 'B-B' });
});

describe('changes after signing', () => {
  const changes: Readonly<Record<string, (text: string) => string>> = {
    'changed text': (text) => text.replace('>10<', '>11<'),
    'an attribute whose prefix ends in xmlns': (text) =>
      text.replace('<sum>', '<sum xmlns:axmlns="urn:y" axmlns:v="1">'),
    'an attribute whose name begins with xmlns': (text) =>
      text.replace('<sum>', '<sum xmlnsX="1">'),
    'text turned into a processing instruction': (text) => text.replace('>10<', '><?x 10?><'),
    'a different signature next to content': (text) =>
      text.replace('</inv>', `<ds:Signature xmlns:ds="${dsig}"><sum>99</sum></ds:Signature></inv>`),
    'a processing instruction before the root': (text) => `<?evil 1?>${text}`,
    'a processing instruction after the root': (text) => `${text}<?evil 1?>`,
    'an additional element': (text) => text.replace('</inv>', '<sum>99</sum></inv>'),
    'a different default namespace': (text) => text.replace('urn:x', 'urn:z'),
    'a space in an attribute of the properties': (text) =>
      text.replace('2026-06-01T11', '2026-06-01T10'),
  };
  test.each(Object.entries(changes))('fail the signature: %s', (_, change) => {
    const text = change(signed);
    expect(text).not.toBe(signed);
    expect(first(text)).toMatchObject(failed('HASH_FAILURE'));
  });

  test('a document type declaration is rejected', () => {
    const text = `<!DOCTYPE inv [<!ATTLIST sum currency CDATA "ISK">]>${signed}`;
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'xml.dtd.forbidden' }));
  });

  test('a comment that splits a text is reported, and CDATA changes nothing', () => {
    const split = first(signed.replace('>10<', '>1<!-- -->0<'));
    expect(split).toMatchObject(passed);
    expect(codes(split)).toContain('signature.comment.uncovered');
    const between = first(signed.replace('<sum>', '<!-- note --><sum>'));
    expect(codes(between)).not.toContain('signature.comment.uncovered');
    expect(first(signed.replace('>10<', '><![CDATA[10]]><'))).toMatchObject(passed);
  });

  test('a comment within a property value does not change the value', () => {
    const text = signed.replace('2026-06-01T11', '2026-06<!-- -->-01T11');
    expect(first(text)).toMatchObject({ ...passed, claimedTime: '2026-06-01T11:00:00.000Z' });
  });
});

describe('content excluded by an XPath', () => {
  const transforms =
    '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">' +
    `<ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>${exclusive}`;
  const text = signXml({ signer, host, keyInfo, references: [{ ...wholeDocument, transforms }] });

  test('a forged signature that hides content fails by itself', () => {
    expect(first(text)).toMatchObject({ ...passed, coverage: 'document' });
    const hiding = `<ds:Signature xmlns:ds="${dsig}"><sum>99</sum></ds:Signature></inv>`;
    const reports = check(text.replace('</inv>', hiding));
    expect(reports.map(({ indication }) => indication)).toEqual(['TOTAL-PASSED', 'TOTAL-FAILED']);
  });

  test('an Object added to the signature is reported', () => {
    const report = first(text.replace('</ds:Signature>', '<ds:Object>99</ds:Object>$&'));
    expect(codes(report)).toContain('signature.object.uncovered');
  });

  test('a subtracted element makes the coverage partial', () => {
    const filter =
      '<ds:Transform Algorithm="http://www.w3.org/2002/06/xmldsig-filter2"><f:XPath ' +
      'xmlns:f="http://www.w3.org/2002/06/xmldsig-filter2" Filter="subtract">//sum</f:XPath>' +
      '</ds:Transform>';
    const bare = ['<inv><sum>10</sum>', '</inv>'] as const;
    const references = [{ ...wholeDocument, transforms: enveloped.replace(exclusive, filter) }];
    const report = first(signXml({ signer, host: bare, keyInfo, references }));
    expect(report).toMatchObject({ ...passed, coverage: 'partial' });
    expect(report.references[0]).toMatchObject({ target: '/inv without /inv/sum' });
  });

  test('a reference to the text without markup does not cover the document', () => {
    const base64 = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/>';
    const encoded = ['<inv><sum>QUJD</sum>', '</inv>'] as const;
    const transforms = enveloped.replace(exclusive, base64);
    const references = [{ ...wholeDocument, transforms }];
    const report = first(signXml({ signer, host: encoded, keyInfo, references }));
    expect(report).toMatchObject({ intact: true, coverage: 'partial' });
  });
});

describe('structural changes', () => {
  const changes: Readonly<Record<string, (text: string) => string>> = {
    'SignedInfo twice': (text) => text.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/, '$&$&'),
    'SignedInfo in another element': (text) =>
      text.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/, '<w>$&</w>'),
    'no SignedInfo': (text) => text.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/, ''),
    'a value that is no base64': (text) => text.replace(/(<ds:SignatureValue Id="v">)./, '$1!'),
    'base64 of the web': (text) => text.replace(/(<ds:SignatureValue Id="v">)../, '$1-_'),
    'a value with elements inside': (text) => text.replace('</ds:SignatureValue>', '<a/>$&'),
    'text between': (text) => text.replace('</ds:SignedInfo>', '$&x'),
    'an additional element': (text) => text.replace('<ds:SignatureValue', '<evil/>$&'),
    'no method': (text) => text.replace(/<ds:SignatureMethod[^>]*>/, ''),
    'no reference': (text) => text.replace(/<ds:Reference.*<\/ds:Reference>/, ''),
    'more references than limits allow': (text) =>
      text.replace(/<ds:Reference URI="#props".*<\/ds:Reference>/, (each) => each.repeat(10_000)),
    'more transforms than limits allow': (text) =>
      text.replace('</ds:Transforms>', `${exclusive.repeat(16)}</ds:Transforms>`),
    'an unknown canonicalisation': (text) =>
      text.replace(/(<ds:CanonicalizationMethod Algorithm=")[^"]*/, '$1urn:none'),
  };
  test.each(Object.entries(changes))('fail the signature: %s', (_, change) => {
    const text = change(signed);
    expect(text).not.toBe(signed);
    const report = first(text);
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED', intact: false, trusted: false });
    expect(report.coverage).toBe('none');
  });
});

describe('cost', () => {
  test('more signatures than the limit are an error', () => {
    const text = `<a>${`<Signature xmlns="${dsig}"/>`.repeat(4_097)}</a>`;
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'limit.exceeded' }));
  });
});
