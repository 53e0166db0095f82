/** One table of the results. */
export interface Group {
  readonly title: string;
  readonly measuredAt: string;
  readonly rows: readonly unknown[];
}
/** results.json and the tables of README.md in a folder. */
export function openResults(
  folder: string,
  about: Readonly<Record<string, string>>,
): { add(measured: readonly Group[]): void; replace(groups: readonly Group[]): void };
/** `kept` with what was measured again in its place and what is new at the end. */
export function replaceGroups(kept: readonly Group[], measured: readonly Group[]): Group[];
