import { describe, expect, test } from 'vitest';
import {
  addMonths,
  type ComplianceFacts,
  type ComplianceRecord,
  checkCompliance,
  readComplianceRules,
  usualComplianceRules,
} from '../../../../src/domain/compliance/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';

const today = '2026-06-15';
const record: ComplianceRecord = {
  id: 'r1',
  companyKey: asKey('company', 'c0ffee000001'),
  kind: 'person',
  name: 'Anna',
  pepFound: false,
  requirements: [],
  updatedAtMs: Date.UTC(2026, 0, 1),
};
const facts: ComplianceFacts = { today, rules: usualComplianceRules.person, flowKeys: {} };
const low = { date: '2026-01-01', level: 'low' } as const;
const PEP = { ...facts.rules, required: ['PEP'] } as const;
const open = 'does not meet all requirements';
const unevaluated = 'has not been risk evaluated';

type Case = readonly [string, Partial<ComplianceRecord>, Partial<ComplianceFacts>, string[]];
const cases: readonly Case[] = [
  ['only a name was recorded', {}, {}, [unevaluated]],
  ['the risk was evaluated', { risk: low }, {}, []],
  ['an evaluation on its last day', { risk: { ...low, until: today } }, {}, []],
  [
    'an evaluation one day after its last day',
    { risk: { ...low, until: '2026-06-14' } },
    {},
    [unevaluated],
  ],
  [
    'low risk after more than three years',
    { risk: { ...low, date: '2023-06-14' } },
    {},
    [unevaluated],
  ],
  ['low risk within three years', { risk: { ...low, date: '2023-06-15' } }, {}, []],
  [
    'an evaluation dated tomorrow, which is today further east',
    { risk: { ...low, date: '2026-06-16' } },
    {},
    [],
  ],
  [
    'an evaluation dated the day after tomorrow',
    { risk: { ...low, date: '2026-06-17' } },
    {},
    [unevaluated],
  ],
  ['a missing level counts as high', { risk: { date: '2025-06-14' } }, {}, [unevaluated]],
  ['a flag of an earlier version counts from the record', { isRiskEvaluated: true }, {}, []],
  [
    'a flag of an earlier version counts for a year at most',
    { isRiskEvaluated: true, updatedAtMs: Date.UTC(2025, 5, 14) },
    {},
    [unevaluated],
  ],
  ['a required assessment without an answer', { risk: low }, { rules: PEP }, [open]],
  [
    'an answer two years old',
    { risk: low, requirements: [{ type: 'PEP', answeredDate: '2024-06-15' }] },
    { rules: PEP },
    [],
  ],
  [
    'an answer older than the period of the risk',
    { risk: low, requirements: [{ type: 'PEP', answeredDate: '2023-06-14' }] },
    { rules: PEP },
    ['missed due dates'],
  ],
  [
    'the same answer at high risk',
    {
      risk: { ...low, level: 'high' },
      requirements: [{ type: 'PEP', answeredDate: '2025-06-14' }],
    },
    { rules: PEP },
    ['missed due dates'],
  ],
  [
    'a recorded date takes precedence',
    {
      risk: low,
      requirements: [{ type: 'PEP', answeredDate: '2020-01-01', nextDate: '2030-01-01' }],
    },
    { rules: PEP },
    [],
  ],
  [
    'an answer dated next week does not count',
    { risk: low, requirements: [{ type: 'PEP', answeredDate: '2026-06-22' }] },
    {},
    [open],
  ],
  ['a PEP finding', { risk: low, pepFound: true }, {}, ['pep found']],
  [
    'an accepted PEP finding',
    {
      risk: low,
      pepFound: true,
      pepAcceptance: { date: '2026-01-01', until: today, reason: 'known' },
    },
    {},
    [],
  ],
  [
    'an expired acceptance',
    {
      risk: low,
      pepFound: true,
      pepAcceptance: { date: '2025-01-01', until: '2026-06-14', reason: 'known' },
    },
    {},
    ['pep found'],
  ],
  [
    'a politically exposed person has high risk',
    {
      risk: { ...low, date: '2025-06-01' },
      pepFound: true,
      pepAcceptance: { date: '2026-01-01', until: '2027-01-01', reason: 'known' },
    },
    {},
    [unevaluated],
  ],
  [
    'a PEP finding of a business does not count',
    { kind: 'business', risk: low, pepFound: true },
    {},
    [],
  ],
  [
    'an owner without an assessment',
    { kind: 'business', risk: low },
    { hasOpenOwner: true },
    [open],
  ],
];

describe('the compliance status follows from the record, and missing answers count against it', () => {
  test.each(cases)('%s', (_, own, given, messages) => {
    const status = checkCompliance({ ...record, ...own }, { ...facts, ...given });
    expect(status.messages).toEqual(messages);
    expect(status.isCompliant).toBe(messages.length === 0);
    expect(status.dueDate <= today).toBe(messages.length > 0 || status.dueDate === today);
  });

  test('required assessments are listed next to those of the record, with flow and dates', () => {
    const rules = { ...facts.rules, required: ['PEP', 'AML'] } as const;
    const requirements = [{ type: 'AML', answeredDate: '2020-02-29' }] as const;
    const given = { ...facts, rules, flowKeys: { PEP: 'f1' } };
    expect(checkCompliance({ ...record, risk: low, requirements }, given).requirements).toEqual([
      { type: 'PEP', flowKey: 'f1' },
      { type: 'AML', answeredDate: '2020-02-29', nextDate: '2023-02-28' },
    ]);
  });

  test('a compliant record is due on the earliest of its dates', () => {
    const requirements = [{ type: 'PEP', answeredDate: today, nextDate: '2026-12-24' }] as const;
    const status = checkCompliance({ ...record, risk: low, requirements }, facts);
    expect(status).toMatchObject({ dueDate: '2026-12-24', riskUntil: '2029-01-01' });
  });
});

describe('adding months to a day', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-12-31', 36, '2029-12-31'],
    ['2026-08-31', 6, '2027-02-28'],
    ['9998-12-31', 120, '9999-12-31'],
  ])('%s plus %i months is %s', (day, months, then) => {
    expect(addMonths(day, months)).toBe(then);
  });
});

describe('compliance rules of a company', () => {
  test('have defaults for everything that is not set', () => {
    const given = { person: { required: ['aml', 'PEP'], months: { PEP: { high: 6 } } } };
    const { person, business } = readComplianceRules(given, 'compliance');
    expect(business).toEqual(usualComplianceRules.business);
    expect(person.required).toEqual(['PEP', 'AML']);
    expect(person.months.PEP).toEqual({ low: 36, medium: 24, high: 6 });
    expect(person.riskMonths).toEqual({ low: 36, medium: 24, high: 12 });
  });

  test.each([
    [[], 'compliance'],
    [{ persons: {} }, 'compliance'],
    [{ person: { require: [] } }, 'compliance.person'],
    [{ person: { required: 'PEP' } }, 'compliance.person.required'],
    [{ person: { required: ['KYC'] } }, 'compliance.person.required[0]'],
    [{ person: { months: { KYC: {} } } }, 'compliance.person.months'],
    [{ person: { months: { PEP: { high: 0 } } } }, 'compliance.person.months.PEP.high'],
    [{ business: { riskMonths: { low: '36' } } }, 'compliance.business.riskMonths.low'],
    [{ business: { riskMonths: { lowest: 3 } } }, 'compliance.business.riskMonths'],
  ])('%j is rejected with its path', (given, field) => {
    expect(() => readComplianceRules(given, 'compliance')).toThrowError(
      expect.objectContaining({ code: 'validation.error', details: { field } }),
    );
  });
});
