import { EidError, type EidFinding } from '../../app/ports/index.ts';

/** What a check of a driver has found. */
export function finding(name: string, isOk: boolean, message: string): EidFinding {
  return { name, isOk, message };
}

/** An error of a driver as a finding; others are thrown. */
export function faultFinding(name: string, error: unknown, who = ''): EidFinding {
  if (!(error instanceof EidError)) throw error;
  return finding(name, false, `${who}${error.message}`);
}
