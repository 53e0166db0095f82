import {
  type Activity,
  type ChainFault,
  type ChainScope,
  dayOf,
  findDifference,
  isInconclusiveChainFault,
  type OpenedValue,
  type PersonalOf,
  verifyChain,
} from '../../../domain/activity/index.ts';
import type { ProcessKey } from '../../../domain/keys.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';

/** A chain that is not intact, and its first faulty row. */
export interface ChainFinding {
  readonly processKey: ProcessKey;
  readonly seq: number;
  readonly fault: ChainFault;
}

/** Findings of each kind in a report: one corrupt row is as bad as a thousand. */
export const findingsMax = 100;

/** Verifies chains process by process and accumulates the findings. */
export interface ChainWalk {
  /**
   * Returns the hash of the newest row; undefined if the chain is not intact.
   *
   * @param personal undefined if they were omitted
   * @param scope see {@link verifyChain}
   * @param process the process of the rows, if known
   */
  check(
    key: ProcessKey,
    rows: readonly Activity[],
    personal: PersonalOf<OpenedValue> | undefined,
    scope: ChainScope,
    process?: SigningProcess,
  ): string | undefined;
  /** Adds a finding made elsewhere. */
  report(finding: ChainFinding): void;
  /** Number of rows of each day in the chains so far. */
  days(): ReadonlyMap<string, number>;
  result(): {
    readonly isIntact: boolean;
    /** Intact, and nothing that should vouch for it is missing. */
    readonly isVouched: boolean;
    readonly processes: number;
    readonly rows: number;
    readonly chainFindings: readonly ChainFinding[];
  };
}

/** Returns a walk without findings. */
export function newChainWalk(): ChainWalk {
  const days = new Map<string, number>();
  const chainFindings: ChainFinding[] = [];
  let processes = 0;
  let rowCount = 0;
  let isIntact = true;
  let isVouched = true;
  const report = (finding: ChainFinding) => {
    if (isInconclusiveChainFault(finding.fault)) isVouched = false;
    else isIntact = false;
    if (chainFindings.length < findingsMax) chainFindings.push(finding);
  };
  return {
    check(processKey, rows, personal, scope, process) {
      processes += 1;
      rowCount += rows.length;
      for (const { createdAtMs } of rows) {
        // A row with an impossible time is already a finding of its chain.
        if (!(createdAtMs >= 0 && createdAtMs < 8.64e15)) continue;
        const day = dayOf(createdAtMs);
        days.set(day, (days.get(day) ?? 0) + 1);
      }
      const finding = findFault(processKey, rows, personal, scope, process);
      if (finding === undefined) return rows.at(-1)?.hash;
      report(finding);
      return undefined;
    },
    report,
    days: () => days,
    result: () => ({
      isIntact,
      isVouched: isIntact && isVouched,
      processes,
      rows: rowCount,
      chainFindings,
    }),
  };
}

/** Returns the first fault in a process's chain, or difference between its rows and the process. */
export function findFault(
  processKey: ProcessKey,
  rows: readonly Activity[],
  personal: PersonalOf<OpenedValue> | undefined,
  scope: ChainScope,
  process?: SigningProcess,
): ChainFinding | undefined {
  const verdict = verifyChain(processKey, rows, personal, scope);
  if (!verdict.isIntact) return { processKey, seq: verdict.seq, fault: verdict.fault };
  const difference = process && findDifference(rows, process);
  return difference && { processKey, ...difference };
}
