import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../../src/formats/xml/index.ts';
import { verifyXml } from '../../src/verify/xml/index.ts';

const folder = join(
  import.meta.dirname,
  '../../../shared/corpora/santuario/src/test/resources/interop/c14n',
);
const isAbsent = !existsSync(folder);
const note = isAbsent ? ' (skipped: ../shared/corpora is not there)' : '';
if (isAbsent) console.warn(`references with XPath by others${note}`);

// Signatures from several products, whose XPath filters select elements, texts, attributes and
// namespace nodes individually; three in Y4 and in Y5 select nothing.
describe.skipIf(isAbsent)(`published signatures with XPath references${note}`, () => {
  test.each([
    ['Y3/signature.xml', 8, 0],
    ['Y4/signature.xml', 27, 3],
    ['Y5/signature.xml', 27, 3],
    ['Y5/signatureCommented.xml', 27, 3],
  ])('%s: has the expected valid and empty references', (name, count, empty) => {
    const document = parseXml(readFileSync(join(folder, name)));
    const findFile = (uri: string) => readFileSync(join(folder, dirname(name), basename(uri)));
    const [report] = verifyXml(document, { anchors: [], nowMs: Date.UTC(2026, 5, 1), findFile });
    const references = report?.references ?? [];
    expect(references.filter(({ status }) => status === 'valid')).toHaveLength(count);
    expect(references.filter(({ scope }) => scope === 'nothing')).toHaveLength(empty);
    expect(report).toMatchObject({ intact: true, indication: 'INDETERMINATE' });
    expect(report?.coverage).not.toBe('document');
  });
});
