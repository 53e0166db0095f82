/** What commands print when they are done: loaded when the work is. */
export { outcomeDocument, sayOutcome, type WrittenOutcome } from './outcome.ts';
export { reportDocument, reportLines, type Verified } from './verification.ts';
