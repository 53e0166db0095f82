import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import { verifyXml } from '../../../../src/verify/xml/index.ts';

const corpora = join(import.meta.dirname, '../../../../../shared/corpora');
const nowMs = Date.UTC(2026, 5, 1);

/** XML files below a folder of the corpora. None, with a notice, if it is absent. */
function filesBelow(folder: string): readonly string[] {
  const path = join(corpora, folder);
  if (!existsSync(path)) {
    console.warn(`skipped: ${path} is not there`);
    return [];
  }
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.xml')).map((name) => join(path, name));
}

function reportsOn(path: string) {
  return verifyXml(parseXml(readFileSync(path)), { anchors: [], nowMs });
}

const data = 'pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data';
const lists = filesBelow(`${data}/tl`);

describe.runIf(lists.length > 0)('signatures of trusted lists in the corpora', () => {
  test.each(lists)('are intact: %s', (path) => {
    const reports = reportsOn(path);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({
      form: 'xades',
      intact: true,
      coverage: 'document',
      level: 'B-B',
      subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
    });
  });
});

/** Level and integrity that follow from the files. `undefined`: no baseline signature. */
const checked: Readonly<Record<string, readonly (readonly [boolean, string | undefined])[]>> = {
  'Signature-X-AT-1.xml': [[true, undefined]],
  'Signature-X-BG-1.xml': [[false, undefined]],
  'Signature-X-CZ_SEF-4.xml': [[true, 'B-T']],
  'Signature-X-ES-100.xml': [[true, 'B-T']],
  'Signature-X-FR_NOT-3.xml': [[true, undefined]],
  'Signature-X-HU_POL-3.xml': [[true, 'B-LTA']],
  'Signature-X-PT-4.xml': [[false, undefined]],
  'Signature-X-RO_TRA-15.xml': [[true, undefined]],
  'Signature-X-RO_TRA-4.xml': [
    [false, undefined],
    [false, undefined],
  ],
  'Signature-X-SK_DIT-1.xml': [[true, 'B-B']],
  'X-B-LT-two-sigs.xml': [
    [true, 'B-T'],
    [true, 'B-T'],
  ],
};
const dss = filesBelow('dss-xades').filter((path) => checked[path.split('/').at(-1) ?? '']);

describe.runIf(dss.length > 0)('XAdES signatures of other producers in the corpora', () => {
  test.each(dss)('have the known result: %s', (path) => {
    const found = reportsOn(path).map(({ intact, level }) => [intact, level]);
    expect(found).toEqual(checked[path.split('/').at(-1) ?? '']);
  });
});

const all = ['dss-xades', 'santuario', 'xmlsec', 'xml-crypto', data].flatMap(filesBelow);

test.runIf(all.length > 0)('every file of the corpora gives a report or an xml.* error', () => {
  let signatures = 0;
  for (const path of all) {
    try {
      signatures += reportsOn(path).length;
    } catch (error) {
      expect(isInnsigliError(error) && error.code.startsWith('xml.'), path).toBe(true);
    }
  }
  expect(signatures).toBeGreaterThan(200);
});
