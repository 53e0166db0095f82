import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { failureOf } from '../../../src/api/failure.ts';

const schema = {
  type: 'object',
  required: ['name', 'days'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    days: { type: 'integer', minimum: 1, maximum: 9 },
    kind: { enum: ['NotSet', 'person', 'business'] },
    wanted: { const: 'yes' },
    code: { type: 'string', pattern: '^[a-z]+$' },
    born: { type: ['string', 'null'] },
    owners: {
      ...{ type: 'array', minItems: 1, maxItems: 2, uniqueItems: true },
      items: { type: 'object', required: ['ssn'], properties: { ssn: { type: 'string' } } },
    },
    'a/b': { type: 'boolean' },
  },
};
const check = new Ajv({ allErrors: true, strict: false }).compile(schema);
const right = { name: 'Anna', days: 2 };

function sentencesOf(body: unknown): readonly string[] {
  check(body);
  const failure = failureOf({ validation: check.errors ?? undefined }, { body });
  return failure.fields.map(({ fieldName, message }) => `${fieldName}: ${message}`);
}

test.each([
  [{ days: 2 }, 'name: expected a value, found none'],
  [{ ...right, name: 7 }, 'name: expected text, found a number'],
  [{ ...right, name: 'A' }, 'name: expected at least 2 characters, found 1'],
  [{ ...right, name: '𝕒𝕒𝕒𝕒𝕒𝕒' }, 'name: expected at most 5 characters, found 6'],
  [{ ...right, days: 0 }, 'days: expected at least 1, found 0'],
  [{ ...right, days: 10 }, 'days: expected at most 9, found 10'],
  [{ ...right, days: 1.5 }, 'days: expected a whole number, found a number'],
  [{ ...right, kind: 'robot' }, 'kind: expected one of person, business, found "robot"'],
  [{ ...right, wanted: true }, 'wanted: expected "yes", found true'],
  [{ ...right, code: 'A1' }, 'code: expected text of the form ^[a-z]+$'],
  [{ ...right, born: false }, 'born: expected text or null, found false'],
  [{ ...right, owners: {} }, 'owners: expected a list, found an object'],
  [{ ...right, owners: [] }, 'owners: expected at least 1, found 0'],
  [{ ...right, owners: [1, 2, 3] }, 'owners: expected at most 2, found 3'],
  [{ ...right, owners: [null] }, 'owners[0]: expected an object, found null'],
  [{ ...right, owners: [{}] }, 'owners[0].ssn: expected a value, found none'],
  [{ ...right, owners: [{ ssn: 'a' }, { ssn: 'a' }] }, 'owners: expected each value once'],
  [{ ...right, nom: 'x' }, ': expected no member "nom"'],
])('a schema fault states what was expected and found: %j', (body, expected) => {
  expect(sentencesOf(body)).toContain(expected);
  expect(sentencesOf(right)).toEqual([]);
});

test('a text value is not repeated where a pattern was expected', () => {
  expect(sentencesOf({ ...right, code: '0101901239' }).join()).not.toContain('0101901239');
});
