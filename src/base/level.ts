/** Baseline levels of PAdES, XAdES and CAdES, lowest first. @spec ETSI EN 319 142-1 §6 */
export const sealLevels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

/** One of {@link sealLevels}. */
export type SealLevel = (typeof sealLevels)[number];

/** Whether `level` is at least `wanted`. */
export function reachesLevel(level: SealLevel | undefined, wanted: SealLevel): boolean {
  return level !== undefined && sealLevels.indexOf(level) >= sealLevels.indexOf(wanted);
}
