import { beforeAll, describe, expect, test } from 'vitest';
import {
  type DescribedAnswer,
  type Description,
  type Operation,
  openChecker,
  operationsOf,
  readDescription,
} from './support/description.ts';

let document: Description;
let operations: ReturnType<typeof operationsOf>;
let check: ReturnType<typeof openChecker>;
beforeAll(async () => {
  document = (await readDescription()).document;
  operations = operationsOf(document);
  check = openChecker(document);
}, 60_000);

type Media = NonNullable<DescribedAnswer['content']>[string];

/** Faults of the examples of a body. */
function exampleFaults(where: string, { schema = {}, examples = {} }: Media): string[] {
  const entries = Object.entries(examples);
  if (entries.length === 0) return [`${where}: no example`];
  return entries.flatMap(([name, { value, $ref }]) => {
    const shown = $ref === undefined ? value : componentExample($ref);
    const fault = check(schema, shown);
    return fault === '' ? [] : [`${where} ${name}: ${fault}`];
  });
}

function componentExample(reference: string): unknown {
  const name = reference.replace('#/components/examples/', '');
  return document.components.examples?.[name]?.value;
}

const bodiesOf = ({ requestBody, responses }: Operation): [string, Media][] => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, media]): [string, Media] => [
    `request ${type}`,
    media,
  ]),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, media]): [string, Media] => [`${status} ${type}`, media]),
  ),
];

/** DER requests and responses: an example would be useless. */
const isOpaque = (name: string) =>
  /^request application\/(?!json)|application\/(ocsp|timestamp|pkix|octet-stream)/.test(name) ||
  // Forms and pages are for browsers.
  /^request (text\/xml|multipart\/)|text\/html/.test(name);

describe('the OpenAPI description', () => {
  test('is OpenAPI 3.1, and every reference resolves', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const text = JSON.stringify(document);
    const known = new Set(
      Object.entries(document.components).flatMap(([kind, entries]) =>
        Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
    expect(references.length).toBeGreaterThan(500);
    expect([...new Set(references)].filter((each) => !known.has(each))).toEqual([]);
  });

  test('enumerations with integers have one integer per value', () => {
    const found: (readonly [words: readonly string[], integers: readonly number[]])[] = [];
    JSON.stringify(document, (_, value) => {
      const integers = value?.['x-enum-integers'];
      if (integers !== undefined) found.push([value.enum, integers]);
      return value;
    });
    expect(found.length).toBeGreaterThan(5);
    const faults = found.filter(([words, integers]) => new Set(integers).size !== words.length);
    expect(faults).toEqual([]);
  });

  test('every operation has a unique ID, one tag, a summary and its access', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, method, operation } of operations) {
      const where = `${method} ${path}`;
      expect(operation.tags, where).toHaveLength(1);
      expect(operation.summary, where).toMatch(/^\S.{4,}/);
      expect(Array.isArray(operation.security), where).toBe(true);
    }
  });

  test('declares every path parameter, and has an example for every parameter', () => {
    const faults = operations.flatMap(({ path, method, operation }) => {
      const { parameters = [] } = operation;
      const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const bare = parameters.filter((each) => each.example === undefined);
      const where = `${method} ${path}`;
      return [
        ...(inPath.sort().join() === named.sort().join() ? [] : [`${where}: ${inPath}`]),
        ...bare.map(({ name }) => `${where}: ${name} has no example`),
      ];
    });
    expect(faults).toEqual([]);
  });

  test('examples of parameters, bodies and responses validate against their schemas', () => {
    const faults = operations.flatMap(({ path, method, operation }) => {
      const where = `${method} ${path}`;
      const wrong = (operation.parameters ?? []).filter(
        ({ schema, example }) => check(schema, example) !== '',
      );
      return [
        ...wrong.map(({ name, example }) => `${where}: ${name} is not ${example}`),
        ...bodiesOf(operation)
          .filter(([name]) => !isOpaque(name) && !path.startsWith('/s/'))
          .flatMap(([name, media]) => exampleFaults(`${where} ${name}`, media)),
      ];
    });
    expect(faults).toEqual([]);
  });

  test('has content for every response with a body, and its own code in each failure example', () => {
    for (const { path, method, operation } of operations) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const where = `${method} ${path} ${status}`;
        if (['204', '303', '304'].includes(status) || method === 'head') {
          expect(content, where).toBeUndefined();
        } else expect(Object.keys(content ?? {}), where).not.toEqual([]);
        const json = content?.['application/json'];
        if (Number(status) < 400 || status === '503' || json === undefined) continue;
        for (const [code, { value, $ref }] of Object.entries(json.examples ?? {})) {
          const shown = ($ref === undefined ? value : componentExample($ref)) as {
            errorCode?: string;
            code?: string;
          };
          expect(shown.errorCode ?? shown.code, where).toBeTruthy();
          if (shown.errorCode !== undefined) expect(shown.errorCode, where).toBe(code);
        }
      }
    }
  });

  test('examples use the same few keys throughout', () => {
    const text = JSON.stringify(
      operations.map(({ operation }) => [
        operation.parameters?.map(({ example }) => example),
        bodiesOf(operation).map(([, { examples }]) => examples),
      ]),
    );
    const keys = (pattern: RegExp) => new Set(text.match(pattern) ?? []);
    expect(keys(/\bsp[0-9a-f]{32}\b/g).size).toBe(3);
    expect(keys(/\bsi[0-9a-f]{32}\b/g).size).toBe(6);
    expect(keys(/\bpg[0-9a-f]{18}\b/g).size).toBe(1);
    expect(keys(/\bgs[0-9a-f]{10}\b/g).size).toBe(1);
    expect(keys(/"flowKey":"[^"]+"/g).size).toBe(1);
    expect(keys(/(?<=\/s\/)[a-z0-9]+(?=\/)/g).size).toBe(4);
  });
});
