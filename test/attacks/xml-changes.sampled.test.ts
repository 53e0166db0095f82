import { expect, test } from 'vitest';
import { isInnsigliError } from '../../src/base/errors.ts';
import { parseXml, type XmlElement } from '../../src/formats/xml/index.ts';
import type { XmlSignatureReport } from '../../src/verify/report/report.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';
import { append, goodData, stamp, validationValues } from '../unit/verify/xml/extend-xml.ts';
import { certificateInfo, check, enveloped, pki, signXml } from '../unit/verify/xml/sign-xml.ts';

// After any change, either the signature does not verify, or it covers what was signed.

const signer = pki.member('signer');
const keyInfo = certificateInfo(signer, pki.member('ca'));
const host = [
  '<inv xmlns="urn:x" xmlns:y="urn:y" Id="root"><sum y:a="1" b="2">10</sum><!-- c --><p>t &amp; u</p>',
  '</inv>',
] as const;
const sealed = {
  whole: signXml({ signer, host, keyInfo }),
  plain: signXml({ signer, host, keyInfo, properties: false }),
  byId: signXml({
    signer,
    host,
    keyInfo,
    references: [{ id: 'r', uri: '#root', transforms: enveloped }],
  }),
  enveloping: signXml({
    signer,
    keyInfo,
    references: [{ id: 'r', uri: '#o' }],
    objects: '<ds:Object Id="o"><sum>10</sum></ds:Object>',
  }),
  archived: stamp(
    append(stamp(signXml({ signer, host, keyInfo }), 'signature'), validationValues(goodData)),
    'archive141',
  ),
} as const;

const contents = ['<!-- -->', '<?a b?>', '<a/>', '<sum>99</sum>', '1', ' ', '&#49;'];
const attributes = [' Id="root"', ' Id="s"', ' xmlns:z="urn:z"', ' xmlns="urn:q"', ' evil="1"'];

/** Changes of the elements `a` and `b` of a text; positions are numbers from 0 to 1. */
type Change = (elements: readonly XmlElement[], a: XmlElement, b: XmlElement) => Buffer;

const documentBytes = ({ document }: XmlElement) => Buffer.from(document.bytes);
const textOf = (element: XmlElement) =>
  documentBytes(element).subarray(element.startOffset, element.endOffset);

function splice(element: XmlElement, from: number, to: number, put: Uint8Array | string): Buffer {
  const bytes = documentBytes(element);
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(put), bytes.subarray(to)]);
}

const changes: readonly Change[] = [
  (_, a) => splice(a, a.startOffset, a.endOffset, ''),
  (_, a, b) => splice(a, a.startOffset, a.startOffset, textOf(b)),
  (_, a, b) => splice(a, a.contentEnd, a.contentEnd, textOf(b)),
  (_, a, b) => splice(a, a.startOffset, a.endOffset, textOf(b)),
  (_, a) => splice(a, a.startOffset, a.endOffset, `<w>${textOf(a)}</w>`),
  (_, a) => splice(a, a.startOffset, a.endOffset, `<ds:Object>${textOf(a)}</ds:Object>`),
  (_, a) =>
    splice(a, a.startOffset, a.endOffset, documentBytes(a).subarray(a.contentStart, a.contentEnd)),
  (all, a, b) => {
    const at = all.indexOf(b) % contents.length;
    return splice(a, a.contentStart, a.contentStart, contents[at] ?? '');
  },
  (all, a, b) => {
    const at = all.indexOf(b) % contents.length;
    return splice(a, a.endOffset, a.endOffset, contents[at] ?? '');
  },
  (all, a, b) => {
    const at = a.startOffset + 1 + a.name.length;
    return splice(a, at, at, attributes[all.indexOf(b) % attributes.length] ?? '');
  },
  (all, a, b) => {
    const at = a.contentStart + (all.indexOf(b) % Math.max(1, a.contentEnd - a.contentStart));
    return splice(a, at, at + 1, '2');
  },
];

function elementsOf(element: XmlElement): readonly XmlElement[] {
  return [element, ...element.children.flatMap(elementsOf)];
}

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const step = fc.tuple(fc.nat({ max: changes.length - 1 }), place, place);

function applyStep(text: Buffer, [which, at, from]: readonly [number, number, number]): Buffer {
  const all = elementsOf(parseXml(text).root);
  const [a, b] = [at, from].map((each) => all[Math.floor(each * all.length)]);
  const change = changes[which];
  return a === undefined || b === undefined || change === undefined ? text : change(all, a, b);
}

function bytesOf(reports: readonly XmlSignatureReport[]): readonly string[] {
  return reports.flatMap(({ references }) =>
    references.map(({ bytes }) => Buffer.from(bytes ?? []).toString()),
  );
}

test.each(Object.entries(sealed))('%s: whatever still verifies is what was signed', (_, text) => {
  const before = check(text, { includeSignedData: true });
  expect(before).toMatchObject([{ intact: true, trusted: true }]);
  const bytes = bytesOf(before);
  let checked = 0;
  let held = 0;
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
    let reports: readonly XmlSignatureReport[];
    try {
      reports = check(steps.reduce(applyStep, Buffer.from(text)), { includeSignedData: true });
    } catch (error) {
      if (isInnsigliError(error)) return;
      throw error;
    }
    checked++;
    for (const report of reports) {
      if (report.intact) {
        held++;
        expect(bytesOf([report])).toEqual(bytes);
      } else expect(report).toMatchObject({ coverage: 'none', trusted: false });
    }
  });
  fc.assert(property, { numRuns: runs(500), seed: 5 });
  expect(checked).toBeGreaterThan(runs(100));
  expect(held).toBeGreaterThan(runs(5));
});
