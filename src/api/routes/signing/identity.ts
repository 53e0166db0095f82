import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { registerCompliance } from '../company/compliance.ts';
import { registerScreening } from '../company/screening.ts';
import { registerAuth } from './auth.ts';
import { registerDeviceLink } from './device-link.ts';
import { registerEidSe } from './eid-se.ts';
import { registerLoginResult } from './login-result.ts';
import { registerSequenceAccess } from './sequence-access.ts';
import { registerSequenceEidSe } from './sequence-eid-se.ts';
import { registerSigning } from './signing.ts';
import { registerSigningStatus } from './signing-status.ts';

/** Adds the routes that log persons in, open their documents and let them sign. */
export function registerIdentityRoutes(app: ApiApp, ports: ApiPorts): void {
  registerAuth(app, ports);
  registerDeviceLink(app, ports);
  registerLoginResult(app);
  registerEidSe(app, ports);
  registerSequenceAccess(app, ports);
  registerSequenceEidSe(app, ports);
  registerSigning(app, ports);
  registerSigningStatus(app, ports);
  registerCompliance(app);
  registerScreening(app);
}
