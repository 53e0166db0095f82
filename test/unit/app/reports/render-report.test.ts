import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../../src/adapters/appearance/index.ts';
import { type ReportFormat, renderReport } from '../../../../src/app/reports/index.ts';
import { drawing } from '../../../../src/app/reports/pdf.ts';
import { localeOf, locales } from '../../../../src/base/words/locale.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import type { FindingCode } from '../../../../src/verify/report/report.ts';
import { someReport, someSignature } from './some-report.ts';

const software = 'innsigli 0.0.0';
const ports = { fonts: readStampFonts };

const hostileNames = [
  ['a right-to-left mark', 'Anna\u202egnp.exe\u2066'],
  ['ten kilobytes', 'A'.repeat(10_000)],
  ['markup', '<script>alert(1)</script>&amp;"\''],
  ['lone surrogates, controls and no character at all', '\ud800\u0000\u001b[31m\uffff\u{10ffff}'],
  ['Hebrew and Chinese', 'דוד 契約'],
  ['the end of a comment and of a section', ']]> --> <!-- %>'],
] as const;

const hostileReport = (name: string) =>
  someReport(
    someSignature({
      field: name,
      name,
      reason: name,
      location: name,
      anchor: `CN=${name}`,
      signer: {
        subject: `CN=${name}`,
        issuer: `CN=${name}`,
        serialNumber: '01',
        notBefore: '2025-01-01T00:00:00.000Z',
        notAfter: '2027-01-01T00:00:00.000Z',
      },
      findings: [{ code: name as FindingCode, severity: 'error', message: name }],
      buildingBlocks: [
        { name: 'format-checking', indication: 'PASSED', constraint: name, message: name },
      ],
      timestamps: [
        { time: name, authority: `CN=${name}`, serialNumber: '', valid: true, trusted: false },
      ],
    }),
  );

const render = (name: string, format: ReportFormat) =>
  renderReport(hostileReport(name), { format, software, document: { name } }, ports);

describe.each(hostileNames)('a hostile name: %s', (_, name) => {
  test('injects no element, attribute or bidirectional control into HTML', async () => {
    const html = Buffer.from(await render(name, 'html')).toString('utf8');
    expect(html).not.toMatch(/<(script|img|a|iframe|link|object|embed|form|input)\b/i);
    expect(html).not.toMatch(/\son\w+=/i);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\ud800-\udfff]/u);
    const isControl = (code: number) => code < 32 && code !== 10;
    expect([...html].some((each) => isControl(each.codePointAt(0) ?? 0))).toBe(false);
    expect(html.length).toBeLessThan(30_000);
    // Every element except void ones is closed, so the page is well-formed apart from those.
    const body = html.slice(html.indexOf('<body>'), html.indexOf('</html>'));
    parseXml(Buffer.from(body, 'utf8'));
  });

  test('leaves the XML well-formed', async () => {
    const xml = await render(name, 'xml');
    const { root } = parseXml(xml);
    expect(root.localName).toBe('ValidationReport');
  });

  test('is drawn in the PDF', async () => {
    const pdf = await render(name, 'pdf');
    expect(pdf.length).toBeLessThan(200_000);
    expect(Buffer.from(pdf).toString('latin1')).not.toContain('<script>');
  });
});

describe('a report in each language', () => {
  test.each(locales)('has no gaps in %s', async (language) => {
    const report = someReport(someSignature({ reason: 'Approved', certifies: 2 }));
    const request = { format: 'html', language, software } as const;
    const html = Buffer.from(await renderReport(report, request, ports)).toString('utf8');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toMatch(/\{\{|undefined/);
    await renderReport(report, { ...request, format: 'pdf' }, ports);
  });

  test.each(locales)(
    '%s: the fonts have glyphs for every character of its texts',
    async (language) => {
      const { regular, bold } = await readStampFonts();
      const letters = new Set(JSON.stringify(localeOf(language).report));
      const missing = [...letters].filter((each) => {
        const code = each.codePointAt(0) ?? 0;
        return regular.glyphOf(code) === 0 || bold.glyphOf(code) === 0;
      });
      expect(missing).toEqual([]);
    },
  );
});

test('the same report is rendered to the same bytes', async () => {
  const report = someReport(someSignature());
  for (const format of ['html', 'pdf', 'xml', 'json'] as const) {
    const [one, other] = await Promise.all(
      [1, 2].map(() => renderReport(report, { format, software }, ports)),
    );
    expect(one).toEqual(other);
  }
});

test('claims are separated from verified facts', async () => {
  const report = someReport(someSignature({ name: 'Somebody Else', location: 'Paris' }));
  const html = Buffer.from(await renderReport(report, { format: 'html', software }, ports));
  const claims = /<div class="claims">([\s\S]*?)<\/dl>/.exec(html.toString('utf8'))?.[1];
  expect(claims).toContain('Claimed in the document, not verified');
  expect(claims).toContain('Somebody Else');
  expect(claims).toContain('Paris');
});

test('a right-to-left name does not change the direction of the sentence around it', async () => {
  const signer = { ...someSignature().signer, subject: 'CN=דוד כהן' };
  const report = someReport(someSignature({ signer, anchor: 'CN=هيئة' } as never));
  const html = Buffer.from(await renderReport(report, { format: 'html', software }, ports));
  const time = '<span class="time">2026-01-02 03:04:05 UTC</span>';
  expect(html.toString('utf8')).toContain(
    `<p><bdi>דוד כהן</bdi> signed it; a time-stamp proves that the signature existed at ${time}.</p>`,
  );
  expect(html.toString('utf8')).toContain('comes from <bdi>هيئة</bdi>, which is trusted here');
});

test('the PDF writes characters missing from its fonts as code points and notes that', async () => {
  const { regular, bold } = await readStampFonts();
  const { drawable, hasEscaped } = drawing({ regular, bold });
  expect(drawable('Anna Jónsdóttir Ωμέγα Ж')).toBe('Anna Jónsdóttir Ωμέγα Ж');
  expect(hasEscaped()).toBe(false);
  expect(drawable('\u2068דוד 契約\u2069 Ltd 🙂')).toBe(
    '[U+05D3 U+05D5 U+05D3] [U+5951 U+7D04] Ltd [U+1F642]',
  );
  expect(hasEscaped()).toBe(true);
});

test('each format states that the document has no signature', async () => {
  const report = someReport();
  const html = Buffer.from(await renderReport(report, { format: 'html', software }, ports));
  expect(html.toString('utf8')).toContain('The document is not signed.');
  const xml = Buffer.from(await renderReport(report, { format: 'xml', software }, ports));
  expect(xml.toString('utf8')).toContain('the document has no signature');
  await renderReport(report, { format: 'pdf', software }, ports);
});
