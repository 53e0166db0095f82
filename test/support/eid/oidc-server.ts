import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import {
  type Claims,
  encryptedJwt,
  halfHash,
  type JoseKey,
  jwkOf,
  signedJwt,
  verifiedClaims,
} from './oidc/oidc-tokens.ts';

/** A request as passed by a transport. */
export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response of any status. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Faults of the provider; each member replaces the correct value. */
export interface OidcFaults {
  claims?: (claims: Claims) => Claims;
  header?: Claims;
  /** Signing key. Default: the newest. */
  signingKey?: JoseKey;
  /** Replaces the ID token. */
  token?: (jwt: string, claims: Claims) => string;
  userinfo?: (claims: Claims) => Claims;
  /** Replaces the response of a path. */
  answer?: (path: string, request: ServerRequest) => ServerAnswer | undefined;
}

/** The client's registration, and the provider's behaviour towards it. */
export interface OidcServerOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Client authentication: a secret by Basic or in the body, or a public key for assertions. */
  readonly secret?: { readonly value: string; readonly way: 'basic' | 'post' };
  readonly assertionKey?: KeyObject;
  /** Requires request objects signed with this key. */
  readonly requestKey?: KeyObject;
  readonly pushed: 'required' | 'offered' | 'none';
  /** Encrypts ID tokens. */
  readonly encryptTo?: JoseKey;
  readonly keys: readonly [JoseKey, ...JoseKey[]];
  readonly person: Claims;
  /** Claims of the person in the ID token; userinfo returns the rest. */
  readonly inIdToken: readonly string[];
  readonly metadata?: Claims;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Authorization {
  readonly parameters: Readonly<Record<string, string>>;
  readonly authTimeMs: number;
}

const json = (status: number, value: unknown, headers = {}): ServerAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});
const oauthError = (error: string, status = 400) => json(status, { error });

/** An OpenID Connect broker and its person, from the public specifications. */
export class OidcServer {
  readonly log: ServerRequest[] = [];
  /** Violations of the specifications observed by the provider. */
  readonly complaints: string[] = [];
  faults: OidcFaults = {};
  keys: readonly JoseKey[];
  person: Claims;
  matchTries = 0;
  readonly #options: OidcServerOptions;
  readonly #pushed = new Map<string, Readonly<Record<string, string>>>();
  readonly #codes = new Map<string, Authorization & { readonly madeAtMs: number }>();
  readonly #used = new Set<string>();
  readonly #tokens = new Set<string>();
  #visited: Authorization | undefined;

  constructor(options: OidcServerOptions) {
    this.#options = options;
    this.keys = options.keys;
    this.person = options.person;
  }

  /** Handles the request of a client. */
  handle(request: ServerRequest): ServerAnswer {
    this.log.push(request);
    const path = request.url.slice(this.#options.issuer.length);
    const wrong = this.faults.answer?.(path, request);
    if (wrong !== undefined) return wrong;
    if (!request.url.startsWith(this.#options.issuer)) return oauthError('not_found', 404);
    if (path === '/.well-known/openid-configuration') return json(200, this.#metadata());
    if (path === '/jwks') return json(200, { keys: this.keys.map(jwkOf) });
    if (path === '/par') return this.#push(request);
    if (path === '/token') return this.#token(request);
    if (path === '/userinfo') return this.#userinfo(request);
    if (path === '/api/v1/mitid/matchCpr') return this.#match(request);
    return oauthError('not_found', 404);
  }

  /** The person opens the page. @throws for an invalid request */
  visit(address: string): Readonly<Record<string, string>> {
    const url = new URL(address);
    const given = Object.fromEntries(url.searchParams);
    if (url.origin + url.pathname !== `${this.#options.issuer}/authorize`) {
      throw new Error('another page');
    }
    const { request_uri: uri } = given;
    const parameters = uri === undefined ? this.#parameters(given) : this.#pushed.get(uri);
    if (parameters === undefined) throw new Error('unknown request_uri');
    if (uri === undefined && this.#options.pushed === 'required') throw new Error('not pushed');
    if (uri !== undefined) this.#pushed.delete(uri);
    this.#visited = { parameters, authTimeMs: this.#options.now() };
    return parameters;
  }

  /** The person approves: returns the redirect URL. */
  approve(): URL {
    const { parameters } = this.#requireVisit();
    const code = randomBytes(16).toString('base64url');
    this.#codes.set(code, { ...this.#requireVisit(), madeAtMs: this.#options.now() });
    return this.#back(parameters, { code });
  }

  /** The person or the provider refuses: returns the redirect URL. */
  deny(error: string, description?: string): URL {
    const { parameters } = this.#requireVisit();
    const more: Record<string, string> =
      description === undefined ? {} : { error_description: description };
    return this.#back(parameters, { error, ...more });
  }

  #requireVisit(): Authorization {
    if (this.#visited === undefined) throw new Error('nobody has opened the page');
    return this.#visited;
  }

  #back(parameters: Readonly<Record<string, string>>, result: Record<string, string>): URL {
    const url = new URL(parameters['redirect_uri'] ?? '');
    const members = { ...result, state: parameters['state'] ?? '', iss: this.#options.issuer };
    for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
    return url;
  }

  #metadata(): Claims {
    const { issuer, pushed } = this.#options;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      ...(pushed === 'none' ? {} : { pushed_authorization_request_endpoint: `${issuer}/par` }),
      require_pushed_authorization_requests: pushed === 'required',
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.#options.metadata,
    };
  }

  #push(request: ServerRequest): ServerAnswer {
    const given = Object.fromEntries(new URLSearchParams(`${request.body ?? ''}`));
    if (!this.#isClient(request, given)) return oauthError('invalid_client', 401);
    let parameters: Readonly<Record<string, string>>;
    try {
      parameters = this.#parameters(given);
    } catch (error) {
      this.complaints.push(`${error}`);
      return oauthError('invalid_request');
    }
    const uri = `urn:ietf:params:oauth:request_uri:${randomBytes(12).toString('base64url')}`;
    this.#pushed.set(uri, parameters);
    return json(201, { request_uri: uri, expires_in: 60 });
  }

  /** The parameters of an authorization request, from its request object if there is one. */
  #parameters(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { clientId, issuer, redirectUri, requestKey, now } = this.#options;
    let parameters = given;
    if (requestKey !== undefined) {
      const claims = verifiedClaims(given['request'] ?? '..', requestKey);
      if (claims === undefined) throw new Error('the request object is not signed by the client');
      if (claims['aud'] !== issuer || claims['iss'] !== clientId) throw new Error('aud or iss');
      if (Math.abs((claims['iat'] as number) - now() / 1000) > 60) throw new Error('iat');
      const { idp_params: idp, ...rest } = claims;
      if (typeof idp === 'string') throw new Error('idp_params is no object');
      parameters = {
        ...rest,
        ...(idp === undefined ? {} : { idp_params: JSON.stringify(idp) }),
      } as Record<string, string>;
    }
    const rules: Record<string, boolean> = {
      client_id: parameters['client_id'] === clientId,
      response_type: parameters['response_type'] === 'code',
      redirect_uri: parameters['redirect_uri'] === redirectUri,
      scope: (parameters['scope'] ?? '').split(' ').includes('openid'),
      state: (parameters['state'] ?? '').length >= 22,
      nonce: (parameters['nonce'] ?? '').length >= 22,
      code_challenge: /^[\w-]{43}$/.test(parameters['code_challenge'] ?? ''),
      code_challenge_method: parameters['code_challenge_method'] === 'S256',
    };
    const broken = Object.keys(rules).filter((name) => !rules[name]);
    if (broken.length > 0) throw new Error(`refused: ${broken.join(', ')}`);
    return parameters;
  }

  #isClient({ headers = {} }: ServerRequest, body: Readonly<Record<string, string>>): boolean {
    const { clientId, issuer, secret, assertionKey, now } = this.#options;
    if (assertionKey !== undefined) {
      const claims = verifiedClaims(body['client_assertion'] ?? '..', assertionKey);
      if (claims === undefined || claims['aud'] !== issuer) return false;
      const [exp, jti] = [claims['exp'] as number, `${claims['jti']}`];
      const isNew = jti.length >= 16 && !this.#used.has(jti);
      this.#used.add(jti);
      const isOwn = claims['iss'] === clientId && claims['sub'] === clientId;
      return isNew && isOwn && exp > now() / 1000 && exp < now() / 1000 + 300;
    }
    if (secret === undefined) return body['client_id'] === clientId;
    if (secret.way === 'post') {
      return body['client_id'] === clientId && body['client_secret'] === secret.value;
    }
    const [id, value] = basicCredentials(headers['authorization']);
    return id === clientId && value === secret.value && body['client_secret'] === undefined;
  }

  #token(request: ServerRequest): ServerAnswer {
    const body = Object.fromEntries(new URLSearchParams(`${request.body ?? ''}`));
    const { now, redirectUri, encryptTo } = this.#options;
    if (!this.#isClient(request, body)) return oauthError('invalid_client', 401);
    if (body['grant_type'] !== 'authorization_code') return oauthError('unsupported_grant_type');
    const found = this.#codes.get(body['code'] ?? '');
    this.#codes.delete(body['code'] ?? '');
    if (found === undefined || now() - found.madeAtMs > 60_000) return oauthError('invalid_grant');
    const challenge = createHash('sha256')
      .update(body['code_verifier'] ?? '')
      .digest('base64url');
    if (challenge !== found.parameters['code_challenge']) return oauthError('invalid_grant');
    if (body['redirect_uri'] !== redirectUri) return oauthError('invalid_grant');
    const accessToken = randomBytes(24).toString('base64url');
    this.#tokens.add(accessToken);
    const token = this.#idToken(found, accessToken);
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: encryptTo === undefined ? token : encryptedJwt(token, encryptTo),
    });
  }

  #idToken({ parameters, authTimeMs }: Authorization, accessToken: string): string {
    const { issuer, clientId, inIdToken, now } = this.#options;
    const seconds = Math.floor(now() / 1000);
    const told = Object.entries(this.person).filter(([name]) => inIdToken.includes(name));
    const plain: Claims = {
      iss: issuer,
      sub: this.person['sub'],
      aud: clientId,
      exp: seconds + 300,
      iat: seconds,
      auth_time: Math.floor(authTimeMs / 1000),
      nonce: parameters['nonce'],
      at_hash: halfHash(accessToken),
      ...Object.fromEntries(told),
    };
    const claims = this.faults.claims?.(plain) ?? plain;
    const key = this.faults.signingKey ?? (this.keys.at(-1) as JoseKey);
    const jwt = signedJwt(key, claims, this.faults.header);
    return this.faults.token?.(jwt, claims) ?? jwt;
  }

  #userinfo({ headers = {} }: ServerRequest): ServerAnswer {
    if (!this.#isBearer(headers)) {
      return json(401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
    }
    return json(200, this.faults.userinfo?.({ ...this.person }) ?? this.person);
  }

  #match({ headers = {}, body }: ServerRequest): ServerAnswer {
    if (!this.#isBearer(headers)) return oauthError('invalid_token', 401);
    this.matchTries++;
    if (this.matchTries > 3) return json(400, { errorMessage: 'no more tries' });
    const { cpr } = JSON.parse(`${body}`) as { cpr?: string };
    return json(200, { cprNumberMatch: cpr === this.person['secret number'] });
  }

  #isBearer(headers: Readonly<Record<string, string>>): boolean {
    return this.#tokens.has((headers['authorization'] ?? '').replace(/^Bearer /, ''));
  }
}

/** User and password of Basic authentication, which are form-encoded. @spec RFC 6749 §2.3.1 */
export function basicCredentials(value = ''): readonly string[] {
  const text = Buffer.from(value.replace(/^Basic /, ''), 'base64').toString();
  return text.split(':').map((part) => decodeURIComponent(part.replace(/\+/g, ' ')));
}
