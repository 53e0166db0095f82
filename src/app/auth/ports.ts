import type { ForeignScheme, IdentityProvider, PersonRegister } from '../ports/index.ts';
import type { SigningPorts } from '../signing/index.ts';

/** Dependencies of logins of persons. */
export interface AuthPorts extends SigningPorts {
  /** Providers other than the one for SIM and app. */
  readonly foreign: Readonly<Record<ForeignScheme, IdentityProvider>>;
  readonly register: PersonRegister;
  /** Opens the receiver; undefined if another program already listens. */
  readonly openReturnReceiver: (options: {
    readonly host: string;
    readonly port: number;
    readonly path: string;
    take(target: string): Promise<{ readonly isTaken: boolean; readonly text: string }>;
  }) => Promise<{ close(): Promise<void> } | undefined>;
}
