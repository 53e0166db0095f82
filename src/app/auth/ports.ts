import type { ForeignScheme, IdentityProvider, PersonRegister } from '../ports/index.ts';
import type { SigningPorts } from '../signing/index.ts';

/** What logins of persons stand on. */
export interface AuthPorts extends SigningPorts {
  /** Providers beside the one for SIM and app. */
  readonly foreign: Readonly<Record<ForeignScheme, IdentityProvider>>;
  readonly register: PersonRegister;
}
