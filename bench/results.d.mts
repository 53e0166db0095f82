/** One table of the results. */
export interface Group {
  readonly title: string;
  readonly measuredAt: string;
  readonly rows: readonly unknown[];
}
/** Opens results.json and the tables of README.md in a folder. */
export function openResults(
  folder: string,
  about: Readonly<Record<string, string>>,
): { add(measured: readonly Group[]): void; replace(groups: readonly Group[]): void };
/** Returns `kept` with newly measured groups replaced in place and new ones appended. */
export function replaceGroups(kept: readonly Group[], measured: readonly Group[]): Group[];
