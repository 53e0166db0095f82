/**
 * Modes for an unknown revocation status: `require` and `online` make the conclusion INDETERMINATE,
 * `ignore` makes it a finding; `online` first asks the sources.
 */
export const revocationModes = ['require', 'online', 'ignore'] as const;

/** One of {@link revocationModes}. */
export type RevocationMode = (typeof revocationModes)[number];
