/**
 * The reference lists for each method of a service exactly the codes that its operation declares.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codesOf } from '../../scripts/api-codes.ts';
import { everywhere } from '../support/declared-codes.ts';

const page = readFileSync('docs/api/toolkit.md', 'utf8');

/** Each method of a service with tables, and the codes and families listed on the page. */
const methods = page.split(/^### /m).flatMap((section) => {
  const [, service = ''] = /^(\w+Service)$/m.exec(section.split('\n', 1)[0] ?? '') ?? [];
  // These two belong to no company and have no tables.
  if (service === '' || /^(Register|Storage)/.test(service)) return [];
  return section
    .split(/^#### /m)
    .slice(1)
    .map((text) => {
      const [name = ''] = text.split('\n', 1);
      const [, sentence = ''] = /^Throws (.*)\.$/m.exec(text) ?? [];
      const words = sentence.match(/[a-z0-9_]+(?:\.[a-z0-9_]+)*(?:\.\*)?/g) ?? [];
      const thrown = words.filter((each) => each.includes('.') || /^\d{4,5}$/.test(each));
      return { service, name, thrown };
    });
});

test('the methods of all services are found', () => {
  expect(methods.length).toBeGreaterThan(140);
  expect(methods.filter(({ thrown }) => thrown.length > 0).length).toBeGreaterThan(90);
});

test.each(methods)(
  '$service $name declares exactly the error codes that its comment lists',
  (each) => {
    const declared = codesOf(each.service, each.name);
    const isSaid = (code: string) => each.thrown.some((said) => isSame(said, code));
    expect(each.thrown.filter((said) => !isDeclared(said, declared))).toEqual([]);
    expect(declared.filter((code) => !isSaid(code))).toEqual([]);
  },
);

/** True for the code itself, and for its family: `store.*`. */
function isSame(said: string, code: string): boolean {
  return said === code || (said.endsWith('.*') && code.startsWith(said.slice(0, -1)));
}

function isDeclared(said: string, declared: readonly string[]): boolean {
  return declared.some((code) => isSame(said, code)) || everywhere.test(said.replace('*', 'x'));
}
