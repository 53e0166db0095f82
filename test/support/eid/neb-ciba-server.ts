import { randomBytes } from 'node:crypto';
import { type Claims, halfHash, type JoseKey, jwkOf, signedJwt } from './oidc/oidc-tokens.ts';
import { basicCredentials, type ServerAnswer, type ServerRequest } from './oidc-server.ts';

/** The client and the person of the broker. */
export interface NebCibaOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  readonly keys: readonly [JoseKey, ...JoseKey[]];
  readonly person: Claims;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Order {
  readonly id: string;
  readonly madeAtMs: number;
  readonly hint: Claims;
  hasPage: boolean;
  askedAtMs: number;
  intervalMs: number;
  /** Error of the token endpoint, `approved`, or undefined while pending. */
  outcome: string | undefined;
}

const GRANT = 'urn:openid:params:grant-type:ciba';
const LIFETIME_MS = 300_000;

const json = (status: number, value: unknown): ServerAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const oauthError = (error: string, status = 400) => json(status, { error });

/** The backchannel of a MitID broker and its person, from the public documentation. */
export class NebCibaServer {
  readonly log: ServerRequest[] = [];
  readonly #options: NebCibaOptions;
  readonly #orders = new Map<string, Order>();
  readonly #tokens = new Set<string>();
  keys: readonly JoseKey[];
  person: Claims;
  /** Edits the claims of the ID token. */
  claims: (claims: Claims) => Claims = (claims) => claims;
  /** Replaces the ID token. */
  token: (jwt: string, claims: Claims) => string = (jwt) => jwt;
  /** Replaces the response of a path. */
  answer: (path: string) => ServerAnswer | undefined = () => undefined;

  constructor(options: NebCibaOptions) {
    this.#options = options;
    this.keys = options.keys;
    this.person = options.person;
  }

  /** The newest order. */
  get order(): Order {
    const newest = [...this.#orders.values()].at(-1);
    if (newest === undefined) throw new Error('nothing was ordered');
    return newest;
  }

  handle(request: ServerRequest): ServerAnswer {
    this.log.push(request);
    const path = request.url.slice(this.#options.issuer.length);
    const wrong = this.answer(path);
    if (wrong !== undefined) return wrong;
    if (path === '/.well-known/openid-configuration') return json(200, this.#metadata());
    if (path === '/jwks') return json(200, { keys: this.keys.map(jwkOf) });
    if (path === '/connect/ciba') return this.#begin(request);
    if (path === '/api/ciba/broker-oidc/init-auth') return this.#page(request);
    if (path === '/connect/token') return this.#token(request);
    if (path === '/connect/userinfo') return this.#userinfo(request);
    if (path.startsWith('/api/v1/ciba/') && request.method === 'DELETE') return this.#cancel(path);
    return oauthError('not_found', 404);
  }

  #metadata(): Claims {
    const { issuer } = this.#options;
    return {
      issuer,
      authorization_endpoint: `${issuer}/connect/authorize`,
      token_endpoint: `${issuer}/connect/token`,
      userinfo_endpoint: `${issuer}/connect/userinfo`,
      backchannel_authentication_endpoint: `${issuer}/connect/ciba`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  #isClient({ headers = {} }: ServerRequest): boolean {
    const { clientId, secret } = this.#options;
    const [id, value] = basicCredentials(headers['authorization']);
    return id === clientId && value === secret;
  }

  #begin(request: ServerRequest): ServerAnswer {
    if (!this.#isClient(request)) return oauthError('invalid_client', 401);
    const body = Object.fromEntries(new URLSearchParams(`${request.body}`));
    const hint = JSON.parse(body['login_hint_token'] ?? '{}') as Claims;
    const isWhole = hint['flow_type'] === 'broker_oidc' && hint['idp_values'] === 'mitid';
    const asks = (body['scope'] ?? '').split(' ');
    if (!isWhole || !asks.includes('openid')) return oauthError('invalid_request');
    const id = randomBytes(16).toString('hex');
    this.#orders.set(id, {
      id,
      hint,
      madeAtMs: this.#options.now(),
      hasPage: false,
      askedAtMs: 0,
      intervalMs: 3_000,
      outcome: undefined,
    });
    return json(200, { auth_req_id: id, expires_in: LIFETIME_MS / 1000, interval: 3 });
  }

  #page({ body }: ServerRequest): ServerAnswer {
    const { requestId = '' } = JSON.parse(`${body}`) as { requestId?: string };
    const order = this.#orders.get(requestId);
    if (order === undefined) return json(400, { errorMessage: 'unknown request' });
    order.hasPage = true;
    const page = `${this.#options.issuer}/connect/authorize?request_uri=urn:${randomBytes(8).toString('hex')}`;
    return json(200, { request_uri: 'urn:x', expires_in: 600, authentication_uri: page });
  }

  #token(request: ServerRequest): ServerAnswer {
    if (!this.#isClient(request)) return oauthError('invalid_client', 401);
    const body = Object.fromEntries(new URLSearchParams(`${request.body}`));
    if (body['grant_type'] !== GRANT) return oauthError('unsupported_grant_type');
    const order = this.#orders.get(body['auth_req_id'] ?? '');
    const nowMs = this.#options.now();
    if (order === undefined) return oauthError('invalid_grant');
    if (nowMs - order.madeAtMs > LIFETIME_MS) return oauthError('expired_token');
    const isEarly = nowMs - order.askedAtMs < order.intervalMs;
    order.askedAtMs = nowMs;
    if (isEarly) {
      order.intervalMs += 5_000;
      return oauthError('slow_down');
    }
    if (order.outcome === undefined || !order.hasPage) return oauthError('authorization_pending');
    if (order.outcome !== 'approved') return oauthError(order.outcome);
    order.outcome = 'invalid_grant';
    const accessToken = randomBytes(24).toString('base64url');
    this.#tokens.add(accessToken);
    const id_token = this.#idToken(accessToken);
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token,
    });
  }

  #idToken(accessToken: string): string {
    const { issuer, clientId, now } = this.#options;
    const seconds = Math.floor(now() / 1000);
    const claims = this.claims({
      iss: issuer,
      sub: this.person['sub'],
      aud: clientId,
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      at_hash: halfHash(accessToken),
      loa: this.person['loa'],
    });
    return this.token(signedJwt(this.keys.at(-1) as JoseKey, claims), claims);
  }

  #userinfo({ headers = {} }: ServerRequest): ServerAnswer {
    const token = (headers['authorization'] ?? '').replace(/^Bearer /, '');
    return this.#tokens.has(token) ? json(200, this.person) : oauthError('invalid_token', 401);
  }

  #cancel(path: string): ServerAnswer {
    const order = this.#orders.get(path.slice('/api/v1/ciba/'.length));
    if (order === undefined || order.outcome !== undefined) return oauthError('not_found', 404);
    order.outcome = 'access_denied';
    return { status: 204, headers: {}, body: '' };
  }
}
