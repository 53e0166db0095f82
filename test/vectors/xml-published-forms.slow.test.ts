import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type CanonicalMethod,
  canonicalBytes,
  canonicalMethods,
  parseXml,
  type XmlDocument,
  type XmlElement,
} from '../../src/formats/xml/index.ts';

const resources = join(import.meta.dirname, '../../../shared/corpora/santuario/src/test/resources');
const isAbsent = !existsSync(resources);
const note = isAbsent ? ' (skipped: ../shared/corpora/santuario is absent)' : '';
const specExamples = 'org/apache/xml/security/c14n';

/** The document without its document type declaration, with the entities expanded. */
function withoutDoctype(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const doctype = /<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>/.exec(text)?.[0];
  if (doctype === undefined) return bytes;
  let left = text.replace(doctype, '');
  for (const [, name, value] of doctype.matchAll(/<!ENTITY\s+(\w+)\s+['"]([^'"]*)['"]\s*>/g)) {
    left = left.replaceAll(`&${name};`, value ?? '');
  }
  return Buffer.from(left, 'latin1');
}

function everyElement(document: XmlDocument): readonly XmlElement[] {
  const elements = [document.root];
  for (let i = 0; i < elements.length; i++) elements.push(...elements[i]!.children);
  return elements;
}

describe.skipIf(isAbsent)(`canonicalization examples of the specifications${note}`, () => {
  const read = (name: string) => readFileSync(join(resources, specExamples, name));
  const rows: readonly [string, string, CanonicalMethod, string][] = [
    ['in/31_input.xml', 'in/31_c14n.xml', 'c14n10', ''],
    ['in/31_input.xml', 'in/31_c14n-comments.xml', 'c14n10-comments', ''],
    ['in/32_input.xml', 'in/32_c14n.xml', 'c14n10', ''],
    [
      'in/default_ns_redefinition_input.xml',
      'in/default_ns_redefinition_c14n.xml',
      'c14n10',
      'Object',
    ],
    ['inExcl/example2_2_1.xml', 'inExcl/example2_2_1_c14nized.xml', 'c14n10', 'elem2'],
    ['inExcl/example2_2_2.xml', 'inExcl/example2_2_2_c14nized.xml', 'c14n10', 'elem2'],
    ['inExcl/example2_2_1.xml', 'inExcl/example2_2_c14nized_exclusive.xml', 'exc-c14n', 'elem2'],
    ['inExcl/example2_2_2.xml', 'inExcl/example2_2_c14nized_exclusive.xml', 'exc-c14n', 'elem2'],
    ['inExcl/example2_2_3.xml', 'inExcl/example2_2_3_c14nized_exclusive.xml', 'exc-c14n', 'p'],
    ['inExcl/example2_4.xml', 'inExcl/example2_4_c14nized.xml', 'exc-c14n', 'elem2'],
    ['inExcl/plain-soap-1.1.xml', 'inExcl/plain-soap-c14nized.xml', 'exc-c14n', 'Body'],
  ];
  it.each(rows)('%s canonicalizes to %s (%s %s)', (input, output, method, local) => {
    const document = parseXml(withoutDoctype(read(input)));
    const target =
      local === '' ? document : everyElement(document).find((e) => e.localName === local)!;
    expect(Buffer.from(canonicalBytes(target, method)).toString()).toBe(read(output).toString());
  });

  it.each([
    ['in/31_input.xml', 'xml.dtd.forbidden'],
    ['in/33_input.xml', 'xml.dtd.forbidden'], // default attribute
    ['in/34_input.xml', 'xml.dtd.forbidden'], // NMTOKENS
    ['in/34_input_validatingParser.xml', 'xml.dtd.forbidden'],
    ['in/35_input.xml', 'xml.dtd.forbidden'], // entities
    ['in/36_input.xml', 'xml.encoding.unsupported'], // ISO-8859-1
    ['in/37_input.xml', 'xml.dtd.forbidden'], // and a node-set that is no subtree
    ['in/38_input.xml', 'xml.dtd.forbidden'], // and a node-set that is no subtree
  ])('%s is rejected: %s', (input, code) => {
    expect(() => parseXml(read(input))).toThrow(expect.objectContaining({ code }));
  });

  it('a document with a relative namespace URI cannot be canonicalized', () => {
    const document = parseXml(read('in/relative-ns-behaviour.xml'));
    for (const method of canonicalMethods.values()) {
      expect(() => canonicalBytes(document, method)).toThrow(
        expect.objectContaining({ code: 'xml.invalid' }),
      );
    }
  });
});

/** Bytes that were digested when the signatures of a folder were created, in separate files. */
interface InteropFolder {
  readonly folder: string;
  /**
   * The number of those that are no subtree (or document) less subtrees: XPath and base64
   * transforms.
   */
  readonly otherNodeSets: number;
}

const folders: readonly InteropFolder[] = [
  { folder: 'ie/baltimore/merlin-examples/merlin-exc-c14n-one', otherNodeSets: 0 },
  { folder: 'ie/baltimore/merlin-examples/merlin-xmldsig-twenty-three', otherNodeSets: 2 },
  { folder: 'interop/c14n/Y1', otherNodeSets: 0 },
  { folder: 'interop/c14n/Y2', otherNodeSets: 3 },
  { folder: 'interop/c14n/Y3', otherNodeSets: 8 },
  { folder: 'interop/c14n/Y4', otherNodeSets: 17 },
  { folder: 'interop/c14n/Y5', otherNodeSets: 19 },
];

describe.skipIf(isAbsent)(`canonical bytes published with test suites${note}`, () => {
  let found = 0;
  let all = 0;

  it.each(folders)(
    '$folder: all are reproduced except $otherNodeSets',
    ({ folder, otherNodeSets }) => {
      const names = readdirSync(join(resources, folder));
      const read = (name: string) => readFileSync(join(resources, folder, name));
      const forms = new Set<string>();
      for (const name of names.filter((file) => file.endsWith('.xml'))) {
        for (const form of formsOf(parseXml(withoutDoctype(read(name))))) forms.add(form);
      }
      const expected = names.filter((name) => /c14n-\d+\.txt$/.test(name));
      const missing = expected.filter((name) => !forms.has(read(name).toString('latin1')));
      all += expected.length;
      found += expected.length - missing.length;
      expect(expected.length).toBeGreaterThan(0);
      expect(missing.length).toBe(otherNodeSets);
    },
  );

  afterAll(() => {
    console.log(`bytes digested by others: ${found} of ${all} found, the others need XPath`);
  });
});

/** All canonical forms of a document and its elements, with and without each ds:Signature. */
function formsOf(document: XmlDocument): ReadonlySet<string> {
  const elements = everyElement(document);
  const lists = elements
    .filter(({ localName }) => localName === 'InclusiveNamespaces')
    .map((element) => (element.attribute('PrefixList') ?? '').split(/\s+/))
    .map((list) => list.map((prefix) => (prefix === '#default' ? '' : prefix)));
  const signatures = document.findAll('http://www.w3.org/2000/09/xmldsig#', 'Signature');
  const exclusions = [[], ...signatures.map((signature) => [signature])];
  const forms = new Set<string>();
  for (const target of [document, ...elements]) {
    for (const method of canonicalMethods.values()) {
      for (const prefixList of method.startsWith('exc') ? [[], ...lists] : [[]]) {
        for (const exclude of exclusions) {
          const form = canonicalBytes(target, method, { prefixList, exclude });
          forms.add(Buffer.from(form).toString('latin1'));
        }
      }
    }
  }
  return forms;
}
