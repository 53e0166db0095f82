import type { ForeignScheme, IdentityProvider, PersonRegister } from '../ports/index.ts';
import type { SigningPorts } from '../signing/index.ts';

/** Dependencies of logins of persons. */
export interface AuthPorts extends SigningPorts {
  /** Providers beside the one for SIM and app. */
  readonly foreign: Readonly<Record<ForeignScheme, IdentityProvider>>;
  readonly register: PersonRegister;
}
