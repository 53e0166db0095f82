import { describe, expect, test } from 'vitest';
import { canonicalBytes, canonicalize, parseXml } from '../../../../src/formats/xml/index.ts';
import { fc } from '../../../support/property.ts';

const parse = (text: string) => parseXml(Buffer.from(text));

describe('caches between names and canonical forms', () => {
  test('distinguish names with a common prefix, in any order', () => {
    const name = fc.constantFrom('a', 'ab', 'abc', 'abcd', 'abcde', 'p:a', 'p:ab', 'a.b', 'a-b');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), (names) => {
        const { root } = parse(
          `<r xmlns:p="urn:p">${names.map((each) => `<${each}/>`).join('')}</r>`,
        );
        expect(root.children.map((child) => child.name)).toEqual(names);
      }),
    );
  });

  test.each([
    ['<a></ab>', '</a> expected, found </ab>'],
    ['<ab></a>', '</ab> expected, found </a>'],
    ['<a><b></b></a', 'a tag without ">"'],
    ['<abcdefgh></abcdefgi>', '</abcdefgh> expected, found </abcdefgi>'],
  ])('do not confuse end tags: %s, %s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test('allow one form to be computed while another is being written', () => {
    const outer = parse(`<o xmlns:x="urn:x">${'<x:y z="1"/>outer '.repeat(20_000)}</o>`);
    const inner = parse(`<i>${'<j/>inner '.repeat(20_000)}</i>`);
    const pieces: Uint8Array[] = [];
    const inside: Uint8Array[] = [];
    canonicalize(outer, 'exc-c14n', {}, (piece) => {
      inside.push(canonicalBytes(inner, 'c14n10'));
      pieces.push(new Uint8Array(piece));
    });
    expect(pieces.length).toBeGreaterThan(2);
    expect(Buffer.concat(pieces).equals(canonicalBytes(outer, 'exc-c14n'))).toBe(true);
    const alone = Buffer.from(canonicalBytes(inner, 'c14n10'));
    expect(inside.every((form) => alone.equals(form))).toBe(true);
  });

  test('are intact after a form was aborted', () => {
    const document = parse(`<r>${'<e a="1"/>text '.repeat(20_000)}</r>`);
    const whole = Buffer.from(canonicalBytes(document, 'c14n11'));
    const stop = () => {
      throw new Error('enough');
    };
    expect(() => canonicalize(document, 'c14n11', {}, stop)).toThrow('enough');
    expect(whole.equals(canonicalBytes(document, 'c14n11'))).toBe(true);
  });

  test('allow excluded elements that are nested, outside the start or unordered', () => {
    const { root } = parse('<r><a/><b><c><d/></c></b><e/><f/></r>');
    const [a, b, e] = root.children;
    const c = b?.children[0];
    const exclude = [e, c, b, a].filter((element) => element !== undefined);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    expect(text(canonicalBytes(root, 'c14n10', { exclude }))).toBe('<r><f></f></r>');
    if (c === undefined || a === undefined) throw new Error('no such element');
    const outside = canonicalBytes(c, 'c14n10', { exclude: [a] });
    expect(text(outside)).toBe('<c><d></d></c>');
  });
});
