import { expect, test } from 'vitest';
import { mergeRecord } from '../../../../src/app/compliance/merge-record.ts';
import { readRecord } from '../../../../src/app/compliance/read-record.ts';
import type { ComplianceSource } from '../../../../src/domain/compliance/index.ts';
import { testCompany, testNowMs } from '../../../support/store.ts';

const own = { id: 'r1', companyKey: testCompany.key, updatedAtMs: testNowMs };
const today = new Date(testNowMs).toISOString().slice(0, 10);
const ssn = '0101901239';
const merge = (
  before: ReturnType<typeof mergeRecord> | undefined,
  request: object,
  source: ComplianceSource = 'record',
) =>
  mergeRecord(before, readRecord({ kind: 'person', name: 'Anna', ...request }, today), source, own);

test('a person whose address changed is no longer found by the previous address', () => {
  const before = merge(undefined, { ssn, email: 'a@b.is', phoneNumber: '5551234' });
  const after = merge(before, { ssn, email: 'c@d.is' });
  expect(after).toMatchObject({ email: 'c@d.is', emailKey: 'c@d.is', phoneNumber: '5551234' });
  expect(after.contactKey).toContain('c@d.is');
  expect(after.contactKey).not.toContain('a@b.is');
});

test('an answer from a flow leaves what the company recorded about the person unchanged', () => {
  const before = merge(undefined, { ssn, email: 'a@b.is', riskLevel: 'low' });
  const requirements = [{ type: 'PEP', answeredDate: '2026-01-01' }];
  const options = { name: 'A.', ssn, email: 'other@b.is', phoneNumber: '5551234', requirements };
  expect(merge(before, options, 'flow')).toMatchObject({
    ...{ name: 'Anna', email: 'a@b.is', phoneNumber: '5551234', risk: { level: 'low' } },
    requirements: [{ type: 'PEP', answeredDate: '2026-01-01' }],
  });
});

test('an older answer never overrides a newer one, and a later one brings its own period', () => {
  const answered = (answeredDate: string, nextDate?: string) => ({
    ssn,
    requirements: [{ type: 'PEP', answeredDate, nextDate }],
  });
  const newer = merge(undefined, answered('2026-01-01', '2026-06-01'));
  const older = merge(newer, answered('2025-01-01'));
  expect(older.requirements).toEqual(newer.requirements);
  expect(merge(newer, answered('2026-01-02')).requirements).toEqual([
    { type: 'PEP', answeredDate: '2026-01-02' },
  ]);
  expect(merge(newer, { ssn, requirements: [{ type: 'AML' }] }).requirements).toHaveLength(2);
});

test('an answer or evaluation dated in the future, stored by an earlier version, is replaced', () => {
  const requirements = [{ type: 'PEP', answeredDate: '2026-01-01' }];
  const before = merge(undefined, { ssn, requirements, riskEvaluated: true });
  const mistaken = {
    ...before,
    requirements: [{ type: 'PEP' as const, answeredDate: '2099-01-01' }],
    risk: { date: '2099-01-01' },
  };
  const after = merge(mistaken, { ssn, requirements, riskEvaluated: true }, 'import');
  expect(after).toMatchObject({ requirements, risk: { date: today } });
  expect(merge(mistaken, { ssn }).risk).toEqual({ date: '2099-01-01' });
});

test.each([
  [{ requirements: [{ type: 'PEP', answeredDate: '2099-01-01' }] }, 'requirements[0].answeredDate'],
  [{ riskDate: '2099-01-01' }, 'riskDate'],
])('an answer or evaluation dated in the future is rejected: %j', (request, field) => {
  expect(() => merge(undefined, { ssn, ...request })).toThrow(
    `${field}: expected ${today} or earlier, found 2099-01-01`,
  );
  const past = JSON.parse(JSON.stringify(request).replace('2099-01-01', today));
  expect(merge(undefined, { ssn, ...past }).name).toBe('Anna');
});
