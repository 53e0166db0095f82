/** The HTTP face: HTTP in, use case, HTTP out. */
export { type Failure, failureOf, invalidField } from './failure.ts';
export type {
  AccessTokens,
  ApiPorts,
  ApiSeal,
  CompanyFace,
  Counters,
  DocumentFace,
  Readiness,
  SealedBytes,
  TokenVerdict,
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
export type { IdentityApiPorts } from './routes/index.ts';
export { buildApi, type ServerOptions } from './server.ts';
