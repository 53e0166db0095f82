import { backchannelAuthorize, backchannelTokens, type Requests } from './audkenni/backchannel.ts';
import { authenticate, type Chains } from './audkenni/callback-chain.ts';
import { authorize, type Codes, codeTokens, userInfo } from './audkenni/oauth.ts';
import type { World } from './audkenni/persons.ts';
import type {
  ProviderAnswer,
  ProviderRequest,
  ProviderSession,
  ProviderState,
} from './audkenni/sessions.ts';
import { keySet } from './audkenni/tokens.ts';

/** Registration of the client at the provider. */
export interface ProviderOptions {
  readonly baseUrl?: string;
  readonly simSigns?: 'hash' | 'text';
}

/** Values agreed between client and provider. */
export const agreed = {
  baseUrl: 'https://audkenni.example:443',
  clientId: 'testClient',
  clientSecret: 'Client-Secret+1/=?',
  redirectUri: 'https://rp.example/callback',
} as const;

/** The provider with the phones of its persons, in memory. */
export interface AudkenniProvider {
  readonly state: ProviderState;
  handle(request: ProviderRequest): ProviderAnswer;
  /** The person of the newest session approves. */
  approve(): void;
  /** The newest session fails with a provider code. */
  refuse(code: string): void;
  /** The next start fails with a provider code. */
  refuseStart(code: string): void;
  inject(fault: string): void;
  advance(ms: number): void;
}

/**
 * A provider as publicly documented. It rejects what the real one rejects: headers of the wrong
 * version, outdated positions of a chain, reused codes, different verifiers, missing cookies.
 * Callbacks and choices are in a different order each time.
 */
export function audkenniProvider(world: World, options: ProviderOptions = {}): AudkenniProvider {
  const state: ProviderState = {
    world,
    ...agreed,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    simSigns: options.simSigns ?? 'hash',
    nowMs: world.pki.nowMs,
    refusals: [],
    faults: new Set(),
    sessions: [],
    issued: [],
    log: [],
    nextId: 1,
  };
  const chains: Chains = { byAuthId: new Map(), byToken: new Map() };
  const codes: Codes = new Map();
  const requests: Requests = new Map();
  const newest = (): ProviderSession => {
    const session = state.sessions.at(-1);
    if (session === undefined) throw new Error('no session was started');
    return session;
  };
  return {
    state,
    handle(request) {
      state.log.push(request);
      const { pathname } = request.url;
      if (pathname === '/sso/json/realms/root/realms/audkenni/authenticate') {
        return authenticate(request, state, chains);
      }
      const [, endpoint] =
        /^\/sso\/oauth2\/realms\/root\/realms\/audkenni\/(.+)$/.exec(pathname) ?? [];
      if (endpoint === 'authorize') return authorize(request, state, chains, codes);
      if (endpoint === 'bc-authorize') return backchannelAuthorize(request, state, requests);
      if (endpoint === 'access_token') {
        return request.body.includes('grant-type%3Aciba')
          ? backchannelTokens(request, state, requests)
          : codeTokens(request, state, codes);
      }
      if (endpoint === 'userinfo') return userInfo(request, state);
      if (endpoint === 'connect/jwk_uri') return { status: 200, body: keySet() };
      return { status: 404, body: { code: 404, reason: 'Not Found' } };
    },
    approve() {
      newest().status = 'approved';
    },
    refuse(code) {
      Object.assign(newest(), { status: 'refused', code });
    },
    refuseStart: (code) => state.refusals.push(code),
    inject: (fault) => state.faults.add(fault),
    advance(ms) {
      state.nowMs += ms;
    },
  };
}
