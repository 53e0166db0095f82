import { describe } from 'vitest';
import { newSqlitePlace } from './store-place.ts';
import { storeSuite } from './store-suite.ts';

describe('a store on SQLite', () => storeSuite(newSqlitePlace));
