import {
  type Activity,
  type ChainFault,
  dayOf,
  loggedStatus,
  type PersonalValue,
  verifyChain,
} from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { ProcessStatus } from '../../domain/process/index.ts';

/** A chain that does not hold, and from which row on. */
export interface ChainFinding {
  readonly processKey: ProcessKey;
  readonly seq: number;
  readonly fault: ChainFault;
}

/** One broken row is as bad as a thousand: a report names this many of each kind. */
export const findingsMax = 100;

/** Goes from process to process and remembers what it met. */
export interface ChainWalk {
  /**
   * The hash of the newest row when the chain holds.
   *
   * @param personal undefined where they were left out
   * @param status of the process, where it is known
   */
  judge(
    key: ProcessKey,
    rows: readonly Activity[],
    personal: ReadonlyMap<number, readonly PersonalValue[]> | undefined,
    status?: ProcessStatus,
  ): string | undefined;
  /** Takes what was found elsewhere. */
  report(finding: ChainFinding): void;
  /** Rows of each day that was met. */
  days(): ReadonlyMap<string, number>;
  result(): {
    readonly isIntact: boolean;
    readonly processes: number;
    readonly rows: number;
    readonly chainFindings: readonly ChainFinding[];
  };
}

/** A walk that has met nothing yet. */
export function newChainWalk(): ChainWalk {
  const days = new Map<string, number>();
  const chainFindings: ChainFinding[] = [];
  let processes = 0;
  let rowCount = 0;
  let isIntact = true;
  const report = (finding: ChainFinding) => {
    isIntact = false;
    if (chainFindings.length < findingsMax) chainFindings.push(finding);
  };
  return {
    judge(processKey, rows, personal, status) {
      processes += 1;
      rowCount += rows.length;
      for (const { createdAtMs } of rows) {
        // A row with an impossible time is a finding of its chain already.
        if (!(createdAtMs >= 0 && createdAtMs < 8.64e15)) continue;
        const day = dayOf(createdAtMs);
        days.set(day, (days.get(day) ?? 0) + 1);
      }
      const verdict = verifyChain(processKey, rows, personal);
      if (!verdict.isIntact) {
        report({ processKey, seq: verdict.seq, fault: verdict.fault });
        return undefined;
      }
      const expected = loggedStatus(rows);
      const isOther = status !== undefined && expected !== undefined && status !== expected;
      if (isOther) report({ processKey, seq: rows.length, fault: 'status.changed' });
      return isOther ? undefined : verdict.head;
    },
    report,
    days: () => days,
    result: () => ({ isIntact, processes, rows: rowCount, chainFindings }),
  };
}
