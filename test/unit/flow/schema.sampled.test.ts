import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../../src/app/flow/index.ts';
import {
  checkSchemaText,
  compilePattern,
  parseValues,
  requireSchemaVersion,
  valuesFromMeta,
} from '../../../src/domain/flow/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { fc } from '../../support/property.ts';
import { costlyTest, runs } from '../../support/sample.ts';

const json = (value: unknown): string => JSON.stringify(value);

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = { properties: { a: schema } };
  return schema;
}

/** Definitions that double at each level: small to write, 2^n to check. */
function laughs(levels: number): unknown {
  const definitions: Record<string, unknown> = { d0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const $ref = `#/definitions/d${level - 1}`;
    definitions[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return { definitions, $ref: `#/definitions/d${levels}` };
}

describe('unusable schemas', () => {
  test.each<[string, string, RegExp]>([
    ['invalid JSON', '{', /expected JSON/],
    ['an array', '[]', /expected an object/],
    ['the value true', 'true', /expected an object/],
    ['a huge schema', json({ description: 'x'.repeat(300_000) }), /at most 262144 characters/],
    ['a deeply nested schema', json(nested(60)), /levels/],
    [
      'a very deeply nested schema',
      `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      /levels|characters/,
    ],
    ['a wide schema', json({ enum: Array.from({ length: 20_000 }, (_, n) => n) }), /nodes/],
    ['a remote reference', json({ $ref: 'https://example.com/s.json' }), /expected #\/… inside/],
    ['a file reference', json({ properties: { a: { $ref: 'file:///etc/passwd' } } }), /inside/],
    ['a dangling reference', json({ $ref: '#/definitions/a' }), /refers to nothing/],
    [
      'a reference to a property of Object.prototype',
      json({ $ref: '#/constructor' }),
      /refers to nothing/,
    ],
    ['a malformed reference', json({ $ref: '#/%E0%A4%A' }), /not well-formed/],
    ['a long reference', json({ $ref: `#/${'%41'.repeat(400)}` }), /at most 1000 characters/],
    ['a reference to itself', json({ allOf: [{ $ref: '#' }] }), /inside/],
    [
      'circular references',
      json({ definitions: { a: { items: { $ref: '#/definitions/a' } } } }),
      /cycle/,
    ],
    ['exponentially nested definitions', json(laughs(30)), /references replaced/],
    ['__proto__', '{"properties":{"__proto__":{"type":"string"}}}', /__proto__/],
    ['a nested $id', json({ properties: { a: { $id: 'http://x.example/' } } }), /\$id/],
    ['$async', json({ $async: true }), /\$async/],
    ['$dynamicRef', json({ $dynamicRef: '#a' }), /\$dynamicRef/],
    [
      'an unsupported draft',
      json({ $schema: 'http://json-schema.org/draft-04/schema#' }),
      /\$schema/,
    ],
    ['a custom meta-schema', json({ $schema: 'https://example.com/meta' }), /\$schema/],
    ['an invalid type', json({ type: 'text' }), /schema is invalid/],
    ['an invalid pattern', json({ pattern: '(' }), /not a regular expression/],
    ['look-behind', json({ patternProperties: { '(?<=a)b': {} } }), /looks around/],
    ['back-references', json({ pattern: '(a)\\1' }), /refers back/],
    ['a large pattern', json({ pattern: '(((a{99}){99}){99}){99}' }), /larger/],
    [
      'too many members',
      json({ properties: Object.fromEntries(Array.from({ length: 1501 }, (_, at) => [at, {}])) }),
      /at most 1500 members of properties, found 1501/,
    ],
    ['empty loops in patterns', json({ pattern: '(((){99999}){99999}){99999}' }), /larger/],
    ['a long pattern', json({ pattern: 'a'.repeat(2_000) }), /more than 1000/],
  ])('are rejected: %s', async (_, text, message) => {
    await expect(compileSchema(text)).rejects.toMatchObject({
      code: 'flow.schema.invalid',
      message: expect.stringMatching(message),
    });
  });

  test('of arbitrary JSON either compile or cause a coded error', async () => {
    const keywords = fc.constantFrom(
      'type',
      '$ref',
      'items',
      'properties',
      'pattern',
      'allOf',
      'enum',
      'required',
      '$id',
      'if',
      'format',
      'minimum',
      '__proto__',
      'const',
      '$defs',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('string', '#/properties/a', 'a+', '', 1, -1, true, null, 'uri'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keywords, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(keywords, tree), async (schema) => {
        try {
          (await compileSchema(json(schema))).require({ a: 'b' });
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^flow\.(schema|values)\.invalid$/);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('validation against a schema', () => {
  const schema = json({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.is/loan',
    type: 'object',
    required: ['name', 'amount'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      amount: { type: 'integer', minimum: 1 },
      day: { type: 'string', format: 'date' },
      mail: { type: 'string', format: 'email' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
      toString: { type: 'string' },
      owners: { type: 'array', items: { $ref: '#/$defs/owner' } },
    },
    $defs: { owner: { type: 'object', required: ['name'] } },
  });

  test.each([
    [{ name: 'Þórður', amount: 1 }],
    [{ name: 'a', amount: 2, day: '2028-02-29', mail: 'a@example.is', code: 'AB-0123' }],
    [{ name: 'a', amount: 2, owners: [{ name: 'x', share: 1 }] }],
  ])('accepts %j', async (values) => {
    expect((await compileSchema(schema)).require(values)).toBeUndefined();
  });

  test.each([
    [{}, '/name must have required'],
    [{ name: 'secret value', amount: 0 }, '/amount must be >= 1'],
    [{ name: 'a', amount: 1, other: 'x' }, '/other is not supported'],
    [{ name: 'a', amount: 1, day: '2026-02-30' }, '/day must match format'],
    [{ name: 'a', amount: 1, mail: 'a@' }, '/mail must match format'],
    [{ name: 'a', amount: 1, code: 'ab-0123' }, '/code must match pattern'],
    [{ name: 'a', amount: 1, owners: [{}] }, '/owners/0/name must have required'],
    [JSON.parse('{"name":"a","amount":1,"__proto__":{"x":1}}'), '__proto__'],
  ])('rejects %j', async (values, message) => {
    const validator = await compileSchema(schema);
    const refuse = () => validator.require(values);
    expect(refuse).toThrow(message);
    expect(refuse).toThrow(expect.objectContaining({ code: 'flow.values.invalid' }));
    expect(refuse).not.toThrow(/secret/);
  });

  test.each<[readonly unknown[], boolean]>([
    [[1, 2, '1', true, 'true', null], true],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 2 },
      ],
      true,
    ],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [
      [
        [1, '2'],
        [1, '2'],
      ],
      false,
    ],
    [[['1,2'], ['1', '2']], true],
    [[0, -0], false],
  ])('checks uniqueItems of %j: %s', async (items, isUnique) => {
    const validator = await compileSchema(json({ properties: { items: { uniqueItems: true } } }));
    const check = () => validator.require({ items } as never);
    if (isUnique) expect(check).not.toThrow();
    else expect(check).toThrow('/items must NOT have duplicate items');
  });

  costlyTest('keywords that compare every pair of elements are limited in total', async () => {
    const text = json({ properties: { items: { allOf: Array(400).fill({ uniqueItems: true }) } } });
    const validator = await compileSchema(text);
    const startedAt = cpuMs();
    validator.require({ items: Array.from({ length: 1700 }, (_, a) => ({ a })) });
    expect(() => validator.require({ items: Array.from({ length: 9000 }, (_, a) => a) })).toThrow(
      'exceeds a limit',
    );
    expect(cpuMs() - startedAt).toBeLessThan(8000);
  });

  test('does not take properties of Object.prototype for values', async () => {
    const strict = json({ required: ['constructor'], properties: { constructor: {} } });
    const validator = await compileSchema(strict);
    expect(() => validator.require({})).toThrow(/constructor/);
    expect(validator.require({ constructor: 'x' })).toBeUndefined();
  });

  test.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*a){12}$', '^(\\w+\\s?)*$', 'a*a*a*a*a*b'])(
    'matches the pattern %s in linear time',
    async (pattern) => {
      const validator = await compileSchema(json({ properties: { a: { pattern } } }));
      const startedAt = cpuMs();
      try {
        validator.require({ a: `${'a'.repeat(19_000)}!` });
      } catch (error) {
        expect((error as { code: string }).code).toBe('flow.values.invalid');
      }
      expect(cpuMs() - startedAt).toBeLessThan(3_000);
    },
  );
});

describe('linear-time patterns', () => {
  const atoms = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\d',
    '[ab]',
    '[^a]',
    '\\w',
    '\\b',
    '^',
    '$',
    'ö',
    '\\u{1F600}',
    '\\x61',
    '\\.',
    '(?:)',
  );
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atoms,
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'))
        .map(([a, quantifier]) => `(${a})${quantifier}`),
    ),
  }));
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '0', '.', ' ', 'ö', '\u{1F600}', '\n'),
    maxLength: 8,
  });

  test('match what RegExp matches', () => {
    let found = 0;
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        const linear = compilePattern(source, { stepsLeft: 1_000_000 });
        if (typeof linear === 'string') throw new Error(`${source} ${linear}`);
        const expected = new RegExp(source, 'u').test(subject);
        if (expected) found += 1;
        expect(linear.test(subject)).toBe(expected);
      }),
      { numRuns: runs(2_000) },
    );
    expect(found).toBeGreaterThan(100);
  });

  test('stop when their step limit is used up', () => {
    const linear = compilePattern('(a|b)*c', { stepsLeft: 100 });
    if (typeof linear === 'string') throw new Error(linear);
    expect(() => linear.test('ab'.repeat(1_000))).toThrow(/too much work/);
  });
});

describe('schema versions', () => {
  test.each(['1', '2026-01-02', 'v1.2_b', 'þ'])('%s is valid', (version) => {
    expect(requireSchemaVersion(version)).toBe(version);
  });

  test.each(['', '../x', 'a b', 'x'.repeat(65), '.hidden', 'a/b', '\n'])(
    '%j is invalid',
    (version) => {
      expect(() => requireSchemaVersion(version)).toThrow(/version/);
    },
  );
});

describe('parsed values', () => {
  test.each([
    ['an array', '[1]', /object/],
    ['truncated JSON', '{', /JSON/],
    ['an invalid name', '{"__proto__":1}', /__proto__/],
    ['too many values', json({ a: Array(500).fill(Array(30).fill(0)) }), /values/],
    ['deeply nested values', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, /levels/],
    ['an overlong value', json({ a: 'x'.repeat(30_000) }), /texts/],
    ['an infinite number', '{"a":1e999}', /finite/],
  ])('are rejected: %s', (_, text, message) => {
    expect(() => parseValues(text)).toThrow(message);
  });
});

describe('values in metadata', () => {
  test.each([
    [{ a: '1' }, false, { a: '1' }],
    [{ a: '1', pdfFieldData: '{"b":"2"}' }, false, { b: '2' }],
    [{ a: '1', b: '0', pdfFieldData: '{"b":["2"]}' }, true, { a: '1', b: ['2'] }],
  ])('are read from %j', (meta, withOthers, values) => {
    expect(valuesFromMeta(meta, withOthers)).toEqual(values);
  });
});

test('an accepted schema is returned without its own identifier', () => {
  const text = json({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'x',
    type: 'object',
  });
  expect(checkSchemaText(text)).toEqual({ draft: 'draft-07', schema: { type: 'object' } });
});
