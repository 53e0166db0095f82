import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { clientNetworks } from '../../base/ip-address.ts';
import type { ApiKeyScope } from '../../domain/company/index.ts';
import type { ApiPorts, CompanyFace } from '../ports.ts';
import type { ApiApp } from '../route.ts';
import { isFromHere } from './clients.ts';
import { readCredentials, refused } from './credentials.ts';
import { openRateLimit } from './rate-limit.ts';
import { openThrottle } from './throttle.ts';

/**
 * Failed attempts from one address, and from one address for one company, in a minute. API keys
 * have 256 bits: what is kept off is the noise, and a client that asks each route with a wrong key
 * is told on each that it is wrong.
 */
const FAILURES_OF_ADDRESS = 300;
const FAILURES_OF_COMPANY = 100;
const WINDOW_MS = 60_000;
/** Credentials that have been right, which pass whatever others did from their address. */
const RIGHT_MAX = 1000;

/** How often clients may ask, and who is told how the service is. */
export interface GuardOptions {
  /** Requests a second from one address, not counting those of this machine; 0: any number. */
  readonly requestsPerAddress?: number;
  /** Requests a second with the credentials of one company; 0: any number. */
  readonly requestsPerCompany?: number;
  /** Opens `/metrics` and the details of `/readyz`; without it only this machine sees them. */
  readonly operatorToken?: string;
  /** For real use: without the token nobody sees them. */
  readonly strict?: boolean;
}

const usualPerAddress = 100;
const usualPerCompany = 2000;

declare module 'fastify' {
  interface FastifyInstance {
    /** The company of the Basic credentials. @throws authentication.credentials.invalid */
    requireCompany(request: FastifyRequest): Promise<CompanyFace>;
    /** True for who runs the service: somebody on this machine, or with the operator token. */
    isOperator(request: FastifyRequest): boolean;
  }
}

/** Adds the guards: routes of companies are refused before their body is read. */
export function addAuthentication(app: ApiApp, ports: ApiPorts, options: GuardOptions): void {
  const { requestsPerAddress = usualPerAddress, requestsPerCompany = usualPerCompany } = options;
  const fromAddress = openRateLimit(requestsPerAddress);
  const ofCompany = openRateLimit(requestsPerCompany);
  const byAddress = openThrottle(FAILURES_OF_ADDRESS, WINDOW_MS);
  const byCompany = openThrottle(FAILURES_OF_COMPANY, WINDOW_MS);
  const right = new Set<string>();
  const requireCompany = async (request: FastifyRequest): Promise<CompanyFace> => {
    const credentials = readCredentials(request);
    if (credentials.kind !== 'basic') throw refused('expected company key and API key');
    const { user, password } = credentials;
    const nowMs = ports.now();
    const clients = clientNetworks(request.ip);
    const ofUser = ` ${user.slice(0, 64)}`;
    // A proxy on this machine that nobody has named would be one client for all of them.
    const pairs = clients.length === 0 ? [{ name: 'here', share: 1 }] : clients;
    const known = hash('sha256', `${user}\n${password}`, 'base64');
    if (!right.has(known)) {
      for (const { name, share } of clients) byAddress.require(name, nowMs, share);
      for (const { name, share } of pairs) byCompany.require(name + ofUser, nowMs, share);
    }
    const face = await ports.authenticate(user, password, scopeOf(request));
    // Those used last stay.
    right.delete(known);
    if (face === undefined) {
      for (const { name } of clients) byAddress.fail(name, nowMs);
      for (const { name } of pairs) byCompany.fail(name + ofUser, nowMs);
      throw refused('company key and API key do not belong together');
    }
    if (right.size >= RIGHT_MAX) right.delete(right.values().next().value as string);
    right.add(known);
    ofCompany.take(face.company.key, nowMs);
    return face;
  };
  app.decorateRequest('company', null);
  app.decorate('requireCompany', requireCompany);
  const isOperator = operatorCheck(options);
  app.decorate('isOperator', isOperator);
  app.addHook('onRequest', async (request) => {
    const nowMs = ports.now();
    for (const { name, share } of clientNetworks(request.ip)) fromAddress.take(name, nowMs, share);
    const access = request.routeOptions.config.facts?.access;
    if (access === 'company') request.company = await requireCompany(request);
    if (access === 'operator' && !isOperator(request)) {
      throw refused('expected the operator token, or a request of this machine');
    }
  });
}

// Any key opens what names no scope, and what a page of its own would show.
function scopeOf({ routeOptions }: FastifyRequest): ApiKeyScope | undefined {
  const scope = routeOptions.config.facts?.scope;
  return scope === 'any' ? undefined : scope;
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function operatorCheck({ operatorToken, strict = false }: GuardOptions) {
  const known = operatorToken === undefined ? undefined : digest(operatorToken);
  return (request: FastifyRequest): boolean => {
    if (known === undefined) return !strict && isFromHere(request);
    const given = readCredentials(request);
    return given.kind === 'token' && timingSafeEqual(digest(given.token), known);
  };
}
