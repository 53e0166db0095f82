import type { NewPlace } from './store-place.ts';
import { collectionCases } from './suite-collections.ts';
import { factCases } from './suite-facts.ts';
import { identityCases } from './suite-identities.ts';
import { jobCases } from './suite-jobs.ts';
import { listCases } from './suite-lists.ts';
import { processGroupCases } from './suite-os-processes.ts';
import { outboxCases } from './suite-outbox.ts';
import { screeningCases } from './suite-screenings.ts';
import { transactionCases } from './suite-transactions.ts';
import { unreadableCases } from './suite-unreadable.ts';

/** What a store must do on every engine. */
export function storeSuite(newPlace: NewPlace): void {
  collectionCases(newPlace);
  outboxCases(newPlace);
  factCases(newPlace);
  identityCases(newPlace);
  listCases(newPlace);
  jobCases(newPlace);
  screeningCases(newPlace);
  transactionCases(newPlace);
  unreadableCases(newPlace);
  processGroupCases(newPlace);
}
