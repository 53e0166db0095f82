/** Screening of persons against the embedded and imported lists. */
export * from './screening-service.ts';
