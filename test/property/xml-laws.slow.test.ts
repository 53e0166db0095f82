import { describe, expect, it } from 'vitest';
import { generateDocument } from '../../scripts/xml-fuzz/generate.ts';
import { mutate } from '../../scripts/xml-fuzz/mutate.ts';
import { createRandom } from '../../scripts/xml-fuzz/random.ts';
import { runFuzz } from '../../scripts/xml-fuzz/run.ts';
import {
  type CanonicalMethod,
  canonicalBytes,
  canonicalize,
  canonicalMethods,
  parseXml,
  type XmlDocument,
  type XmlElement,
} from '../../src/formats/xml/index.ts';
import { fc } from '../support/property.ts';

/**
 * Around an element, with other prefixes and `xml:` attributes; a default namespace would change
 * it.
 */
const hostStart = Buffer.from(
  '<h:x xmlns:h="urn:h" xmlns:a="urn:host:a" xmlns:b="urn:host:b" xml:lang="en" xml:base="h/">',
);

const methods = [...canonicalMethods.values()];
const seeds = fc.integer({ min: 0, max: 0x7fff_ffff });

/** The document of a seed. Undefined if it is rejected. */
function documentOf(seed: number): XmlDocument | undefined {
  return valueOrCode(() => parseXml(Buffer.from(generateDocument(createRandom(seed)))));
}

/** A value, or undefined for a coded error; any other error is a failure. */
function valueOrCode<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('xml.')) return undefined;
    throw error;
  }
}

function everyElement(document: XmlDocument): readonly XmlElement[] {
  const elements = [document.root];
  for (let i = 0; i < elements.length; i++) elements.push(...elements[i]!.children);
  return elements;
}

const formOf = (target: XmlDocument | XmlElement, method: CanonicalMethod) =>
  valueOrCode(() => Buffer.from(canonicalBytes(target, method)));

describe('the XML parser', () => {
  it('returns a document or throws a coded error for every prefix of a document', () => {
    let accepted = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const whole = Buffer.from(generateDocument(createRandom(seed)));
        for (let end = 0; end <= whole.length; end++) {
          const document = valueOrCode(() => parseXml(whole.subarray(0, end)));
          if (document === undefined) continue;
          accepted++;
          for (const method of methods) formOf(document, method);
        }
      }),
      { seed: 11, numRuns: 25 },
    );
    expect(accepted).toBeGreaterThan(25);
  });

  it('returns a document or throws a coded error for every mutation of a document', () => {
    let refused = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = createRandom(seed);
        const document = mutate(Buffer.from(generateDocument(random)), random);
        const parsed = valueOrCode(() => parseXml(document));
        if (parsed === undefined) refused++;
        else for (const { text, attributes } of everyElement(parsed)) void [text, attributes];
      }),
      { seed: 12, numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it('returns a document or throws a coded error for any bytes', () => {
    const bytes = fc.array(fc.constantFrom(...Buffer.from('<>/&;"\'=a: \r-[]!?xml\xc3\xa4')));
    fc.assert(
      fc.property(bytes, (text) => {
        const document = valueOrCode(() => parseXml(Buffer.from([0x3c, 0x61, ...text])));
        return document === undefined || document.root.startOffset === 0;
      }),
      { seed: 13, numRuns: 20_000 },
    );
  });

  it('reports properly nested offsets of elements', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const document = documentOf(seed);
        if (document === undefined) return;
        for (const element of everyElement(document)) {
          const places = [element.startOffset, element.contentStart];
          for (const child of element.children) places.push(child.startOffset, child.endOffset);
          places.push(element.contentEnd, element.endOffset);
          expect(places).toEqual([...places].sort((a, b) => a - b));
          expect(document.bytes[element.startOffset]).toBe(0x3c);
          expect(document.bytes[element.endOffset - 1]).toBe(0x3e);
        }
      }),
      { seed: 14, numRuns: 500 },
    );
  });
});

describe('canonicalization', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(...methods), (seed, method) => {
        const document = documentOf(seed);
        const form = document && formOf(document, method);
        if (form === undefined) return;
        expect(formOf(parseXml(form), method)?.toString()).toBe(form.toString());
      }),
      { seed: 21, numRuns: 2_000 },
    );
  });

  it('preserves names, namespaces, text and attributes', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const document = documentOf(seed);
        const form = document && formOf(document, 'c14n10-comments');
        if (document === undefined || form === undefined) return;
        const again = everyElement(parseXml(form));
        const said = (element: XmlElement) => ({
          name: element.name,
          namespaceUri: element.namespaceUri,
          text: element.text,
          attributes: [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1)),
        });
        expect(again.map(said)).toEqual(everyElement(document).map(said));
      }),
      { seed: 22, numRuns: 1_000 },
    );
  });

  it('of the exclusive form does not depend on the context of an element', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const document = documentOf(seed);
        if (document === undefined) return;
        for (const element of everyElement(document).slice(1)) {
          const form = formOf(element, 'exc-c14n-comments');
          if (form === undefined) continue;
          const alone = parseXml(form);
          expect(formOf(alone, 'exc-c14n-comments')?.toString()).toBe(form.toString());
          const host = parseXml(Buffer.concat([hostStart, form, Buffer.from('</h:x>')]));
          expect(formOf(host.root.children[0]!, 'exc-c14n-comments')?.toString()).toBe(
            form.toString(),
          );
        }
      }),
      { seed: 23, numRuns: 500 },
    );
  });

  it('treats an excluded element as removed', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(...methods), fc.nat(), (seed, method, place) => {
        const document = documentOf(seed);
        if (document === undefined) return;
        const inner = everyElement(document).slice(1);
        const element = inner[place % inner.length];
        if (element === undefined) return;
        const { bytes } = document;
        const cut = parseXml(
          Buffer.concat([
            bytes.subarray(0, element.startOffset),
            bytes.subarray(element.endOffset),
          ]),
        );
        const expected = formOf(cut, method);
        const without = valueOrCode(() => canonicalBytes(document, method, { exclude: [element] }));
        expect(without && Buffer.from(without).toString()).toBe(expected?.toString());
      }),
      { seed: 24, numRuns: 1_500 },
    );
  });

  it('yields chunks that add up to the whole, whatever their number', () => {
    const long = 'y'.repeat(9_000);
    const text = '<a b="&quot;">';
    const document = parseXml(
      Buffer.from(`${text}${`${long}&#x20;<c/>\r\n`.repeat(40)}${'<d e="1"/>'.repeat(20_000)}</a>`),
    );
    const pieces: Buffer[] = [];
    canonicalize(document, 'c14n10', {}, (piece) => {
      pieces.push(Buffer.from(piece));
      // The callback may access the document.
      expect(document.root.attribute('b')).toBe('"');
    });
    expect(pieces.length).toBeGreaterThan(10);
    const expected = `${text}${`${long} <c></c>\n`.repeat(40)}${'<d e="1"></d>'.repeat(20_000)}</a>`;
    expect(Buffer.concat(pieces).toString() === expected).toBe(true);
    expect(Buffer.from(canonicalBytes(document, 'c14n10')).toString() === expected).toBe(true);
  });
});

describe('comparison with libxml2', () => {
  // To run more: node scripts/run-ts.mjs scripts/xml-fuzz.ts SEED COUNT.
  it.each([[1], [2]])(
    'agrees on generated and mutated documents of seed %i',
    (seed) => {
      const { tally, unexplained } = runFuzz(seed, 2_000);
      expect(unexplained).toEqual([]);
      expect(tally.both).toBeGreaterThan(700);
      expect(tally.neither).toBeGreaterThan(700);
      expect(tally.forms).toBeGreaterThan(8_000);
    },
    60_000,
  );
});
