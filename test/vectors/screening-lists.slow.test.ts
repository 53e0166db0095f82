import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bindOperations } from '../../src/app/operation.ts';
import { screeningOperations } from '../../src/app/screening/index.ts';
import { openTestStore, testCompany, testNowMs } from '../support/store.ts';

const folder = join(import.meta.dirname, '../../../shared/corpora/lists');
const isAbsent = !existsSync(folder);
const note = isAbsent ? ' (skipped: ../shared/corpora is absent)' : '';

const textOf = (path: string) => readFileSync(join(folder, path), 'latin1');
const count = (path: string, pattern: RegExp) => textOf(path).match(pattern)?.length ?? 0;
const cells = (path: string, pattern: RegExp) =>
  new Set([...textOf(path).matchAll(pattern)].map(([, id]) => id)).size;

async function openScreening() {
  const opened = await openTestStore();
  onTestFinished(opened.close);
  const ports = {
    ...{ store: opened.store, blobs: opened.blobs, now: () => testNowMs },
    random: (size: number) => new Uint8Array(size),
    ...{ mayUseFictionalList: false, listsMaxAgeDays: 7, screeningsPerMinute: 60 },
    ...{ listSources: [], fetchList: async () => new Uint8Array() },
  };
  return bindOperations(screeningOperations, ports, testCompany.key);
}

const file = (path: string) => ({
  name: path.split('/').at(-1) ?? '',
  content: readFileSync(join(folder, path)),
});

interface Row {
  readonly name: string;
  readonly format: string;
  readonly files: readonly string[];
  readonly published?: string;
  /** Counts of the file itself, independent of our reader. */
  readonly persons: () => number;
  readonly others: () => number;
}

const unRow = (path: string, published: string): Row => ({
  ...{ name: path, format: 'un-xml', files: [path], published },
  persons: () => count(path, /<INDIVIDUAL>/g),
  others: () => count(path, /<ENTITY>/g),
});
const [sdn, sample, eu, uk, ofsi] = [
  ...['ofac/sdn.csv', 'ofac/sdn_sample.xml', 'eu/fsf_sample_1_1.xml'],
  ...['uk/uk_sanctions_list_header_sample.csv', 'uk/hmt_conlist_sample.csv'],
] as const as readonly [string, string, string, string, string];

const rows: readonly Row[] = [
  unRow('un/UN_consolidated.2025-04-19.xml', '2025-04-19'),
  unRow('un/UN_consolidated.older.xml', '2020-11-30'),
  {
    ...{ name: 'SDN with aliases', format: 'ofac-sdn-csv' },
    files: [sdn, 'ofac/alt.csv', 'ofac/sdn_comments.csv'],
    persons: () => count(sdn, /^\d+,"[^"]*","individual"/gm),
    others: () => count(sdn, /^\d+,/gm) - count(sdn, /^\d+,"[^"]*","individual"/gm),
  },
  {
    ...{ name: 'SDN, XML', format: 'ofac-sdn-xml', files: [sample], published: '2020-04-22' },
    persons: () => count(sample, /<sdnType>Individual/g),
    others: () => count(sample, /<sdnType>(?!Individual)/g),
  },
  {
    ...{ name: 'EU', format: 'eu-fsf-xml', files: [eu], published: '2020-04-15' },
    persons: () => count(eu, /<subjectType[^>]* classificationCode="P"/g),
    others: () => count(eu, /<subjectType[^>]* classificationCode="E"/g),
  },
  {
    ...{ name: 'UK', format: 'uk-csv', files: [uk], published: '2026-02-13' },
    persons: () => cells(uk, /^[^\n]*?,([A-Z]{3}\d+),[^\n]*,Individual,/gm),
    others: () => cells(uk, /^[^\n]*?,([A-Z]{3}\d+),[^\n]*,Entity,/gm),
  },
  {
    ...{ name: 'OFSI', format: 'uk-csv', files: [ofsi], published: '2020-04-27' },
    persons: () => cells(ofsi, /,Individual,[^\n]*,(\d+)\s*$/gm),
    others: () => cells(ofsi, /,(?:Entity|Ship),[^\n]*,(\d+)\s*$/gm),
  },
];

describe.skipIf(isAbsent)(`published screening lists${note}`, () => {
  test.each(rows)('$name: as many entries are imported as the file contains', async (row) => {
    const screening = await openScreening();
    const files = row.files.map(file);
    const version = await screening.importList({ list: 'real', files });
    const { persons, others } = version;
    expect(persons).toBeGreaterThan(0);
    expect({ persons, others }).toEqual({ persons: row.persons(), others: row.others() });
    expect([version.format, version.publishedDate]).toEqual([row.format, row.published]);
    const tested = await screening.selfTest();
    expect([tested.names, tested.failed]).toEqual([version.names, []]);
  });

  test('the difference of two UN versions names the added, changed and removed entries', async () => {
    const screening = await openScreening();
    const [newer, older] = rows.slice(0, 2).map(({ files }) => files.map(file));
    await screening.importList({ list: 'un', files: older ?? [] });
    await screening.importList({ list: 'un', files: newer ?? [], acceptShrink: true });
    const { added, changed, removed } = await screening.diffList('un');
    const ids = (path: string) =>
      new Set(
        [...textOf(path).matchAll(/<INDIVIDUAL>\s*<DATAID>(\d+)/g)].map(([, id]) => id ?? ''),
      );
    const [now, then] = rows.slice(0, 2).map(({ files }) => ids(files[0] ?? ''));
    const only = (one?: Set<string>, other?: Set<string>) =>
      [...(one ?? [])].filter((id) => other?.has(id) === false).sort();
    expect(added.map(({ key }) => key).sort()).toEqual(only(now, then));
    expect(removed.map(({ key }) => key).sort()).toEqual(only(then, now));
    expect(changed.length).toBeGreaterThan(0);
    console.info(`UN: ${added.length} added, ${changed.length} changed, ${removed.length} removed`);
  });

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000)],
    ['in UTF-16', (bytes: Buffer) => Buffer.from(bytes.toString(), 'utf16le')],
    ['with a document type', (bytes: Buffer) => Buffer.concat([doctype, bytes.subarray(38)])],
    ['with fewer persons', (bytes: Buffer) => without(bytes)],
  ])('a UN list %s is rejected and changes nothing', async (_, change) => {
    const screening = await openScreening();
    const [first] = rows[0]?.files.map(file) ?? [];
    const before = await screening.importList({ list: 'un', files: first ? [first] : [] });
    const content = change(Buffer.from(first?.content ?? []));
    const files = [{ name: 'un.xml', content }];
    await expect(screening.importList({ list: 'un', files })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:xml|screening\.list)\./),
    });
    expect(await screening.lists()).toEqual([expect.objectContaining({ sha256: before.sha256 })]);
  });
});

const doctype = Buffer.from('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>');

function without(bytes: Buffer): Buffer {
  const text = bytes.toString();
  const start = text.indexOf('<INDIVIDUAL>');
  let end = start;
  for (let at = 0; at < 100; at++) end = text.indexOf('</INDIVIDUAL>', end) + 13;
  return Buffer.from(text.slice(0, start) + text.slice(end));
}
