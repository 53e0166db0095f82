/** Counts of a run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

let passed = 0;
let failed = 0;
let skipped = 0;

/** Prints one line for a check: no reasons means that it passed. */
export function report(what: string, reasons: readonly string[] = []): boolean {
  if (reasons.length === 0) {
    passed++;
    console.log(`ok   ${what}`);
    return true;
  }
  failed++;
  console.log(`FAIL ${what} (${reasons.join('; ')})`);
  return false;
}

/** Prints that a check could not be made, and why. */
export function skip(what: string, why: string): void {
  skipped++;
  console.log(`skip ${what} (${why})`);
}

const beyond = new Map<string, number>();

/** Notes that a judge cannot judge a file whatever it says; one skip a judge and reason. */
export function skipKind(judge: string, why: string): void {
  const kind = `${judge}: ${why}`;
  beyond.set(kind, (beyond.get(kind) ?? 0) + 1);
}

/** Prints what {@link skipKind} noted. */
export function reportSkippedKinds(): void {
  for (const [kind, count] of beyond) skip(`${count} files`, kind);
  beyond.clear();
}

/** A reason for each condition that does not hold. */
export function unless(conditions: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(conditions)
    .filter(([, holds]) => !holds)
    .map(([reason]) => `not: ${reason}`);
}

/** What was counted so far. */
export function counts(): Counts {
  return { passed, failed, skipped };
}
