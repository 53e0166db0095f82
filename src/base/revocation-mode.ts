/**
 * Modes for an unknown revocation status: `require` and `online` make the indication INDETERMINATE,
 * `ignore` makes it a finding. `online` queries the sources first.
 */
export const revocationModes = ['require', 'online', 'ignore'] as const;

/** One of {@link revocationModes}. */
export type RevocationMode = (typeof revocationModes)[number];
