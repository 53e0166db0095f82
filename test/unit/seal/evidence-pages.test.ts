import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { isTimeZone, zonedTime } from '../../../src/base/time/time-zone.ts';
import { type LocaleCode, localeOf, locales } from '../../../src/base/words/locale.ts';
import { textWidth } from '../../../src/seal/appearance/index.ts';
import { blocksOf } from '../../../src/seal/evidence/blocks.ts';
import { layoutPages } from '../../../src/seal/evidence/flow-pages.ts';
import {
  type EvidenceRecord,
  type EvidenceSignee,
  maskRecord,
} from '../../../src/seal/evidence/index.ts';
import {
  type PlacedBlock,
  type PlacedText,
  pageFrame,
  placeFooter,
} from '../../../src/seal/evidence/page-layout.ts';

const hash = 'ab'.repeat(32);
const at = '2026-07-21T22:04:05.678Z';

const signeeOf = (number: number, more: Partial<EvidenceSignee> = {}): EvidenceSignee => ({
  ...{ keySha256: hash, name: `Signee ${number}`, signatureType: 'Simple' },
  ...{ signedAt: at, method: 'code', channel: 'Sms', email: `s${number}@work.example` },
  ...{ phoneNumber: `55512${number}`, ip: '192.0.2.1', userAgent: 'Browser '.repeat(12) },
  ...{ invitedAt: at, viewedAt: at, sessionId: hash, signedSha256: hash, field: 'Signature1' },
  ...more,
});

function recordOf(signeeCount: number, more: Partial<EvidenceRecord> = {}): EvidenceRecord {
  const by = 'owner@acme.example';
  return {
    format: 'innsigli.evidence',
    version: 1,
    madeAt: at,
    isSimulated: false,
    company: { key: 'c1', name: 'Prófun ehf.' },
    process: {
      ...{ key: 'sp1', flowName: 'Samningar', fileName: 'Samningur.pdf', createdAt: at },
      ...{ user: by, userName: 'Guðrún Eva', timeZone: 'Europe/Prague' },
    },
    documents: {
      signed: { sha256: hash, lengthBytes: 10 },
      sealed: { sha256: 'cd'.repeat(32), lengthBytes: 20, level: 'B-LTA' },
    },
    signees: Array.from({ length: signeeCount }, (_, index) => signeeOf(index + 1)),
    signatures: [],
    steps: [
      { seq: 1, at, status: 'Created', by, facts: {}, hash },
      {
        ...{ seq: 2, at, status: 'SignupSent', by: 'System', hash, signeeName: 'Signee 1' },
        ...{ description: 'by e-mail: <ms1@mail.acme.example>', facts: { to: 's1@work.example' } },
      },
    ],
    deliveries: [
      { kind: 'mail', what: 'Signup', to: 's1@work.example', state: 'sent', attempts: 1, at },
      { kind: 'webhook', what: 'AllSigned', to: 'hook.example', state: 'done', attempts: 1, at },
    ],
    chain: { count: 1, head: hash },
    ...more,
  };
}

const fonts = await readStampFonts();
const pagesOf = (record: EvidenceRecord, language: LocaleCode = 'en') =>
  layoutPages(blocksOf(record, hash, language), fonts, localeOf(language).evidence.continued);
const textOf = (block: PlacedBlock) => block.texts.map(({ text }) => text).join(' ');
const isLead = ({ kind }: PlacedBlock) => kind === 'name' || kind === 'heading';

describe('the first page of the evidence', () => {
  test.each(locales)(
    'summarises document, digest, signees, times, methods and result: %s',
    (language) => {
      const [first = [], second = []] = pagesOf(recordOf(3), language);
      const { labels, result, document, title } = localeOf(language).evidence;
      const texts = first.map(textOf);
      expect(texts[0]).toBe(title);
      expect(texts[1]).toBe(`${result} B-LTA`);
      expect(texts).toContain(`${labels.fileName} Samningur.pdf`);
      expect(texts).toContain(`${labels.sealed} SHA-256 ${'cd'.repeat(32)}`);
      expect(texts).toContain(`${labels.createdBy} Guðrún Eva, owner@acme.example`);
      expect(texts).toContain(`${labels.timeZone} Europe/Prague`);
      expect(texts.filter((text) => text.startsWith('Signee '))).toHaveLength(3);
      const signedAt = `${labels.signedAt} 2026-07-22 00:04:05 UTC+02:00`;
      expect(texts.filter((text) => text === signedAt)).toHaveLength(3);
      expect(texts.filter((text) => text.startsWith(`${labels.method} `))).toHaveLength(3);
      expect(textOf(second[0] as PlacedBlock)).toBe(document);
    },
  );
});

describe('page breaks in the evidence', () => {
  /** Every run of blocks between headings or names, with whether it ends a page. */
  const runs = (pages: readonly (readonly PlacedBlock[])[]) =>
    pages.flatMap((page) => page.map((block, index) => ({ block, next: page[index + 1] })));

  test.each([1, 2, 3, 5, 8, 13, 20])(
    'never divide the block of a signee, with %i signees',
    (count) => {
      const rowsOfEach = blocksOf(recordOf(1), hash, 'en').filter(({ kind }) => kind === 'row');
      expect(rowsOfEach.length).toBeGreaterThan(10);
      const pages = pagesOf(recordOf(count));
      expect(pages.length).toBeGreaterThan(1);
      for (const [number, page] of pages.entries()) {
        // A page that started in the middle of a run would start with one of its rows.
        expect(number === 0 ? 'title' : page[0]?.kind).toMatch(/^(title|heading|name)$/);
        const isCut = page[0]?.isRepeated === true;
        expect(isCut && page[0]?.kind === 'name').toBe(false);
        for (const { texts } of page) {
          for (const { y } of texts) expect(y).toBeGreaterThan(pageFrame.bottom - 1);
        }
      }
      for (const { block, next } of runs(pages)) if (isLead(block)) expect(next).toBeDefined();
    },
  );

  test('continue a block longer than a page below its repeated heading', () => {
    const long = Object.fromEntries(
      ['reason', 'certificate', 'userAgent', 'sessionId', 'field', 'method', 'ip', 'channel'].map(
        (name) => [name, `${name} ${'W'.repeat(290)}`],
      ),
    );
    const longest = signeeOf(1, {
      ...long,
      ...{ email: 'W'.repeat(300), phoneNumber: 'W'.repeat(300), personalCode: 'W'.repeat(300) },
      signatureType: 'W'.repeat(300),
    });
    const pages = pagesOf(recordOf(0, { signees: [longest] }));
    const repeated = pages.slice(2).map(([first]) => first as PlacedBlock);
    const names = repeated.filter(({ kind }) => kind === 'name');
    expect(names.map(textOf)).toContain('Signee 1 (continued)');
    expect(names.every(({ isRepeated }) => isRepeated)).toBe(true);
  });

  test('continue a list below its repeated heading', () => {
    const [step] = recordOf(1).steps as [EvidenceRecord['steps'][number]];
    const steps = Array.from({ length: 150 }, () => step);
    const pages = pagesOf(recordOf(1, { steps }), 'is');
    const firsts = pages.slice(2).map(([first]) => textOf(first as PlacedBlock));
    expect(firsts.filter((text) => text === 'Atburðir (framhald)').length).toBeGreaterThan(1);
  });
});

test.each([
  ['UTC', '2026-07-21 22:04:05 UTC'],
  ['Atlantic/Reykjavik', '2026-07-21 22:04:05 UTC'],
  ['Europe/Prague', '2026-07-22 00:04:05 UTC+02:00'],
  ['America/St_Johns', '2026-07-21 19:34:05 UTC-02:30'],
  ['Asia/Kathmandu', '2026-07-22 03:49:05 UTC+05:45'],
])('formats a time in %s', (zone, expected) => {
  expect(isTimeZone(zone)).toBe(true);
  expect(zonedTime(Date.parse(at), zone)).toBe(expected);
});

test.each(['', 'Reykjavik', '+01:00', 'Europe/Prague\n', '../etc', 'x'.repeat(80), '__proto__'])(
  'rejects %j as a time zone',
  (name) => expect(isTimeZone(name)).toBe(false),
);

describe('the evidence', () => {
  const secrets = ['s1@', 'work.example', 'owner@', 'acme.example', 'hook.example', '192.0.2.1'];
  const numbers = ['555121', '555122'];

  test.each(locales)('masked for signees contains no number, address or host: %s', (language) => {
    const masked = maskRecord(recordOf(2), hash);
    const whole = `${JSON.stringify(masked)}\n${blocksOf(masked, hash, language)
      .map(({ label, text }) => `${label} ${text}`)
      .join('\n')}`;
    expect([...secrets, ...numbers].filter((each) => whole.includes(each))).toEqual([]);
    // Omitted values leave no empty row.
    expect(blocksOf(masked, hash, language).filter(({ text }) => text === '…')).toEqual([]);
    expect(whole).toContain('Guðrún Eva');
  });

  test('for the company contains all of them', () => {
    const whole = JSON.stringify(recordOf(2));
    for (const each of [...secrets, ...numbers]) expect(whole).toContain(each);
  });
});

/** The end of a text, from the left edge of the page. */
const endOf = ({ text, x, size, bold }: PlacedText) =>
  x + textWidth(text, bold ? fonts.bold : fonts.regular, size);
const rightEdge = pageFrame.width - pageFrame.right + 0.01;

test.each(locales)('long values stay inside the page, beside their labels: %s', (language) => {
  const wide = 'W'.repeat(120);
  const usual = recordOf(1);
  const process = { ...usual.process, flowName: wide, fileName: `${wide}.pdf`, userName: wide };
  const record = recordOf(1, {
    checkUrl: `https://${'sign-here.'.repeat(12)}example/documents/s/verify`,
    company: { key: 'c1', name: wide },
    process: { ...process, timeZone: 'America/Argentina/ComodRivadavia' },
    signees: [signeeOf(1, { name: wide, channel: wide, signatureType: wide })],
  });
  const texts = pagesOf(record, language).flatMap((page) => page.map((block) => block.texts));
  expect(texts.flat().filter((text) => endOf(text) > rightEdge)).toEqual([]);
  const hidden = texts.flatMap((all) =>
    all.filter((label, at) => {
      const value = all[at + 1];
      return value !== undefined && value.x > label.x && endOf(label) > value.x;
    }),
  );
  expect(hidden).toEqual([]);
});

test.each([
  ['sp1 · Page 1 / 2', 1],
  [`${'Ǆ'.repeat(60)} · Page 1 / 2`, 2],
  [`${'a word '.repeat(30)} · Page 1 / 2`, 2],
])('the page footer stays inside the page, below the text: %s', (text, count) => {
  const rows = placeFooter(text, fonts);
  expect(rows).toHaveLength(count);
  expect(
    rows
      .map((row) => row.text)
      .join(' ')
      .replace(/\s+/g, ''),
  ).toBe(text.replace(/\s+/g, ''));
  for (const row of rows) {
    expect(row.x).toBeGreaterThanOrEqual(pageFrame.left - 0.01);
    expect(endOf(row)).toBeLessThanOrEqual(rightEdge);
    expect(row.y).toBeGreaterThan(0);
    expect(row.y + row.size).toBeLessThan(pageFrame.bottom);
  }
});
