import { describe, expect, test } from 'vitest';
import { globalFaults } from './law/banned-globals.ts';
import { cycleFaults } from './law/cycles.ts';
import { dependencyFaults } from './law/dependency-rules.ts';
import { errorCodeFaults, findingCodeFaults } from './law/error-code-rules.ts';
import { importFaults } from './law/import-rules.ts';
import { readModule } from './law/module-facts.ts';
import { documentationFaults, folderFaults, sizeFaults, styleFaults } from './law/size-rules.ts';
import { unusedExportFaults } from './law/unused-exports.ts';

/** Path below src/, source, and a part of the one expected fault; undefined for no fault. */
type Case = readonly [path: string, source: string, fault: string | undefined];

const importCases: readonly Case[] = [
  ['base/a.ts', `import { b } from '../formats/b.ts';`, 'base may not see formats'],
  ['formats/a.ts', `import { b } from '../trust/b.ts';`, 'formats may not see trust'],
  ['trust/a.ts', `import type { S } from '../seal/ports.ts';`, 'trust may not see seal'],
  ['verify/a.ts', `import { b } from '../seal/b.ts';`, 'verify may not see seal'],
  ['verify/a.ts', `import type { B } from '../seal/b.ts';`, 'verify may not see seal'],
  ['verify/a.ts', `export { b } from '../seal/b.ts';`, 'verify may not see seal'],
  ['verify/a.ts', `export * from '../seal/b.ts';`, 'verify may not see seal'],
  ['verify/a.ts', `const b = await import('../seal/b.ts');`, 'verify may not see seal'],
  ['verify/a.ts', `type B = import('../seal/b.ts').B;`, 'verify may not see seal'],
  ['seal/a.ts', `import { b } from '../verify/b.ts';`, 'seal may not see verify'],
  ['domain/a.ts', `import { b } from '../app/b.ts';`, 'domain may not see app'],
  ['app/a.ts', `import { b } from '../adapters/tsa/index.ts';`, 'app may not see adapters'],
  ['app/a.ts', `import { b } from '../wire/b.ts';`, 'app may not see wire'],
  ['api/a.ts', `import { b } from '../wire/b.ts';`, 'api may not see wire'],
  ['cli/a.ts', `import { b } from '../adapters/tsa/index.ts';`, 'cli may not see adapters'],
  ['app/a.ts', `import { b } from '../index.ts';`, 'entries are for users'],
  ['adapters/a/b.ts', `import { c } from '../c/index.ts';`, 'sibling adapters'],
  ['adapters/a/b.ts', `import { c } from '../../trust/c.ts';`, 'adapters may not see trust'],
  ['adapters/a/b.ts', `import type { C } from '../../trust/c.ts';`, undefined],
  ['adapters/a/b.ts', `import { c } from '../../app/use-case.ts';`, 'adapters may not see app'],
  ['adapters/a/b.ts', `import { c } from '../../seal/pades.ts';`, 'adapters may not see seal'],
  ['adapters/a/b.ts', `import type { S } from '../../seal/ports.ts';`, undefined],
  ['adapters/a/b.ts', `import { c } from '../../app/ports/index.ts';`, undefined],
  ['trust/a.ts', `import { b } from '../formats/x509/b.ts';`, 'through its index.ts'],
  ['trust/a.ts', `import { b } from '../formats/x509/index.ts';`, undefined],
  ['formats/x509/a.ts', `import { b } from './b.ts';`, undefined],
  ['wire/a.ts', `import { b } from '../adapters/tsa/index.ts';`, undefined],
  ['index.ts', `import { b } from './wire/b.ts';`, undefined],
  ['cli/a.ts', `import { b } from './commands/b.ts';`, 'commands are loaded'],
  ['cli/a.ts', `const b = await import('./commands/x/b.ts');`, undefined],
  ['cli/commands/x/a.ts', `import { b } from '../y/b.ts';`, undefined],
  ['base/a.ts', `import { b } from './b';`, 'name the .ts file'],
  ['base/a.ts', `import { b } from '../../scripts/b.ts';`, 'leaves src/'],
  ['seal/a.ts', `import { readFileSync } from 'node:fs';`, 'no I/O'],
  ['seal/a.ts', `const fs = await import('node:fs/promises');`, 'no I/O'],
  ['trust/a.ts', `import { request } from 'node:http';`, 'no I/O'],
  ['base/a.ts', `import { spawn } from 'node:child_process';`, 'no I/O'],
  ['seal/a.ts', `import { randomBytes } from 'node:crypto';`, 'randomness'],
  ['seal/a.ts', `import * as crypto from 'node:crypto';`, 'randomness'],
  ['seal/a.ts', `const c = await import('node:crypto');`, 'randomness'],
  ['seal/a.ts', `import { createHash, type KeyObject } from 'node:crypto';`, undefined],
  ['adapters/a/b.ts', `import { request } from 'node:https';`, 'load network modules'],
  ['adapters/a/b.ts', `const http = await import('node:http');`, undefined],
  ['adapters/a/b.ts', `import type { Agent } from 'node:http';`, undefined],
  ['formats/cms/a.ts', `import * as pkijs from 'pkijs';`, 'heavy package'],
  ['formats/cms/a.ts', `import type { SignedData } from 'pkijs';`, undefined],
  ['formats/cms/a.ts', `import { type SignedData } from 'pkijs';`, undefined],
  ['formats/cms/a.ts', `import { type A, b } from 'pkijs';`, 'heavy package'],
  ['cli/a.ts', `import chalk from 'chalk';`, 'heavy package'],
  ['adapters/a/b.ts', `export { Signer } from '@signpdf/utils';`, 'heavy package'],
  ['seal/a.ts', `await import(s ? 'node:crypto' : 'node:zlib');`, 'randomness'],
  ['adapters/a/b.ts', `await import(s ? 'node:https' : 'node:http');`, undefined],
  ['wire/a.ts', `const l = await import('../adapters/tsa/local.ts');`, undefined],
  ['wire/a.ts', `import { l } from '../adapters/tsa/local.ts';`, 'through its index.ts'],
  ['cli/a.ts', `const it = await import(name);`, 'must be a literal'],
];

const globalCases: readonly Case[] = [
  ['seal/a.ts', `const home = process.env.HOME;`, 'uses process'],
  ['seal/a.ts', `console.log(1);`, 'uses console'],
  ['verify/a.ts', `const f = () => fetch('x');`, 'uses fetch'],
  ['trust/a.ts', `const now = Date.now();`, 'uses Date.now'],
  ['trust/a.ts', `const now = new Date();`, 'uses new Date()'],
  ['trust/a.ts', `const now = Date();`, 'uses Date()'],
  ['trust/a.ts', `const then = new Date(0);`, undefined],
  ['base/a.ts', `const n = Math.random();`, 'uses Math.random'],
  ['base/a.ts', `const clock = Math['random'];`, 'uses Math.random'],
  ['domain/a.ts', `setTimeout(() => 1, 5);`, 'uses setTimeout'],
  ['domain/a.ts', `const p = globalThis;`, 'uses globalThis'],
  ['domain/a.ts', `const p = (process as unknown);`, 'uses process'],
  ['domain/a.ts', `const o = { process };`, 'uses process'],
  ['domain/a.ts', `function f(process: P) { return process.state; }`, undefined],
  ['domain/a.ts', `function f(process: P) {} const x = process;`, 'uses process'],
  ['domain/a.ts', `const o = { process: 1 }; const y = o.process;`, undefined],
  ['domain/a.ts', `interface A { readonly process: string }`, undefined],
  ['cli/a.ts', `process.exit(1); console.log(Date.now());`, undefined],
];

const shapeCases: readonly Case[] = [
  ['app/a.ts', `${'x();\n'.repeat(401)}`, 'has 401 lines'],
  ['app/a.table.ts', `${'x();\n'.repeat(401)}`, undefined],
  ['app/a.ts', `function long() {\n${'x();\n'.repeat(69)}}`, 'long has 71 lines'],
  ['app/a.ts', `const long = () => {\n${'x();\n'.repeat(69)}};`, 'long has 71 lines'],
  ['app/a.ts', `class A { long() {\n${'x();\n'.repeat(69)}} }`, 'long has 71 lines'],
  ['app/a.ts', `function fits() {\n${'x();\n'.repeat(68)}}`, undefined],
  ['app/a.ts', `const s = '${'x'.repeat(100)}';`, 'is 113 wide'],
  ['formats/pdf/index.ts', `${'x();\n'.repeat(41)}`, 'an index at most 40'],
  ['app/pdf-utils.ts', '', 'says nothing'],
  ['app/helpers/a.ts', '', 'says nothing'],
  ['app/PdfReader.ts', '', 'not kebab-case'],
  ['app/a.ts', `export default 1;`, 'default export'],
  ['app/a.ts', `// TODO later`, 'leaves work open'],
  ['app/a.ts', `export const a = 1;`, 'exports a without'],
  ['app/a.ts', `/* plain */ export function a() {}`, 'exports a without'],
  ['app/a.ts', `const a = 1;\nexport { a };`, 'exports a without'],
  ['app/a.ts', `/** What a is. */\nexport interface A {}`, undefined],
  ['app/a.ts', `/** What a is. */\nconst a = 1;\nexport { a };`, undefined],
  ['app/a.ts', `export { a } from './b.ts';`, undefined],
];

describe('the architecture checks can fail', () => {
  const groups = [
    ['imports', importCases, importFaults],
    ['globals', globalCases, globalFaults],
    ['shape', shapeCases, (m) => [...sizeFaults(m), ...styleFaults(m), ...documentationFaults(m)]],
  ] as const satisfies readonly (readonly [
    string,
    readonly Case[],
    (module: ReturnType<typeof readModule>) => string[],
  ])[];
  for (const [group, cases, check] of groups) {
    test.each(cases)(`${group}: %s: %j`, (path, source, fault) => {
      const faults = check(readModule(path, source));
      expect(faults).toHaveLength(fault === undefined ? 0 : 1);
      if (fault !== undefined) expect(faults[0]).toContain(fault);
    });
  }

  test('on folders with too many files', () => {
    const files = Array.from({ length: 18 }, (_, at) => readModule(`app/x/a${at}.ts`, ''));
    expect(folderFaults(files)).toEqual(['app/x has 18 files, at most 17']);
    expect(folderFaults(files.slice(1))).toEqual([]);
  });

  test('on cycles between files', () => {
    const modules = [
      readModule('base/a.ts', `import { b } from './b.ts';`),
      readModule('base/b.ts', `import type { C } from './c.ts';`),
      readModule('base/c.ts', `import { a } from './a.ts';`),
    ];
    expect(cycleFaults(modules)).toEqual(['cycle: base/a.ts → base/b.ts → base/c.ts → base/a.ts']);
    expect(cycleFaults(modules.slice(0, 2))).toEqual([]);
  });

  test('on cycles between folders whose files have none', () => {
    const modules = [
      readModule('formats/a/x.ts', `import { y } from '../b/index.ts';`),
      readModule('formats/a/index.ts', ''),
      readModule('formats/b/index.ts', `import { y } from './y.ts';`),
      readModule('formats/b/y.ts', ''),
      readModule('formats/b/z.ts', `import { a } from '../a/index.ts';`),
    ];
    expect(cycleFaults(modules)).toEqual(['cycle: formats/a → formats/b → formats/a']);
  });

  test('on values that are never imported', () => {
    const modules = [
      readModule('index.ts', `export { a } from './base/a/index.ts';`),
      readModule('base/a/index.ts', `export { a, b, type C, d as e } from './x.ts';`),
      readModule(
        'base/a/x.ts',
        `export const a = 1; export function b() {} export type C = 1; export class d {}`,
      ),
      readModule('base/y.ts', `export const f = 1, g = 2, h = 3;`),
      readModule('base/lazy.ts', `export const i = 1;`),
      readModule('base/z.ts', `const all = await import('./lazy.ts');`),
    ];
    const outside = [
      {
        path: 'test/a.test.ts',
        text: `import {\n  type C,\n  f as other,\n} from '../src/base/y.ts';`,
      },
      { path: 'bench/b.mjs', text: `import { h } from '../build/base/y.js';` },
      { path: 'bench/c.mjs', text: `import { g } from 'src/base/y.ts';` },
    ];
    expect(unusedExportFaults(modules, outside)).toEqual([
      'base/a/index.ts: nobody imports b: do not export it',
      'base/a/index.ts: nobody imports e: do not export it',
      'base/y.ts: nobody imports g: do not export it',
    ]);
    const all = { path: 'test/b.ts', text: `import * as y from '../src/base/y.ts';` };
    expect(unusedExportFaults(modules, [...outside, all])).toHaveLength(2);
  });

  test('on finding codes that are never used', () => {
    const modules = [
      readModule('verify/findings/finding-codes.table.ts', `export const kinds = { 'a.no': 1 };`),
      readModule('verify/a.ts', `buildFinding('a.made', 'x'); const part = 'form';`),
    ];
    expect(findingCodeFaults(modules, ['a.made', 'container.form', 'a.no'])).toEqual([
      'a.no is in the registry of findings and nothing makes it',
    ]);
  });

  test('on error codes that are unused, unknown or wrongly reserved', () => {
    const modules = [
      readModule('base/error-codes.table.ts', `export const kinds = { 'a.unused': 1 };`),
      readModule('base/a.ts', `throw new InnsigliError('a.used', 'x');\n/** @throws a.unknown */`),
    ];
    expect(
      errorCodeFaults(modules, ['a.used', 'a.unused', 'a.kept'], { 'a.kept': 'later' }),
    ).toEqual([
      'a.unused is in the registry and nothing uses it',
      'base/a.ts:2 documents the unknown code a.unknown',
    ]);
    expect(
      errorCodeFaults(modules, ['a.used', 'a.unknown', 'a.unused'], {
        'a.used': 'x',
        'a.unused': 'x',
        'a.unknown': 'x',
      }),
    ).toEqual(['a.used is listed as reserved but is used or unknown']);
  });

  test('on packages that are unused, unpinned or not declared', () => {
    const manifest = {
      dependencies: { used: '1.0.0', idle: '1.0.0', loose: '^1.0.0', tested: '1.0.0' },
      devDependencies: { tool: '1.0.0', '@a/test': '1.0.0', inside: '1.0.0' },
    };
    const uses = [
      { path: 'src/a.ts', specifier: 'used/deep' },
      { path: 'src/a.ts', specifier: 'node:fs' },
      { path: 'src/a.ts', specifier: '@a/test/deep' },
      { path: 'test/a.ts', specifier: '@a/test' },
      { path: 'src/a.ts', specifier: 'loose' },
      { path: 'test/a.ts', specifier: 'tested' },
      { path: 'bench/a.mjs', specifier: 'innsigli' },
      { path: 'src/a.ts', specifier: 'absent' },
      { path: 'src/a.ts', specifier: 'inside' },
    ];
    const bundled = ['inside', 'used'];
    expect(dependencyFaults(manifest, uses, { tool: 'a program' }, bundled)).toEqual([
      'used is bundled, and users install it all the same',
      'src/a.ts imports @a/test/deep, which package.json does not provide',
      'src/a.ts imports absent, which package.json does not provide',
      'nothing imports idle',
      'loose is not pinned: ^1.0.0',
      'tested is a dependency and only tests or scripts import it',
    ]);
  });
});
