import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const text = readFileSync('CONTRIBUTING.md', 'utf8').replace(/^```[\s\S]*?^```/gm, '');
const roots = [
  'src',
  'test',
  'scripts',
  'docs',
  'locales',
  'examples',
  'types',
  'bench',
  '.ci',
  'bin',
];
const entries = roots.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `${root}/${path}`),
);

// `xx` means any language, capitals mean a name to choose, `…` means the rest of a name.
const isPath = (word: string) =>
  /^[\w.…-]+(\/[\w.…-]+)*$/.test(word) &&
  /\/|\.(ts|json|md|txt)$/.test(word) &&
  !/^\.\.|\b(xx|x\.|NOUN|GROUP|NAME)|^(dist|build|node_modules)\b/.test(word);

/** The files and folders whose path ends with a path of the page. */
function found(word: string): readonly string[] {
  const pattern = word.replaceAll('.', '\\.').replaceAll('…', '[\\w-]*');
  const end = new RegExp(`(^|/)${pattern}$`);
  return existsSync(word) ? [word] : entries.filter((path) => end.test(path));
}

/** Whether a file or folder contains an identifier. */
const has = (path: string, name: string) =>
  /\.\w+$/.test(path) && new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8'));

const words = [...new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, word]) => `${word}`))];
const paths = words.filter(isPath);
const places = [...text.matchAll(/`(\w+)` of `([\w./-]+\.ts)`/g)].filter(([, , path]) =>
  isPath(`${path}`),
);

describe('CONTRIBUTING.md', () => {
  test('every path it names exists', () => {
    expect(paths.length).toBeGreaterThan(120);
    expect(paths.filter((path) => found(path).length === 0)).toEqual([]);
    expect(found('domain/process/no-such-file.ts')).toEqual([]);
  });

  test('every name it places in a file occurs there', () => {
    expect(places.length).toBeGreaterThan(30);
    const missing = places.filter(
      ([, name, path]) => !found(`${path}`).some((each) => has(each, `${name}`)),
    );
    expect(missing.map(([place]) => place)).toEqual([]);
  });
});
