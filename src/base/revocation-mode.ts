/**
 * What a revocation status that is not known means, and whether it may be asked for: `require`
 * and `online` make the conclusion INDETERMINATE, `ignore` makes it a finding; `online` asks first.
 */
export const revocationModes = ['require', 'online', 'ignore'] as const;

/** One of {@link revocationModes}. */
export type RevocationMode = (typeof revocationModes)[number];
