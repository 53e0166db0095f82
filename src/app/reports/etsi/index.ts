/** Validation reports according to ETSI TS 119 102-2. */
export { etsiReport } from './etsi-report.ts';
