import { createHash } from 'node:crypto';
import { type OidcOptions, oidcDriver } from '../../../../src/adapters/eid/oidc/index.ts';
import {
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidRequest,
  type EidState,
} from '../../../../src/app/ports/index.ts';
import { atFileEnd } from '../../file-end.ts';
import { OidcServer, type OidcServerOptions } from '../oidc-server.ts';
import { type JoseKey, newKey } from './oidc-tokens.ts';

/** Keys of one run; generating RSA keys is slow. */
const made = new Map<string, JoseKey>();
atFileEnd('named keys', () => made.clear());

/** The key of that name: the same throughout a file. */
export function keyNamed(name: string, alg: 'RS256' | 'ES256' = 'RS256'): JoseKey {
  const key = made.get(name) ?? newKey(name, alg);
  made.set(name, key);
  return key;
}

export const issuer = 'https://broker.example/op';
export const clientId = 'client one';
export const clientSecret = 'secret/of the client+1';
export const redirectUri = 'https://service.example/eid/return';

/** The test person: the national number is one of the published examples. */
export const person = {
  sub: '5cb6c9e2',
  name: 'Guðrún Example',
  birthdate: '1960-01-12',
  national_id: '120160-3389',
  nin_issuing_country: 'IS',
  loa: 'substantial',
};

/** A login at the `generic` profile. */
export const login: EidRequest = {
  purpose: 'auth',
  channel: 'Redirect',
  loginHint: '',
  text: 'Log in to the service',
  language: 'is',
  includeVerificationCode: false,
  minAssurance: 'substantial',
};

/** A driver with its broker. */
export interface OidcBench {
  readonly server: OidcServer;
  readonly driver: EidDriver;
  readonly options: OidcOptions;
  readonly environment: EidEnvironment;
  advance(ms: number): void;
  /** Starts a session, and opens its page as the person. */
  begin(request?: Partial<EidRequest>): Promise<EidState>;
  /** The session after the person has approved and returned. */
  approved(request?: Partial<EidRequest>): Promise<EidState>;
}

/** A driver and its broker that share a clock. */
export function oidcBench(
  options: Partial<OidcOptions> = {},
  serverOptions: Partial<OidcServerOptions> = {},
): OidcBench {
  let nowMs = Date.UTC(2026, 3, 1, 12);
  let drawn = 0;
  const server = new OidcServer({
    issuer,
    clientId,
    redirectUri,
    secret: { value: clientSecret, way: 'basic' },
    pushed: 'offered',
    keys: [keyNamed('one')],
    person,
    inIdToken: ['name', 'loa'],
    now: () => nowMs,
    ...serverOptions,
  });
  const environment: EidEnvironment = {
    now: () => nowMs,
    random: (count) =>
      createHash('shake256', { outputLength: count }).update(`draw ${drawn++}`).digest(),
    http: async (request) => {
      const { status, headers, body } = server.handle(request);
      if (body.length > 1_048_576) throw new EidError('invalidResponse', 'the answer is too long');
      return { status, headers, body: Buffer.from(body) };
    },
    trust: {
      requirePath: () => {
        throw new Error('no certificates here');
      },
      checkOcsp: () => {
        throw new Error('no certificates here');
      },
      checkStatus: () => {
        throw new Error('no certificates here');
      },
    },
  };
  const whole: OidcOptions = {
    issuer,
    clientId,
    clientAuthentication: { method: 'client_secret_basic', secret: clientSecret },
    redirectUri,
    ...options,
  };
  const driver = oidcDriver(whole);
  const begin = async (request: Partial<EidRequest> = {}) => {
    const { state, challenge } = await driver.start({ ...login, ...request }, environment);
    server.visit(challenge.redirectUrl ?? '');
    return state;
  };
  return {
    server,
    driver,
    options: whole,
    environment,
    advance: (ms) => {
      nowMs += ms;
    },
    begin,
    approved: async (request) => {
      const state = await begin(request);
      return (await driver.callback?.(state, server.approve(), environment)) as EidState;
    },
  };
}

/** The error of a call. Undefined if it succeeds. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
