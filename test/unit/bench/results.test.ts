import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Group, openResults, replaceGroups } from '../../../bench/results.mjs';
import { newTemporaryFolder } from '../../support/folders.ts';

const group = (title: string, measuredAt: string): Group => ({ title, measuredAt, rows: [] });
const about = { measuredAt: 'today', machine: '1 × m', node: 'v20', openssl: '3' };
const kept = [group('rates', 'old'), group('http', 'old')];

let folder: string;
beforeEach(() => {
  folder = newTemporaryFolder('bench');
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ groups: kept }));
  writeFileSync(join(folder, 'README.md'), 'before\n<!-- table --><!-- /table -->\nafter\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = () =>
  JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).groups.map(
    ({ title, measuredAt }: Group) => `${title} ${measuredAt}`,
  );

test('results of a measured part are replaced, and the others keep their date', () => {
  const results = openResults(folder, about);
  results.add([group('http', 'today')]);
  expect(written()).toEqual(['rates old', 'http today']);
  results.add([group('http', 'today'), group('store', 'today')]);
  expect(written()).toEqual(['rates old', 'http today', 'store today']);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readme).toMatch(
    /^before\n[\s\S]*### rates\n\nMeasured on old\.[\s\S]*### http[\s\S]*after\n$/,
  );
  results.replace([group('store', 'today')]);
  expect(written()).toEqual(['store today']);
});

test('a measured group replaces its previous results', () => {
  const measured = [group('store', 'new'), group('rates', 'new')];
  const titles = replaceGroups(kept, measured).map(({ title }) => title);
  expect(titles).toEqual(['rates', 'http', 'store']);
});
