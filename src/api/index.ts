/** The HTTP interface: HTTP in, use case, HTTP out. */

export type { CompanyService } from '../app/company-service.ts';
export { type Failure, failureOf } from './failure.ts';
export type {
  ApiPorts,
  ApiSeal,
  Counters,
  DocumentService,
  Readiness,
  SealedDocumentParts,
  TrustService,
} from './ports.ts';
export type { Access, ApiApp, ApiCall, RouteFacts, RouteSpec } from './route.ts';
export { buildApi } from './server.ts';
export type {
  BudgetSize,
  BytesHeld,
  FailureLine,
  GuardOptions,
  ServerOptions,
} from './server-options.ts';
