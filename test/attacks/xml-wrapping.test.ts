import { describe, expect, test } from 'vitest';
import type { XmlSignatureReport } from '../../src/verify/report/report.ts';
import { certificateInfo, check, enveloped, pki, signXml } from '../unit/verify/xml/sign-xml.ts';

// The eight classes of signature wrapping known from SAML. In each, the signed element keeps its
// digest, but a reader that looks for it by its position finds a different one.

const signer = pki.member('signer');
const keyInfo = certificateInfo(signer, pki.member('ca'));
const evilId = ' Id="evil"';

/** A signed Response, or a Response with a signed Assertion, in parts that can be moved. */
interface Parts {
  /** `<Response …>` or `<Assertion …>` without the signature. */
  readonly original: string;
  readonly signature: string;
  readonly signed: string;
  /** The same element with different content and a different Id, or none. */
  readonly evil: (id: string, inside: string) => string;
}

function makeParts(name: 'Response' | 'Assertion', properties: boolean): Parts {
  const before = `<${name} Id="a"><user>alice</user>`;
  const host = name === 'Response' ? [before, '</Response>'] : [before, '</Assertion>'];
  const signed = signXml({
    signer,
    keyInfo,
    properties,
    host: host as [string, string],
    references: [{ id: 'r', uri: '#a', transforms: enveloped }],
  });
  const signature = signed.slice(before.length, -`</${name}>`.length);
  return {
    original: host.join(''),
    signature,
    signed,
    evil: (id, inside) => `<${name}${id}><user>mallory</user>${inside}</${name}>`,
  };
}

const wrap = (inside: string) => `<Response>${inside}</Response>`;
const into = (signature: string, inside: string) =>
  signature.replace('</ds:Signature>', `${inside}</ds:Signature>`);
const object = (inside: string) => `<ds:Object>${inside}</ds:Object>`;

type Attack = (parts: Parts, id: string) => string;

const ofResponse: Readonly<Record<string, Attack>> = {
  'XSW 1: the original inside the signature of an evil root': (p, id) =>
    p.evil(id, into(p.signature, p.original)),
  'XSW 1 with an Object': (p, id) => p.evil(id, into(p.signature, object(p.original))),
  'XSW 2: the original beside the signature in an evil root': (p, id) =>
    p.evil(id, p.original + p.signature),
};

const ofAssertion: Readonly<Record<string, Attack>> = {
  'XSW 3: an evil one before the original': (p, id) => wrap(p.evil(id, '') + p.signed),
  'XSW 4: the original inside an evil one': (p, id) => wrap(p.evil(id, p.signed)),
  'XSW 5: the signature in an evil one, the original behind it': (p, id) =>
    wrap(p.evil(id, p.signature) + p.original),
  'XSW 6: the original in the signature in an evil one': (p, id) =>
    wrap(p.evil(id, into(p.signature, p.original))),
  'XSW 7: an evil one in an extension': (p, id) =>
    wrap(`<Extensions>${p.evil(id, '')}</Extensions>${p.signed}`),
  'XSW 8: the original in an Object of the signature in an evil one': (p, id) =>
    wrap(p.evil(id, into(p.signature, object(p.original)))),
};

function expectHarmless(report: XmlSignatureReport | undefined): void {
  expect(report?.coverage).not.toBe('document');
  if (report?.intact !== true) {
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED', trusted: false });
    return;
  }
  // The covered element is reported by its path: that of the original.
  const codes = report.findings.map(({ code }) => code);
  expect(codes).toContain(`signature.coverage.${report.coverage}`);
  expect(report.references.map(({ scope }) => scope)).not.toContain('document');
}

describe.each([true, false])('signature wrapping, with XAdES: %s', (properties) => {
  const response = makeParts('Response', properties);
  const assertion = makeParts('Assertion', properties);

  test('control: the attacked documents are valid', () => {
    expect(check(response.signed)[0]).toMatchObject({ intact: true, coverage: 'document' });
    expect(check(wrap(assertion.signed))[0]).toMatchObject({ intact: true, coverage: 'partial' });
  });

  const cases = [
    ...Object.entries(ofResponse).map(([name, attack]) => [name, attack, response] as const),
    ...Object.entries(ofAssertion).map(([name, attack]) => [name, attack, assertion] as const),
  ];

  test.each(cases)('%s: is harmless', (_, attack, parts) => {
    for (const id of ['', evilId]) {
      const [report] = check(attack(parts, id));
      expectHarmless(report);
      for (const { target, status } of report?.references ?? []) {
        if (status === 'valid') expect(target).not.toMatch(/evil/);
      }
    }
  });

  test.each(cases)('%s, with the same Id: fails', (_, attack, parts) => {
    const [report] = check(attack(parts, ' Id="a"'));
    expect(report).toMatchObject({ intact: false, indication: 'TOTAL-FAILED', coverage: 'none' });
    expect(report?.subIndication).toBe('FORMAT_FAILURE');
  });

  test.each(['id', 'ID', 'xml:id'])(
    'the same value in the attribute %s counts as the same Id',
    (name) => {
      const [report] = check(wrap(assertion.evil(` ${name}="a"`, '') + assertion.signed));
      expect(report).toMatchObject({ intact: false, subIndication: 'FORMAT_FAILURE' });
    },
  );
});

test('the path of the covered element is reported', () => {
  const { evil, original, signature } = makeParts('Assertion', true);
  const [report] = check(wrap(`${evil('', signature)}<old>${original}</old>`));
  expect(report).toMatchObject({ intact: true, coverage: 'partial' });
  expect(report?.references[0]).toMatchObject({ target: '/Response/old/Assertion' });
});

describe('a signature that occurs twice in the document', () => {
  const everySignature = enveloped.replace(
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>',
    'http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>' +
      'not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>',
  );
  const twice = (properties: boolean) => {
    const references = [{ id: 'r', uri: '', transforms: everySignature }];
    const host = ['<a><b/>', '</a>'] as const;
    const text = signXml({ signer, keyInfo, host, properties, references });
    const signature = text.slice('<a><b/>'.length, -'</a>'.length);
    return check(text.replace(signature, signature + signature));
  };

  test('fails if its references lead to elements that occur twice', () => {
    expect(twice(true)).toMatchObject([
      { indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' },
      { indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' },
    ]);
  });

  test('is reported as a duplicate otherwise', () => {
    for (const report of twice(false)) {
      expect(report.findings).toContainEqual(
        expect.objectContaining({ code: 'signature.duplicate', severity: 'warning' }),
      );
    }
  });
});
