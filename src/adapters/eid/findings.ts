import { EidError, type EidFinding } from '../../app/ports/index.ts';

/** Creates a finding of a driver check. */
export function finding(name: string, isOk: boolean, message: string): EidFinding {
  return { name, isOk, message };
}

/** Converts an EidError to a finding; any other error is rethrown. */
export function faultFinding(name: string, error: unknown, who = ''): EidFinding {
  if (!(error instanceof EidError)) throw error;
  return finding(name, false, `${who}${error.message}`);
}
