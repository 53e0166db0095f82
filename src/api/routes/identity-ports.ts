import type { IdentityToolkit } from '../../app/auth/index.ts';
import type { ApiPorts } from '../ports.ts';

/** What the routes about persons stand on. */
export interface IdentityApiPorts extends ApiPorts {
  readonly identity: IdentityToolkit;
}
