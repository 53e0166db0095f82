import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listFiles } from '../../../scripts/corpus/files.ts';
import { worseThan } from '../../../scripts/corpus/qpdf.ts';
import { documentOf, type Row } from '../../../scripts/corpus/report.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

describe('worseThan', () => {
  const verdict = (exitCode: number, ...complaints: string[]) => ({ exitCode, complaints });
  it.each([
    ['clean stays clean', verdict(0), verdict(0), undefined],
    ['the same warning', verdict(3, 'a'), verdict(3, 'a'), undefined],
    ['one warning fewer', verdict(3, 'a', 'b'), verdict(3, 'b'), undefined],
    ['an error became a warning', verdict(2, 'a'), verdict(3, 'a'), undefined],
    ['clean became warnings', verdict(0), verdict(3, 'a'), 'qpdf --check: 0 became 3'],
    ['warnings became errors', verdict(3, 'a'), verdict(2, 'a'), 'qpdf --check: 3 became 2'],
    ['a different warning', verdict(3, 'a'), verdict(3, 'b'), 'qpdf --check: b'],
  ])('reports only new warnings and failures: %s', (_name, before, after, expected) => {
    expect(worseThan(before, after)).toBe(expected);
  });
});

describe('documentOf', () => {
  it('counts a file as sealed only if it is sealed at every level', () => {
    const row = (
      file: string,
      level: Row['level'],
      outcome: string,
      inQpdf: 'clean' | 'warned' | 'refused',
    ) => ({
      file,
      level,
      outcome,
      inQpdf,
    });
    const rows = [
      row('a.pdf', 'B-B', 'sealed', 'clean'),
      row('a.pdf', 'B-LTA', 'sealed', 'clean'),
      row('b.pdf', 'B-B', 'sealed', 'warned'),
      row('b.pdf', 'B-LTA', 'broken', 'warned'),
      row('c.pdf', 'B-B', 'sealed', 'refused'),
      row('c.pdf', 'B-LTA', 'sealed', 'refused'),
      row('d.pdf', 'B-B', 'pdf.certified.locked', 'clean'),
      row('d.pdf', 'B-LTA', 'pdf.certified.locked', 'clean'),
    ];
    const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => ({ name, path: `/${name}` }));
    const secret = { name: 'c.pdf', path: '/c.pdf', password: 'x' };
    const found = documentOf([...files.slice(0, 2), secret], rows);
    expect(found.counts).toMatchObject({ 'B-B sealed': 3, 'B-LTA sealed': 2, 'B-LTA broken': 1 });
    expect(found.clean).toEqual({ counted: 2, sealed: 1, forbidden: 1 });
    expect(found.open).toEqual({ counted: 3, sealed: 1, forbidden: 1 });
    expect(found.withPassword).toEqual({ counted: 1, sealed: 1, forbidden: 0 });
    expect(found.qpdf).toBe(true);
    expect(documentOf([], [{ file: 'a', level: 'B-B', outcome: 'sealed' }]).qpdf).toBe(false);
  });
});

describe('listFiles', () => {
  let folder = '';
  beforeAll(() => {
    folder = newTemporaryFolder('runner');
    mkdirSync(join(folder, 'in', 'deep'), { recursive: true });
    for (const name of ['b.pdf', 'A.PDF', 'deep/c.pdf', 'note.txt']) {
      writeFileSync(join(folder, 'in', name), '');
    }
    const rows = ['in/b.pdf\tpdf\topens with password " " x', 'in/A.PDF\topens with password "m"'];
    writeFileSync(join(folder, 'manifest.tsv'), rows.join('\n'));
    writeFileSync(join(folder, 'passwords.tsv'), 'in/A.PDF\tlisted\n');
  });

  it('finds every PDF below, with passwords of a list before those of a manifest', () => {
    const found = listFiles(join(folder, 'in'), undefined);
    expect(found.map(({ name, password }) => [name, password])).toEqual([
      ['A.PDF', 'listed'],
      ['b.pdf', ' '],
      [join('deep', 'c.pdf'), undefined],
    ]);
  });
});
