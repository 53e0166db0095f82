import type { Difference } from '../agreement/compare.ts';
import { findClause } from './clauses.table.ts';
import type { UnseenResult } from './compare-unseen.ts';

/** Summary of a comparison; differences with a supporting clause count as agreement. */
export interface UnseenSummary {
  /** Share of agreeing indications, 0 to 1. */
  readonly indicationShare: number;
  /** Passed here but not there, without a known clause. */
  readonly tooKind: readonly Difference[];
  /** Other differing indications without a known clause. */
  readonly unexplained: readonly Difference[];
  /** Rows of the table: count, difference, clause. */
  readonly lines: readonly string[];
}

/** Summarises a comparison. */
export function summarizeUnseen({ tallies, differences }: UnseenResult): UnseenSummary {
  const indications = differences.filter(({ what }) => what === 'indication');
  const compared = [...tallies.values()].map((tally) => tally.get('indication')?.[1] ?? 0);
  const all = compared.reduce((sum, count) => sum + count, 0);
  const counts = new Map<string, number>();
  const unexplained: Difference[] = [];
  for (const difference of indications) {
    const found = findClause(difference);
    if (found === undefined) {
      unexplained.push(difference);
      continue;
    }
    const line = `${found.what} | ${found.clause}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return {
    indicationShare: all === 0 ? 0 : 1 - unexplained.length / all,
    tooKind: unexplained.filter(({ isTooKind }) => isTooKind),
    unexplained,
    lines: [...counts].sort(([, a], [, b]) => b - a).map(([line, count]) => `${count} | ${line}`),
  };
}
