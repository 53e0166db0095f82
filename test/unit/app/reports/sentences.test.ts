import { describe, expect, test } from 'vitest';
import {
  headingOf,
  headlineSentence,
  sentencesOf,
  verdictOf,
} from '../../../../src/app/reports/index.ts';
import { localeOf, locales } from '../../../../src/base/words/locale.ts';
import type { FindingCode, SignatureReport } from '../../../../src/verify/report/report.ts';
import { someReport, someSignature } from './some-report.ts';

const open = (subIndication: string, more: Partial<SignatureReport> = {}) =>
  someSignature({ indication: 'INDETERMINATE', subIndication, trusted: false, ...more });
const failed = (subIndication: string) =>
  someSignature({ indication: 'TOTAL-FAILED', subIndication, intact: false, trusted: false });
const finding = (code: FindingCode, severity: 'error' | 'warning' | 'info' = 'warning') => ({
  findings: [{ code, severity, message: 'x' }],
});
const expired = { bestTime: '2027-02-01T00:00:00.000Z', timeProved: false };
const early = { bestTime: '2024-02-01T00:00:00.000Z' };

/** The same report for a document time-stamp. */
const stamped = (report: SignatureReport) => ({ ...report, kind: 'document-timestamp' as const });

describe('verdictOf', () => {
  test.each<[string, SignatureReport, string]>([
    ['all is well', someSignature(), 'passed'],
    ['revocation ignored', someSignature(finding('revocation.unknown')), 'unchecked'],
    [
      'a digest that does not match the algorithm',
      open('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', finding('signature.digest.disallowed', 'error')),
      'constraints',
    ],
    ['bytes changed', failed('HASH_FAILURE'), 'changed'],
    ['incorrect key', failed('SIG_CRYPTO_FAILURE'), 'value'],
    ['attributes that are not DER', open('SIG_CRYPTO_FAILURE'), 'malformed'],
    [
      'expired and revocation unknown at the proven time',
      open('OUT_OF_BOUNDS_NO_POE', { trusted: true, ...finding('revocation.unknown') }),
      'status',
    ],
    [
      'an expired forgery',
      open('OUT_OF_BOUNDS_NO_POE', { ...expired, ...finding('document.changed') }),
      'later',
    ],
    ['a malformed signature', failed('FORMAT_FAILURE'), 'malformed'],
    ['a later change', open('GENERIC', finding('document.changed')), 'later'],
    [
      'the second opinion',
      open('GENERIC', finding('signature.second-opinion.disagrees')),
      'doubted',
    ],
    [
      'the second opinion beside another reason',
      { ...failed('HASH_FAILURE'), ...finding('signature.second-opinion.disagrees') },
      'changed',
    ],
    [
      'a path that is too weak, with unknown revocation status',
      open('TRY_LATER', finding('algorithm.weak', 'error')),
      'weak',
    ],
    [
      'a status that is too weak',
      open('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', {
        trusted: true,
        ...finding('revocation.unknown'),
      }),
      'status',
    ],
    [
      'a path that is too weak after the end of the certificate',
      open('OUT_OF_BOUNDS_NO_POE', finding('algorithm.weak', 'error')),
      'weak',
    ],
    [
      'checked for a time before the certificate',
      open('NOT_YET_VALID', { ...early, timeProved: false }),
      'tooSoon',
    ],
    [
      'a document time-stamp that is later than the check',
      open('NO_POE', { kind: 'document-timestamp', ...finding('timestamp.time.later') }),
      'stampLater',
    ],
    [
      'prepared but never signed',
      { ...failed('FORMAT_FAILURE'), ...finding('signature.cms.empty', 'error') },
      'empty',
    ],
    ['certificate expired', open('OUT_OF_BOUNDS_NO_POE', expired), 'expired'],
    ['expired, not revoked', open('OUT_OF_BOUNDS_NOT_REVOKED', expired), 'expired'],
    ['EXPIRED', { ...failed('EXPIRED'), ...expired }, 'expired'],
    ['certificate not yet valid', open('NOT_YET_VALID', early), 'early'],
    ['issuer expired', open('OUT_OF_BOUNDS_NO_POE'), 'issuerExpired'],
    ['revoked', open('REVOKED_NO_POE'), 'revoked'],
    ['issuer revoked', open('REVOKED_CA_NO_POE'), 'revoked'],
    ['no revocation data', open('TRY_LATER'), 'status'],
    ['no trust anchor', open('NO_CERTIFICATE_CHAIN_FOUND'), 'untrusted'],
    ['a path constraint', open('CHAIN_CONSTRAINTS_FAILURE'), 'chain'],
    ['weak', open('CRYPTO_CONSTRAINTS_FAILURE_NO_POE'), 'weak'],
    ['no certificate', open('NO_SIGNING_CERTIFICATE_FOUND', { intact: false }), 'nobody'],
    ['no data', open('SIGNED_DATA_NOT_FOUND', { intact: false }), 'missingPart'],
    [
      'data digested with an unknown algorithm',
      open('SIGNED_DATA_NOT_FOUND', { intact: false, ...finding('signature.reference.refused') }),
      'open',
    ],
    ['an unknown future code', open('SOMETHING_ELSE'), 'open'],
    ['a document time-stamp', someSignature({ kind: 'document-timestamp' }), 'stampPassed'],
    ['a broken time-stamp', stamped(failed('HASH_FAILURE')), 'stampFailed'],
    ['a time-stamp with an incorrect key', stamped(failed('SIG_CRYPTO_FAILURE')), 'stampFailed'],
    ['an untrusted time-stamp', stamped(open('NO_CERTIFICATE_CHAIN_FOUND')), 'stampUntrusted'],
    ['a revoked time-stamp', stamped(open('REVOKED_NO_POE')), 'stampOpen'],
    [
      'a time-stamp before a change',
      stamped(open('GENERIC', finding('document.changed'))),
      'stampOpen',
    ],
  ])('chooses the verdict by its reason: %s', (_, signature, verdict) => {
    expect(verdictOf(signature).verdict).toBe(verdict);
  });

  const missing = open('SIGNED_DATA_NOT_FOUND', { intact: false });
  const lacking = (uri: string) => ({
    ...missing,
    field: undefined as never,
    references: [{ uri, scope: 'none', status: 'missing' }],
  });
  test.each<[string, object, string, string]>([
    ['a detached file', lacking('a.txt'), 'missing', 'files'],
    ['an element of the document', lacking('#a'), 'missingPart', 'original'],
    [
      'a file of a container',
      { ...lacking('a.txt'), file: 'META-INF/s.xml' },
      'missing',
      'original',
    ],
    ['a part of a PDF', missing, 'missingPart', 'original'],
  ])('advises what to do if data is missing: %s', (_, conclusion, verdict, advice) => {
    const { field, ...other } = conclusion as { field?: string };
    const given = field === undefined ? other : conclusion;
    expect(verdictOf(given as never)).toEqual({ verdict, advice });
  });

  test.each(locales)('%s: the verdicts on a failed time-stamp mention the time', (language) => {
    const { verdicts } = localeOf(language).report;
    const [start] = verdicts.stampPassed.split(':');
    for (const name of ['stampFailed', 'stampUntrusted', 'stampOpen'] as const) {
      const english = localeOf('en').report.verdicts[name];
      if (language !== 'en') expect(verdicts[name]).not.toBe(english);
      expect(verdicts[name]).not.toBe(verdicts.open);
      // The noun for the time in the sentence on a valid time-stamp.
      const words = (start ?? '').toLowerCase().match(/\p{L}{3,}/gu) ?? [];
      const own = new Set(verdicts[name].toLowerCase().match(/\p{L}{3,}/gu));
      expect(words.filter((word) => own.has(word))).not.toEqual([]);
    }
  });
});

const stamp = {
  time: '2026-01-02T03:04:05.000Z',
  authority: 'CN=TSA',
  serialNumber: '01',
  valid: true,
  trusted: true,
};

describe('the sentence about a time-stamp that proves nothing', () => {
  test.each<[string, object, string | undefined]>([
    ['too weak', { timeProblem: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' }, 'too weak'],
    ['later than the check', { timeProblem: 'NO_POE' }, 'later than the time of this check'],
    ['untrusted', { trusted: false }, 'not come from an authority trusted here'],
    ['its authority expired', { timeProblem: 'OUT_OF_BOUNDS_NO_POE' }, 'see the findings'],
    ['over the content only', { covers: 'content', timeProblem: 'NO_POE' }, undefined],
  ])(
    'names the cause only where a proven time could change the verdict: %s',
    (_, changes, said) => {
      const timestamps = [{ ...stamp, ...changes }];
      const { cause } = sentencesOf(open('OUT_OF_BOUNDS_NO_POE', { ...expired, timestamps }), 'en');
      if (said === undefined) expect(cause).toBeUndefined();
      else expect(cause).toContain(said);
      const proved = open('OUT_OF_BOUNDS_NO_POE', { timestamps });
      expect(sentencesOf(proved, 'en').cause).toBeUndefined();
      const untrusted = open('NO_CERTIFICATE_CHAIN_FOUND', { ...expired, timestamps });
      expect(sentencesOf(untrusted, 'en').cause).toBeUndefined();
    },
  );

  test.each(locales.filter((each) => each !== 'en'))('is translated in %s', (language) => {
    const { causes, texts, advice } = localeOf(language).report;
    const english = localeOf('en').report;
    for (const name of ['weak', 'untrusted', 'later', 'open'] as const) {
      expect(causes[name]).not.toBe(english.causes[name]);
    }
    expect(texts.testOnly).not.toBe(english.texts.testOnly);
    expect(texts.testOnly).toContain('TEST ONLY');
    expect(texts.uncounted).not.toBe(english.texts.uncounted);
    expect(advice.checkLater).not.toBe(english.advice.checkLater);
  });
});

describe('sentencesOf', () => {
  test.each<[string, SignatureReport, string]>([
    [
      'proved',
      someSignature(),
      'Anna Jónsdóttir signed it; a time-stamp proves that the signature existed at 2026-01-02 03:04:05 UTC.',
    ],
    [
      'claimed',
      someSignature({ timeProved: false, claimedTime: '2026-01-01T00:00:00.000Z' }),
      'Anna Jónsdóttir signed it and claims 2026-01-01 00:00:00 UTC as the time; no time-stamp proves it.',
    ],
    [
      'untimed',
      someSignature({ timeProved: false }),
      'Anna Jónsdóttir signed it; the time is unknown.',
    ],
    [
      'untrusted: no one is said to have signed',
      someSignature({ trusted: false, anchor: undefined as never }),
      'A signature bears the name Anna Jónsdóttir.',
    ],
    [
      'broken: no one is said to have signed',
      failed('HASH_FAILURE'),
      'A signature bears the name Anna Jónsdóttir.',
    ],
    [
      'no certificate',
      someSignature({ signer: undefined as never }),
      'A signature does not identify its signer.',
    ],
    [
      'a broken time-stamp',
      someSignature({
        ...failed('HASH_FAILURE'),
        kind: 'document-timestamp',
        signer: undefined as never,
      }),
      'A time-stamp does not identify its authority.',
    ],
  ])('names the act: %s', (_, signature, act) => {
    expect(sentencesOf(signature, 'en').act).toBe(act);
  });

  test('states that the certificate expired, with the date', () => {
    const { verdict, advice } = sentencesOf(open('OUT_OF_BOUNDS_NO_POE', expired), 'en');
    expect(verdict).toContain('the certificate expired at 2027-01-01 00:00:00 UTC');
    expect(advice).toContain('time-stamp from before');
  });

  test('states that revocation data is missing, and what to do', () => {
    const { verdict, advice } = sentencesOf(open('TRY_LATER'), 'en');
    expect(verdict).toContain('revocation data is missing');
    expect(advice).toContain('Check again with access to the network');
  });

  test.each(locales)('%s: no placeholder is left, and every verdict is translated', (language) => {
    const { report } = localeOf(language);
    const english = localeOf('en').report;
    const all = [someSignature(), open('OUT_OF_BOUNDS_NO_POE', expired), failed('HASH_FAILURE')];
    for (const signature of all) {
      for (const text of Object.values(sentencesOf(signature, language))) {
        expect(text).not.toMatch(/\{\{|\}\}|undefined/);
      }
    }
    const { headlines } = report;
    expect(headlineSentence(someReport(someSignature()), language)).toBe(headlines.passed);
    const unsigned = [
      ['none', {}],
      ['removed', { removedSignatures: ['Signature1'] }],
      ['removed', { removedSignatures: ['Signature1'], unnamedSignatures: ['object 7'] }],
      ['unnamed', { unnamedSignatures: ['object 7'] }],
    ] as const;
    for (const [headline, members] of unsigned) {
      const sentence = headlineSentence({ ...someReport(), ...members }, language);
      expect(sentence).toBe(headlines[headline]);
    }
    if (language === 'en') return;
    const own = Object.entries(report.verdicts).filter(
      ([name, text]) => text === english.verdicts[name as keyof typeof english.verdicts],
    );
    expect(own).toEqual([]);
  });

  test.each(locales)('%s: every sentence has the placeholders of the English one', (language) => {
    const handles = (words: object) =>
      Object.values(words).map((text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort());
    const { acts, verdicts } = localeOf(language).report;
    const english = localeOf('en').report;
    expect(handles(acts)).toEqual(handles(english.acts));
    expect(handles(verdicts)).toEqual(handles(english.verdicts));
  });
});

describe('the signer, and how the signer is known', () => {
  const { signer } = someSignature();
  const seal = { ...(signer as NonNullable<typeof signer>), holder: 'legal-person' as const };
  const sealed = someSignature({ signer: seal });
  const stated = someSignature({ signer: seal, statedSigner: 'Eva Lund' });
  const untimed = { timeProved: false, claimedTime: '2026-01-01T00:00:00.000Z' };

  test.each<[string, SignatureReport, string, string]>([
    ['a signature', someSignature(), 'Anna Jónsdóttir signed it; a', 'Signature|Anna Jónsdóttir'],
    ['a seal', sealed, 'Anna Jónsdóttir sealed it; a', 'Seal|Anna Jónsdóttir'],
    [
      'a seal with a claimed time',
      { ...sealed, ...untimed },
      'sealed it and claims 2026-01-01',
      'Seal|Anna Jónsdóttir|2026-01-01 00:00:00 UTC (claimed)',
    ],
    [
      'a signature by another person',
      stated,
      'According to Anna Jónsdóttir, the holder of the certificate, Eva Lund signed it',
      'Signature|Eva Lund, according to Anna Jónsdóttir|2026-01-02 03:04:05 UTC',
    ],
    [
      'a signature with a claimed time only',
      { ...stated, ...untimed },
      'Eva Lund signed it at 2026-01-01 00:00:00 UTC; no time-stamp proves',
      'Signature|Eva Lund, according to Anna Jónsdóttir|2026-01-01 00:00:00 UTC (claimed)',
    ],
    [
      'an untrusted signer',
      someSignature({ trusted: false, anchor: undefined as never, signer: seal }),
      'A signature bears the name Anna',
      'Signature|Anna Jónsdóttir (not trusted here)',
    ],
    [
      'a signature that is not intact',
      { ...failed('HASH_FAILURE'), signer: seal },
      'A signature bears the name Anna',
      'Signature|Anna Jónsdóttir (not intact)',
    ],
    [
      'a time-stamp of a legal person',
      someSignature({ kind: 'document-timestamp', signer: seal }),
      'time-stamped it at',
      'Document time-stamp|Anna Jónsdóttir|2026-01-02',
    ],
  ])('is named in the sentence and the heading: %s', (_, signature, act, heading) => {
    expect(sentencesOf(signature, 'en').act).toContain(act);
    const { kind, who, when } = headingOf(signature, 'en');
    expect([kind, who, when].join('|')).toContain(heading);
  });

  test('a signer who is only stated gets the verdict "stated"', () => {
    expect(verdictOf(stated).verdict).toBe('stated');
    expect(sentencesOf(stated, 'en').verdict).toContain('No certificate of Eva Lund proves');
  });

  test.each(locales)(
    '%s: the sentences name the stated person, the sealing party and the time',
    (language) => {
      for (const changes of [{}, untimed, { timeProved: false }]) {
        const { act, verdict } = sentencesOf({ ...stated, ...changes }, language);
        for (const text of [act, verdict]) expect(text).toContain('Eva Lund');
        for (const text of [act, verdict]) expect(text).toContain('Anna Jónsdóttir');
        expect(act.includes('2026')).toBe(
          changes !== undefined && Object.keys(changes).length !== 1,
        );
        expect(sentencesOf({ ...sealed, ...changes }, language).act).toContain('Anna Jónsdóttir');
      }
      expect(headingOf(stated, language).who).toMatch(/^Eva Lund.*Anna Jónsdóttir/);
    },
  );
});
