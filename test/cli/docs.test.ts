import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorsPage } from '../../scripts/errors-doc.ts';
import { findingsPage } from '../../scripts/findings-doc.ts';
import { manPages } from '../../scripts/man.ts';
import { errorKinds } from '../../src/base/errors.ts';
import { exitCodes } from '../../src/cli/guide/index.ts';

const pages = await manPages();

describe('generated documentation (npm run docs)', () => {
  test('a command that also has subcommands has a page', () => {
    expect(pages.get('innsigli-remind.1')).toContain('delivery');
  });

  test('man/ has exactly one page per command', () => {
    expect(pages.size).toBeGreaterThan(8);
    expect(readdirSync('man').sort()).toEqual([...pages.keys()].sort());
  });

  test('package.json lists the man pages and ships them', () => {
    const { man, files } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([...man].sort()).toEqual([...pages.keys()].sort().map((name) => `./man/${name}`));
    expect(files).toContain('man');
  });

  test.each([
    ['innsigli-seal.1', '--level <level>', 'B-B, B-T, B-LT or B-LTA'],
    ['innsigli-seal.1', '--certify <permission>', 'p1 no changes, p2'],
    ['innsigli-seal.1', '--digest <name>', 'sha256, sha384 or sha512'],
    ['innsigli-seal.1', '--corner <name>', 'top-left, top-right, bottom-left, bottom-right'],
    ['innsigli-seal.1', '--development-key <kind>', 'rsa or ec'],
    ['innsigli-doctor.1', '--level <level>', 'B-B, B-T, B-LT or B-LTA'],
    ['innsigli-config-explain.1', '--digest <name>', 'sha256, sha384 or sha512'],
    ['innsigli-seal.1', '--tsa-timeout <time>', '10s, 800ms, 5 (seconds)'],
    ['innsigli-completion.1', 'shell', 'bash, zsh, fish'],
  ])('%s: %s lists its values', (name, flags, choices) => {
    const lines = pages.get(name)?.replaceAll('\\-', '-').split('\n') ?? [];
    const at = lines.findIndex((line) => line === `.B ${flags}` || line === `.I ${flags}`);
    expect(lines[at + 1]).toContain(choices);
  });

  test.each([
    ['innsigli-tsa-serve.1', 'name OCSP, CRL and issuer addresses on http://127.0.0.1:8318'],
    ['innsigli-seal.1', 'INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true'],
    ['innsigli-archive.1', 'INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true'],
    ['innsigli-archive.1', 'writes signed.archived-2.pdf'],
  ])('%s contains: %s', (name, text) => {
    expect(pages.get(name)?.replaceAll('\\-', '-').replace(/\s+/g, ' ')).toContain(text);
  });

  test.each([...pages])('man/%s is up to date', (name, text) => {
    expect(readFileSync(`man/${name}`, 'utf8')).toBe(text);
  });

  test('docs/errors.md is up to date', () => {
    expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsPage());
  });

  test('docs/findings.md is up to date', () => {
    expect(readFileSync('docs/findings.md', 'utf8')).toBe(findingsPage());
  });
});

test('every exit code of the error registry is explained', () => {
  const explained = new Set<number>(exitCodes.map(([code]) => code));
  for (const [code, { exitCode }] of Object.entries(errorKinds)) {
    expect(explained.has(exitCode), code).toBe(true);
  }
});
