import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { onCode } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { ApiKeyScope } from '../../../domain/company.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import type { GuardOptions } from '../../server-options.ts';
import { isUnclean } from '../bodies/clean-keys.ts';
import { isFromHere } from './client-address.ts';
import { readCredentials, refused } from './credentials.ts';
import { openRateLimit } from './rate-limit.ts';
import { openFailedLogins } from './wrong-logins.ts';

/** Number of valid credentials remembered: they are accepted even if their address failed often. */
const RIGHT_MAX = 1000;

const usualPerAddress = 100;
const usualPerCompany = 2000;

declare module 'fastify' {
  interface FastifyInstance {
    /** The company of the Basic credentials. @throws authentication.credentials.invalid */
    requireCompany(request: FastifyRequest): Promise<CompanyService>;
    /** True if the key of the Basic credentials, which were found valid, may sign. */
    maySign(request: FastifyRequest): Promise<boolean>;
    /** True for the service's operator: a request from this machine, or with the operator token. */
    isOperator(request: FastifyRequest): boolean;
  }
}

/** Adds the access checks: company routes reject invalid credentials before reading the body. */
export function addAuthentication(app: ApiApp, ports: ApiPorts, options: GuardOptions): void {
  const { requestsPerAddress = usualPerAddress, requestsPerCompany = usualPerCompany } = options;
  const fromAddress = openRateLimit(requestsPerAddress);
  const ofCompany = openRateLimit(requestsPerCompany);
  const wrong = openFailedLogins((keys) => options.failures?.tell(keys));
  options.failures?.hear((keys) => wrong.countReported(keys, ports.now()));
  const right = new Set<string>();
  const requireCompany = async (request: FastifyRequest): Promise<CompanyService> => {
    const credentials = readCredentials(request);
    if (credentials.kind !== 'basic') throw refused('expected company key and API key');
    const { user, password } = credentials;
    const nowMs = ports.now();
    const known = hash('sha256', `${user}\n${password}`, 'base64');
    if (!right.has(known)) wrong.require(request.ip, user, nowMs);
    const face = await ports.authenticate(user, password, scopeOf(request));
    // The most recently used credentials stay.
    right.delete(known);
    if (face === undefined) {
      wrong.count(request.ip, user, nowMs);
      throw refused('the API key does not belong to the company');
    }
    if (right.size >= RIGHT_MAX) right.delete(right.values().next().value as string);
    right.add(known);
    request.caller = face;
    ofCompany.take(face.company.key, nowMs);
    return face;
  };
  app.decorateRequest('company', null);
  app.decorateRequest('caller', null);
  app.decorate('requireCompany', requireCompany);
  app.decorate('maySign', (request) => maySign(ports, request));
  app.decorate('markSimulated', (reply, provider, signee) => {
    if (!ports.identity.isSimulated(provider, signee)) return;
    reply.header('x-innsigli-simulated', 'true');
  });
  const isOperator = operatorCheck(options);
  app.decorate('isOperator', isOperator);
  // By now the keys have no control characters.
  app.addHook('preHandler', async ({ params, ip }) => {
    const extra = await extraCostOf(ports, params);
    if (extra === 0) return;
    fromAddress.takeOf(ip, ports.now(), extra);
  });
  app.addHook('onRequest', async (request) => {
    fromAddress.takeOf(request.ip, ports.now());
    const access = request.routeOptions.config.facts?.access;
    if (access === 'company') request.company = await requireCompany(request);
    if (access === 'operator' && !isOperator(request)) {
      throw refused('expected the operator token, or a request from this machine');
    }
  });
}

/** The additional cost of a request: one to a large sequence reads all of its documents. */
async function extraCostOf({ placesBehind }: ApiPorts, params: unknown): Promise<number> {
  const { SequenceKey, ProcessKey, Key } = (params ?? {}) as Readonly<Record<string, string>>;
  const key = SequenceKey ?? ProcessKey ?? Key;
  if (key === undefined || isUnclean(key)) return 0;
  return Math.floor((await placesBehind(key)) / limits.placesOfRequest);
}

async function maySign(
  { authenticate }: Pick<ApiPorts, 'authenticate'>,
  request: FastifyRequest,
): Promise<boolean> {
  const credentials = readCredentials(request);
  if (credentials.kind !== 'basic') return false;
  const known = authenticate(credentials.user, credentials.password, 'sign');
  return (await known.catch(onCode('authentication.key.scope'))) !== undefined;
}

// Any key is accepted where the route names no scope, or the scope `any`.
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
