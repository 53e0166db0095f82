import { expect, test } from 'vitest';
import { mergeRecord } from '../../../../src/app/compliance/merge-record.ts';
import { readRecord } from '../../../../src/app/compliance/read-record.ts';
import type { ComplianceSource } from '../../../../src/domain/compliance/index.ts';
import { testCompany, testNowMs } from '../../../support/store.ts';

const own = { id: 'r1', companyKey: testCompany.key, updatedAtMs: testNowMs };
const ssn = '0101901239';
const merge = (
  before: ReturnType<typeof mergeRecord> | undefined,
  request: object,
  source: ComplianceSource = 'record',
) => mergeRecord(before, readRecord({ kind: 'person', name: 'Anna', ...request }), source, own);

test('who has another address is no longer found by the one of before', () => {
  const before = merge(undefined, { ssn, email: 'a@b.is', phoneNumber: '5551234' });
  const after = merge(before, { ssn, email: 'c@d.is' });
  expect(after).toMatchObject({ email: 'c@d.is', emailKey: 'c@d.is', phoneNumber: '5551234' });
  expect(after.contactKey).toContain('c@d.is');
  expect(after.contactKey).not.toContain('a@b.is');
});

test('a flow answers, and changes nothing that the company has recorded of a person', () => {
  const before = merge(undefined, { ssn, email: 'a@b.is', riskLevel: 'low' });
  const requirements = [{ type: 'PEP', answeredDate: '2026-01-01' }];
  const options = { name: 'A.', ssn, email: 'other@b.is', phoneNumber: '5551234', requirements };
  expect(merge(before, options, 'flow')).toMatchObject({
    ...{ name: 'Anna', email: 'a@b.is', phoneNumber: '5551234', risk: { level: 'low' } },
    requirements: [{ type: 'PEP', answeredDate: '2026-01-01' }],
  });
});

test('an older answer takes nothing from a newer one, and a later one has its own period', () => {
  const answered = (answeredDate: string, nextDate?: string) => ({
    ssn,
    requirements: [{ type: 'PEP', answeredDate, nextDate }],
  });
  const newer = merge(undefined, answered('2026-01-01', '2026-06-01'));
  const older = merge(newer, answered('2025-01-01'));
  expect(older.requirements).toEqual(newer.requirements);
  expect(merge(newer, answered('2026-02-01')).requirements).toEqual([
    { type: 'PEP', answeredDate: '2026-02-01' },
  ]);
  expect(merge(newer, { ssn, requirements: [{ type: 'AML' }] }).requirements).toHaveLength(2);
});
