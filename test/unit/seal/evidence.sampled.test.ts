import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { type LocaleCode, localeOf, locales } from '../../../src/base/words/locale.ts';
import { ownStatuses, publishedStatuses } from '../../../src/domain/activity/index.ts';
import { eventTypes } from '../../../src/domain/process/index.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asString,
  decodeText,
  listPages,
  openPdf,
} from '../../../src/formats/pdf/index.ts';
import { blocksOf } from '../../../src/seal/evidence/blocks.ts';
import { layoutPages } from '../../../src/seal/evidence/flow-pages.ts';
import { drawEvidence, type EvidenceRecord } from '../../../src/seal/evidence/index.ts';
import type { EvidenceSignee } from '../../../src/seal/evidence/record.ts';
import { costlyTest } from '../../support/sample.ts';

const hash = 'ab'.repeat(32);
const at = '2026-11-21T15:04:05.678Z';

function record(changes: Partial<EvidenceRecord> = {}): EvidenceRecord {
  const signee = { keySha256: hash, name: 'Þórður Łucja Čeněk Ödön', signatureType: 'Simple' };
  return {
    format: 'innsigli.evidence',
    version: 1,
    madeAt: at,
    isSimulated: false,
    company: { key: 'c1', name: 'Prófun ehf.' },
    process: { key: 'sp1', flowName: 'Samningar', fileName: 'Samningur.pdf', createdAt: at },
    documents: {
      signed: { sha256: hash, lengthBytes: 10 },
      sealed: { sha256: hash, lengthBytes: 20, level: 'B-LTA' },
    },
    signees: [{ ...signee, signedAt: at, ip: '192.0.2.1' }],
    signatures: [{ field: 'Signature1', kind: 'signature', isIntact: true, time: at }],
    steps: [{ seq: 1, at, status: 'Created', by: 'System', facts: {}, hash }],
    deliveries: [
      { kind: 'webhook', what: 'AllSigned', to: 'x.is', state: 'done', attempts: 1, at },
    ],
    chain: { count: 1, head: hash },
    ...changes,
  };
}

const draw = async (value: EvidenceRecord, language: LocaleCode = 'en') =>
  drawEvidence(value, hash, language, await readStampFonts());

describe('the evidence page', () => {
  test('is byte-identical for the same record, and tagged for screen readers', async () => {
    const bytes = await draw(record());
    expect(await draw(record())).toEqual(bytes);
    const file = openPdf(memorySource(bytes));
    expect(decodeText(asString(file.resolve(file.catalog.get('Lang'))) as never)).toBe('en');
    const tree = asDict(file.resolve(file.catalog.get('StructTreeRoot')));
    const [root] = asArray(file.resolve(tree?.get('K'))) ?? [];
    const elements = asArray(file.resolve(asDict(file.resolve(root))?.get('K'))) ?? [];
    const found = elements.map((item) => {
      const element = asDict(file.resolve(item));
      return {
        role: asName(file.resolve(element?.get('S')))?.value,
        mcid: asInteger(file.resolve(element?.get('K'))),
      };
    });
    expect(found[0]).toEqual({ role: 'H1', mcid: 0 });
    expect(found.filter(({ role }) => role === 'H2')).toHaveLength(7);
    // Numbered per page: the summary and the pages after it.
    const second = found.findLastIndex(({ mcid }) => mcid === 0);
    const numbers = found.map((_, index) => (index < second ? index : index - second));
    expect(second).toBeGreaterThan(5);
    expect(found.map(({ mcid }) => mcid)).toEqual(numbers);
  });

  test('spans many pages and counts what it omits', async () => {
    const step = record().steps[0] as EvidenceRecord['steps'][number];
    const signee = record().signees[0] as EvidenceRecord['signees'][number];
    const bytes = await draw(
      record({
        signees: Array.from({ length: 80 }, (_, index) => ({ ...signee, key: `si${index}` })),
        steps: Array.from({ length: 700 }, (_, index) => ({ ...step, seq: index + 1 })),
      }),
    );
    const pages = listPages(openPdf(memorySource(bytes))).length;
    expect(pages).toBeGreaterThan(12);
    expect(pages).toBeLessThan(40);
  });

  test.each([
    ['control characters and directions', 'A\u0000B\u202eC\nD'],
    ['a lone surrogate', 'A\ud83d'],
    ['characters missing from the font', '沒有 𝒜 🙂'],
    ['one very long word', 'W'.repeat(20_000)],
    ['nothing', ''],
  ])('accepts %s in names', async (_, name) => {
    const signee = record().signees[0] as EvidenceRecord['signees'][number];
    const bytes = await draw(record({ signees: [{ ...signee, name, userAgent: name }] }), 'is');
    expect(listPages(openPdf(memorySource(bytes))).length).toBeLessThan(4);
  });
});

describe('texts of the evidence page', () => {
  const texts = (value: EvidenceRecord, language: LocaleCode) =>
    blocksOf(value, hash, language).map(({ label = '', text }) => `${label} ${text}`.trim());
  const step = { seq: 1, at, by: 'System', facts: {}, hash };

  test.each([
    ['SigneeSigned', 'Undirritað', 'Signee signed'],
    ['Confirmation:delivered', 'Staðfesting: afhent', 'Confirmation: delivered'],
    ['SMS:DELIVERED', 'Smáskilaboð: afhent', 'Text message: delivered'],
    ['SomethingNew', 'Something new', 'Something new'],
    ['x:y:z', 'x: y', 'x: y'],
    ['__proto__', '__proto__', '__proto__'],
  ])('show the status %s in each language', (status, is, en) => {
    const value = record({ steps: [{ ...step, status }] });
    const time = '2026-11-21 15:04:05 UTC';
    expect(texts(value, 'is')).toContain(`${time} ${is}`);
    expect(texts(value, 'en')).toContain(`${time} ${en}`);
  });

  test('name the verification page if there is one', () => {
    const checkUrl = 'https://sign.example.test/s/verify';
    expect(texts(record({ checkUrl }), 'en')).toContain(`Check at ${checkUrl}`);
    expect(texts(record({ checkUrl }), 'hu')).toContain(`Ellen\u0151rz\u00e9s itt ${checkUrl}`);
    expect(texts(record(), 'en').join()).not.toContain('Check at');
  });

  const others = locales.filter((language) => language !== 'en');
  // Events that belong to no process are in no log.
  const otherEvents = new Set<string>(['CompanyTermination', 'EmailVerification']);
  const events = eventTypes.filter((type) => !otherEvents.has(type));

  test.each(others)('exist for every status and event of the log: %s', (language) => {
    const known = [...publishedStatuses, ...Object.keys(ownStatuses), ...events];
    const bare = known.filter((status) => {
      const [head = '', tail = 'sent'] = status.split(':');
      const terms = localeOf(language).terms;
      return !Object.hasOwn(terms, head) || !Object.hasOwn(terms, tail.toLowerCase());
    });
    expect(bare).toEqual([]);
    expect(Object.keys(localeOf(language).terms).sort()).toEqual(
      Object.keys(localeOf('is').terms).sort(),
    );
  });

  test.each(locales)('are complete in %s', async (language) => {
    const { labels } = localeOf(language).evidence;
    // The values are beside the labels.
    expect(Object.values(labels).filter((label) => label.length > 22)).toEqual([]);
    const file = openPdf(memorySource(await draw(record(), language)));
    expect(decodeText(asString(file.resolve(file.catalog.get('Lang'))) as never)).toBe(language);
    expect(texts(record(), language)).toContain(`${labels.fileName} Samningur.pdf`);
  });

  test('show descriptions, deliveries, signing methods and actors', () => {
    const value = record({
      signees: [
        {
          keySha256: hash,
          name: 'Jón',
          signatureType: 'Simple',
          signedAt: at,
          method: 'code',
          channel: 'Sms',
          field: 'Signature2',
          signedSha256: hash,
        },
      ],
      signatures: [
        { field: 'Signature2', kind: 'signature', signeeName: 'Jón', isIntact: true },
        { field: 'Signature3', kind: 'document-timestamp', isIntact: true },
      ],
      steps: [
        { ...step, status: 'SignupSent', description: 'by e-mail: <a@b>' },
        { ...step, status: 'WebhookSent', description: 'webhook 1: status 200, attempt 2' },
        {
          ...step,
          status: 'WebhookSent',
          description: 'webhook 2: AllSigned, status 200, attempt 1',
        },
        {
          ...step,
          status: 'SigningFailed',
          description: 'authentication.error.signee.logon.mismatch',
        },
        { ...step, status: 'SigneeSigned', by: 'owner@example.is', facts: { ip: '192.0.2.1' } },
      ],
      deliveries: [{ kind: 'sms', what: 'Signup', to: '555', state: 'sent', attempts: 1, at }],
    });
    const found = texts(value, 'is').join('\n');
    for (const line of [
      'Tegund Einskiptiskóði',
      'Aðferð einskiptiskóði, smáskilaboð',
      'Reitur í skjali Signature2',
      'Undirritandi Jón',
      'Skoðað skjal ekki skoðað í þessari þjónustu fyrir undirritun',
      `Skjal við undirritun SHA-256 ${hash}`,
      'Signature3 · tímastimpill',
      'Boð sent · með tölvupósti: <a@b>',
      'Vefkrókur afhentur · vefkrókur 1: staða 200, tilraun 2',
      'Vefkrókur afhentur · vefkrókur 2: Allir hafa undirritað, staða 200, tilraun 1',
      'Undirritað · IP-tala 192.0.2.1 · owner@example.is',
      'Smáskilaboð · Boð · 555 · sent · 1×',
      'Undirritun tókst ekki · auðkenndi sig sem annar',
    ]) {
      expect(found).toContain(line);
    }
    expect(found).not.toMatch(/System|SigneeSigned|document-timestamp/);
  });

  test.each([
    [{ shownSha256: hash, signedSha256: hash }, 'the signed document'],
    [{ shownSha256: 'cd'.repeat(32), signedSha256: hash }, `SHA-256 ${'cd'.repeat(32)}`],
    [{ signedSha256: hash }, 'not viewed in this service before the signature'],
  ])('show which document was viewed: %j', (digests, text) => {
    const [signee] = record().signees;
    const value = record({ signees: [{ ...(signee as EvidenceSignee), ...digests }] });
    expect(texts(value, 'en')).toContain(`Document viewed ${text}`);
  });

  test('show that any code of a test number was accepted, and a different certificate name', () => {
    const [signee] = record().signees;
    const odd = { method: 'code', channel: 'TestNumber', certificateName: 'Jón Jónsson' };
    const value = record({ signees: [{ ...(signee as EvidenceSignee), ...odd }] });
    const found = texts(value, 'en');
    expect(found).toContain('Method one-time code, test number, any code');
    expect(found).toContain('Name in certificate Jón Jónsson');
  });

  costlyTest('never leave only a few excess lines on the last page', async () => {
    const fonts = await readStampFonts();
    const foot = (pageCount: number, blocks: ReturnType<typeof blocksOf>) => {
      const pages = layoutPages(blocks, fonts, '…');
      const last = pages.at(-1) ?? [];
      return pages.length === pageCount ? last.length : Number.POSITIVE_INFINITY;
    };
    for (let count = 60; count < 200; count += 1) {
      const value = record({
        steps: Array.from({ length: count }, () => ({ ...step, status: 'Created' })),
      });
      const blocks = blocksOf(value, hash, 'is');
      for (const pages of [2, 3]) expect(foot(pages, blocks)).toBeGreaterThan(4);
    }
  });

  test('never leave a heading at the end of a page without its content', async () => {
    const fonts = await readStampFonts();
    const signature = record().signatures[0] as EvidenceRecord['signatures'][number];
    for (let count = 1; count < 60; count += 1) {
      const subject = `CN=${'Long Name '.repeat(20)}`;
      const value = record({
        steps: Array.from({ length: count }, () => ({ ...step, status: 'Created' })),
        signees: Array.from({ length: count }, () => record().signees[0] as EvidenceSignee),
        signatures: Array.from({ length: 3 }, () => ({ ...signature, subject })),
      });
      for (const page of layoutPages(blocksOf(value, hash, 'is'), fonts, '…')) {
        expect(page.at(-1)?.kind).toMatch(/^(row|fact|text|warning)$/);
      }
    }
  });
});
