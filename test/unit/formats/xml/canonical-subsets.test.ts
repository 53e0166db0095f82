import { describe, expect, test } from 'vitest';
import {
  type CanonicalMethod,
  canonicalizeNodes,
  parseXml,
  parseXPath,
  selectTarget,
  selectWhere,
} from '../../../../src/formats/xml/index.ts';
import { agreedSubsets, clauseSubsets, subsetDocument } from './canonical-subsets.table.ts';

const prefixes: Readonly<Record<string, string>> = { n: 'urn:n', d: 'urn:d', m: 'urn:m2' };

function formOf(method: CanonicalMethod, prefixList: readonly string[], expression: string) {
  const document = parseXml(Buffer.from(subsetDocument));
  const steps = { step: () => {} };
  const references = { here: document.root, findById: () => undefined };
  const parsed = parseXPath(expression, (prefix) => prefixes[prefix]);
  const { selection } = selectWhere(parsed, selectTarget(document, [], steps), true, references);
  const pieces: Buffer[] = [];
  canonicalizeNodes(selection, method, prefixList, (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces).toString();
}

describe('canonical forms of node-sets', () => {
  test.each(agreedSubsets)(
    '%s with prefix list %j of %s',
    (method, prefixList, expression, expected) => {
      expect(formOf(method, prefixList, expression)).toBe(expected);
    },
  );

  test.each(clauseSubsets)('%s', (_, method, prefixList, expression, expected) => {
    expect(formOf(method, prefixList, expression)).toBe(expected);
  });
});

describe('the cache of the last XPath expression', () => {
  const namespaceIn = (uri: string | undefined) => {
    const parsed = parseXPath('/descendant::p:a', (prefix) => (prefix === 'p' ? uri : undefined));
    const step = parsed.kind === 'path' ? parsed.steps[0] : undefined;
    return step?.test.kind === 'name' ? step.test.namespaceUri : undefined;
  };

  test('is used only if its prefixes have the same namespaces', () => {
    expect(['urn:1', 'urn:1', 'urn:2', 'urn:1'].map(namespaceIn)).toEqual([
      'urn:1',
      'urn:1',
      'urn:2',
      'urn:1',
    ]);
  });

  test('is not used if a prefix is undeclared, which is rejected', () => {
    namespaceIn('urn:1');
    expect(() => namespaceIn(undefined)).toThrow('prefix');
  });
});
