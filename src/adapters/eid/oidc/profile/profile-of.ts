import type { OidcProfile } from './profile.ts';
import { type OidcProfileName, oidcProfiles } from './profiles.table.ts';

/** The named profile with overrides applied; claims are merged individually. */
export function profileOf(
  name: OidcProfileName,
  overrides: Partial<OidcProfile> = {},
): OidcProfile {
  const known = oidcProfiles[name];
  return { ...known, ...overrides, claims: { ...known.claims, ...overrides.claims } };
}
