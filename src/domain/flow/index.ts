/** Flows: kinds of processes of a company, their settings, schemas and values. */
export * from './css.ts';
export * from './document-template.ts';
export * from './flow.ts';
export * from './flow-values.ts';
export * from './flow-wish.ts';
export { fileNameFrom, fillText, isDeviceName, partsOf } from './handles.ts';
export { compilePattern, PatternWorkExceeded, type WorkMeter } from './linear-pattern.ts';
export * from './schema-check.ts';
