import { expect, test } from 'vitest';
import { schemaVersion } from '../../../../src/adapters/store/migrate.ts';
import { undoneVersion } from './suite-facts.ts';

test('the tests of older schemas undo every migration', () => {
  expect(undoneVersion).toBe(schemaVersion);
});
