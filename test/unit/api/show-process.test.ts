import { expect, test } from 'vitest';
import { showProcess } from '../../../src/api/shapes/index.ts';
import { seesAll } from '../../../src/domain/access.ts';
import { testProcess } from '../../support/store.ts';

test.each([
  ['InActive', 1, 'Created'],
  ['Active', 1, 'Created'],
  ['Active', 2, 'Started'],
  ['Canceled', 2, 'Canceled'],
  // Rows that were tampered with are listed with the rest.
  ['Nonsense', 2, 'Nonsense'],
  ['constructor', 2, 'constructor'],
])('the status %s of revision %i is shown as %s', (status, rev, expected) => {
  const process = { ...testProcess(1), status: status as 'Active', rev };
  expect(showProcess(process, 'https://sign.example', seesAll)).toMatchObject({ status: expected });
});
