import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shareShapes } from '../../scripts/shared-shapes.mjs';

test.each([
  ['a member after a spread', 'x = { ...a, b }', 'x = { ...null,...a, b }'],
  ['a spread after a spread', 'x = { ...a, ...b }', 'x = { ...null,...a, ...b }'],
  ['a nested literal', 'x={...a,b:{...c,d}}', 'x={...null,...a,b:{...null,...c,d}}'],
  ['in a method of a class', 'class A{b(){return{...c,d}}}', undefined],
  ['a single spread is unchanged', 'x = { ...a }', 'x = { ...a }'],
  ['a spread after a member is unchanged', 'x = { b, ...a }', 'x = { b, ...a }'],
  ['an array is unchanged', 'x = [...a, b]', 'x = [...a, b]'],
  ['a call is unchanged', 'x(...a, b)', 'x(...a, b)'],
  [
    'a pattern is unchanged',
    'var { b, ...a } = c; ({ ...a } = c)',
    'var { b, ...a } = c; ({ ...a } = c)',
  ],
  [
    'a string is unchanged',
    'x = "{ ...a, b }" + `{ ...a, b }`',
    'x = "{ ...a, b }" + `{ ...a, b }`',
  ],
  ['a regular expression is unchanged', 'x = /{...a, b}/', 'x = /{...a, b}/'],
  ['empty code', '', ''],
])(
  'an object literal that starts with a spread gets a leading empty spread: %s',
  (_, code, expected) => {
    const changed = 'class A{b(){return{...null,...c,d}}}';
    expect(shareShapes(code, 'script')).toBe(expected ?? changed);
  },
);

test('the object keeps its members and their order', () => {
  const code = `
    const given = { b: 1, a: 2, ['__proto__']: 3, get c() { return 4; }, [Symbol.iterator]: 5 };
    const made = { ...given, a: 6, d: 7 };
    result = Reflect.ownKeys(made).map((key) => [String(key), made[key], Object.getPrototypeOf(made) === Object.prototype]);`;
  const run = (text: string) => {
    const context = { result: undefined };
    runInNewContext(text, context);
    return JSON.stringify(context.result);
  };
  const shared = shareShapes(code, 'script');
  expect(shared).toContain('...null,...given');
  expect(run(shared)).toBe(run(code));
});
