/** What commands print when they are done: loaded when the work is. */
export { sealLine } from './advice.ts';
export { outcomeDocument, sayOutcome, type WrittenOutcome } from './outcome.ts';
export { reportDocument, reportLines, uncoveredText, type Verified } from './verification.ts';
