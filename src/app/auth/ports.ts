import type { ForeignScheme, IdentityProvider, PersonRegister } from '../ports/index.ts';
import type { SigningPorts } from '../signing/index.ts';

/** Dependencies of logins of persons. */
export interface AuthPorts extends SigningPorts {
  /** Providers beside the one for SIM and app. */
  readonly foreign: Readonly<Record<ForeignScheme, IdentityProvider>>;
  readonly register: PersonRegister;
  /** Undefined when another program receives already. */
  readonly openReturnReceiver: (options: {
    readonly host: string;
    readonly port: number;
    readonly path: string;
    take(target: string): Promise<{ readonly isTaken: boolean; readonly text: string }>;
  }) => Promise<{ close(): Promise<void> } | undefined>;
}
