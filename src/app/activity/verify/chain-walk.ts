import {
  type Activity,
  type ChainFault,
  type ChainScope,
  dayOf,
  findDifference,
  isChainDoubt,
  type OpenedValue,
  type PersonalOf,
  verifyChain,
} from '../../../domain/activity/index.ts';
import type { ProcessKey } from '../../../domain/keys.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';

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
  /** Takes what was found elsewhere. */
  report(finding: ChainFinding): void;
  /** Rows of each day that was met. */
  days(): ReadonlyMap<string, number>;
  result(): {
    readonly isIntact: boolean;
    /** Intact, and nothing that should vouch for it is gone. */
    readonly isVouched: boolean;
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
  let isVouched = true;
  const report = (finding: ChainFinding) => {
    if (isChainDoubt(finding.fault)) isVouched = false;
    else isIntact = false;
    if (chainFindings.length < findingsMax) chainFindings.push(finding);
  };
  return {
    check(processKey, rows, personal, scope, process) {
      processes += 1;
      rowCount += rows.length;
      for (const { createdAtMs } of rows) {
        // A row with an impossible time is a finding of its chain already.
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

/** The first thing that is not as the rows of a process were written, or as they tell of it. */
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
