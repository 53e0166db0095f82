import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyReachableTypes } from '../../scripts/reachable-types.mjs';
import { newTemporaryFolder } from '../support/folders.ts';

function copied(
  files: Readonly<Record<string, string>>,
  absent: readonly string[] = [],
): Readonly<Record<string, string>> {
  const folder = newTemporaryFolder('types');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  for (const [name, text] of Object.entries(files)) {
    const path = join(from, `${name}.d.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  copyReachableTypes(from, to, ['index'], absent);
  const found = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  );
  return Object.fromEntries(
    found.sort().map((name) => [name.slice(0, -5), readFileSync(join(to, name), 'utf8')]),
  );
}

test('a file that only re-exports keeps the requested names', () => {
  const result = copied({
    index: `export { A } from './room/index.ts';\n`,
    'room/index': `/** Room. */\nexport { A, B } from './a.ts';\nexport type { C } from './c.ts';\n`,
    'room/a': 'export interface A {}\nexport interface B {}\n',
    'room/c': 'export interface C {}\n',
  });
  expect(Object.keys(result)).toEqual(['index', 'room/a', 'room/index']);
  expect(result['room/index']).toBe(`/** Room. */\nexport { A } from './a.ts';\n`);
});

test('`export *` keeps the requested names across several files', () => {
  const result = copied({
    index: `import type { B } from './room/index.ts';\nexport declare const b: B;\n`,
    'room/index': `export * from './one.ts';\nexport type * from './two.ts';\nexport * as three from './three.ts';\n`,
    'room/one': 'export interface A {}\n',
    'room/two': `export type * from './deep.ts';\n`,
    'room/deep': 'export type B = string;\n',
    'room/three': 'export type C = string;\n',
  });
  expect(Object.keys(result)).toEqual(['index', 'room/deep', 'room/index', 'room/two']);
});

test('follows imports between declarations and inline import types', () => {
  const result = copied({
    index: `export { run } from './run.ts';\n`,
    run: `import type { A } from './a.ts';\nexport declare function run(a: A): import("./b.ts").B;\n`,
    a: 'export interface A {}\n',
    b: 'export interface B {}\n',
    c: 'export interface C {}\n',
  });
  expect(Object.keys(result)).toEqual(['a', 'b', 'index', 'run']);
});

test.each([
  ['an import', `import type { A } from 'bundled/part';\nexport declare const a: A;\n`],
  ['an inline import type', `export declare const a: import("bundled").A;\n`],
])('rejects a package that is not installed with the library: %s', (_, text) => {
  const index = `export { a } from './a.ts';\n`;
  expect(() => copied({ index, a: text }, ['bundled'])).toThrow('a.d.ts names bundled');
  // A file that no entry point reaches may name the package, and a package whose name only has the
  // same prefix is allowed.
  expect(Object.keys(copied({ index: 'export {};\n', a: text }, ['bundled']))).toEqual(['index']);
  expect(Object.keys(copied({ index, a: text }, ['bund']))).toEqual(['a', 'index']);
});
