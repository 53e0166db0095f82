import type { SealLevel } from '../../base/level.ts';
import type { CodeBounds } from '../../domain/signing/index.ts';
import type { LoginBounds } from '../../domain/tally/index.ts';
import type { SealPorts } from '../documents/seal-ports.ts';
import type { ForeignScheme, IdentityProvider } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** What use cases that sign or seal stand on. */
export interface SealingPorts extends ServicePorts {
  /**
   * The key of the company with everything that a seal of this level needs; kept by its maker.
   *
   * @throws key.*, config.*
   */
  openSealing(level: SealLevel): Promise<SealPorts>;
  /** Test persons and test certificates are at work. */
  readonly simulated: boolean;
}

/** What use cases of signees stand on. */
export interface SigningPorts extends SealingPorts {
  readonly identity: IdentityProvider;
  /** Providers beside the one for SIM and app. */
  readonly foreign?: Readonly<Record<ForeignScheme, IdentityProvider>>;
  /** How many logins may be started; the usual ones when left out. */
  readonly loginBounds?: LoginBounds;
  /** How many codes one number may get; the usual ones when left out. */
  readonly codeBounds?: CodeBounds;
}
