import type { OidcProfile } from './profile.ts';
import { type OidcProfileName, oidcProfiles } from './profiles.table.ts';

/** The profile of that name with what differs from it; claims are merged one by one. */
export function profileOf(
  name: OidcProfileName,
  overrides: Partial<OidcProfile> = {},
): OidcProfile {
  const known = oidcProfiles[name];
  return { ...known, ...overrides, claims: { ...known.claims, ...overrides.claims } };
}
