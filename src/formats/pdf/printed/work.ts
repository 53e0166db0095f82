import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';

/**
 * Remaining budget for comparing pages, in steps of about 25 nanoseconds. Steps rather than time,
 * so that the same file yields the same result on every machine.
 */
export interface PrintBudget {
  steps: number;
  /** Remaining number of bytes that content may decode to. */
  decodedBytes: number;
}

/** A new budget for the pages of one document. */
export function printBudget(): PrintBudget {
  const { printedPages, printedSteps, printedBytes } = limits;
  return { steps: printedPages * printedSteps, decodedBytes: printedPages * printedBytes };
}

/** The part of the budget for one page. */
export function pageBudget({ steps, decodedBytes }: PrintBudget): PrintBudget {
  return {
    steps: Math.min(steps, limits.printedSteps),
    decodedBytes: Math.max(0, Math.min(decodedBytes, limits.printedBytes)),
  };
}

/** Subtracts steps from the budget. @throws limit.exceeded if it is exhausted */
export function spend(budget: PrintBudget, steps: number): void {
  budget.steps -= steps;
  // Not `< 0`, which would never be true after a NaN cost.
  if (!(budget.steps >= 0)) {
    budget.steps = Number.NEGATIVE_INFINITY;
    throw new InnsigliError('limit.exceeded', 'reading the page content exceeds a limit');
  }
}
