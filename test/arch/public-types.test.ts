import { describe, expect, test } from 'vitest';
import { readModule } from './law/module-facts.ts';
import { unnamedTypes } from './law/public-types.ts';

describe('the check that callers can name every type of a public declaration', () => {
  test('reports a type that only a different entry point exports', () => {
    const x = readModule('x.ts', 'export function a(y: Y): void {} export interface Y {}');
    const entry = readModule('index.ts', `export { a } from './x.ts';`);
    const all = readModule('types.ts', `export type { Y } from './x.ts';`);
    const both = readModule('server.ts', `export { a } from './x.ts'; export * from './types.ts';`);
    expect(unnamedTypes([x, entry], 'index.ts')).toEqual(['index.ts: Y of x.ts, in a']);
    expect(unnamedTypes([x, all, both], 'server.ts')).toEqual([]);
  });

  test('finds hidden, inherited, renamed and re-exported types', () => {
    const found = unnamedTypes(
      [
        readModule('index.ts', `export { a, type B } from './app/x.ts';`),
        readModule(
          'app/x.ts',
          `import { type C as D } from './c.ts'; interface Own { e: E } type E = string;
           export function a<T>(x: D<T>): Own { const y: Inner = 1; return y; }
           export interface B extends F {} interface F {} interface Inner {}`,
        ),
        readModule('app/c.ts', `export { C } from './d.ts';`),
        readModule('app/d.ts', `export type C<T> = T;`),
      ],
      'index.ts',
    );
    expect(found).toEqual([
      'index.ts: C of app/d.ts, in a',
      'index.ts: E of app/x.ts, in Own',
      'index.ts: F of app/x.ts, in B',
      'index.ts: Own of app/x.ts, in a',
    ]);
  });
});
