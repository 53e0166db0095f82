import { expect, test } from 'vitest';
import { schemaVersion } from '../../../../src/adapters/store/migrate.ts';
import { undoneVersion } from './suite-facts.ts';

test('tests of older schemas undo every step that the migrations have', () => {
  expect(undoneVersion).toBe(schemaVersion);
});
