/** The HTTP face: HTTP in, use case, HTTP out. */
export { type Failure, failureOf, invalidField } from './failure.ts';
export type {
  ApiPorts,
  ApiSeal,
  CompanyFace,
  Counters,
  DocumentFace,
  Readiness,
  SealedBytes,
  TrustFace,
} from './ports.ts';
export {
  type Access,
  type ApiApp,
  type ApiCall,
  addRoute,
  type RouteFacts,
  type RouteSpec,
} from './route.ts';
export { buildApi, type ServerOptions } from './server.ts';
