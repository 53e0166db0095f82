import { expect, test } from 'vitest';
import { readStampFonts } from '../../../../src/adapters/appearance/index.ts';
import { renderReport } from '../../../../src/app/reports/index.ts';
import { nameOf } from '../../../../src/app/reports/shown-text.ts';
import { someReport, someSignature } from './some-report.ts';

const software = 'innsigli 0.0.0';
const ports = { fonts: readStampFonts };

test('a report on 4,096 signatures and time-stamps is bounded in time and size', {
  timeout: 20_000,
}, async () => {
  const signatures = Array.from({ length: 4_096 }, (_, index) =>
    someSignature({
      field: `Signature${index}`,
      kind: index % 2 === 0 ? 'signature' : 'document-timestamp',
    }),
  );
  const report = someReport(...signatures);
  for (const [format, most] of [
    ['html', 1_500_000],
    ['xml', 25_000_000],
    ['pdf', 2_000_000],
  ] as const) {
    const file = await renderReport(report, { format, software }, ports);
    expect(file.length, format).toBeLessThan(most);
  }
  const html = Buffer.from(await renderReport(report, { format: 'html', software }, ports));
  expect(html.toString('utf8')).toContain('+ 3896 more in the JSON file');
});

test('a name in a report may be several megabytes long', () => {
  const long = 10_000_000;
  expect(nameOf(`CN=${'a'.repeat(long)},O=b`)).toHaveLength(long);
  expect(nameOf(`CN=${'\\41'.repeat(long / 2)},O=b`)).toHaveLength(long / 2);
});
