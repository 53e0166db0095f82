import { createHash } from 'node:crypto';
import { answer, refuse, type ServerAnswer, type ServerRequest } from './messages.ts';

/** The grant of an access token. */
export interface Grant {
  readonly scope: 'service' | 'credential';
  readonly expiresAtMs: number;
  /** Scope `credential`: hashes as base64, each for one signature. */
  readonly credentialId?: string;
  readonly hashes?: readonly string[];
  readonly hashAlgorithmOID?: string;
  isUsed?: boolean;
}

/** The client and the rules of its authorization requests. */
export interface AuthorizationRules {
  readonly base: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly redirectUri: string;
  readonly version: '2.0' | '2.2';
  readonly isPushedOnly: boolean;
  readonly credentialId: string;
  readonly multisign: number;
  now(): number;
  /** True while the fault is injected. */
  has(fault: string): boolean;
}

interface Asked {
  readonly grant: Omit<Grant, 'expiresAtMs'>;
  readonly challenge: string;
  readonly nonce: string;
}

const TOKEN_SECONDS = { service: 3_600, credential: 300 } as const;
const DETAIL_TYPES = {
  '2.0': 'credential',
  '2.2': 'https://cloudsignatureconsortium.org/2025/credential',
} as const;

/** An authorization server with one client: codes with PKCE, pushed requests, client credentials. */
export function authorizationServer(rules: AuthorizationRules) {
  const pushed = new Map<string, { readonly fields: URLSearchParams; readonly untilMs: number }>();
  const codes = new Map<string, Asked & { readonly untilMs: number }>();
  const tokens = new Map<string, Grant>();
  const secrets: string[] = [];
  let count = 0;
  const fresh = (kind: string): string => {
    const made = createHash('sha256').update(`${kind} ${++count}`).digest('base64url');
    if (kind !== 'request') secrets.push(made);
    return made;
  };

  function issue(grant: Omit<Grant, 'expiresAtMs'>): ServerAnswer {
    const token = fresh('token');
    const seconds = TOKEN_SECONDS[grant.scope];
    tokens.set(token, { ...grant, expiresAtMs: rules.now() + seconds * 1_000 });
    const type = rules.has('token-type') ? 'mac' : 'Bearer';
    const foreign = rules.has('other-authorization')
      ? { authorization_details: [{ type: 'credential', credentialID: 'another' }] }
      : {};
    return answer(200, { access_token: token, token_type: type, expires_in: seconds, ...foreign });
  }

  function exchange(fields: URLSearchParams): ServerAnswer {
    const asked = codes.get(fields.get('code') ?? '');
    codes.delete(fields.get('code') ?? '');
    const verifier = fields.get('code_verifier') ?? '';
    secrets.push(verifier);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isSound =
      asked !== undefined &&
      rules.now() < asked.untilMs &&
      asked.challenge === challenge &&
      fields.get('redirect_uri') === rules.redirectUri;
    return isSound ? issue(asked.grant) : refuse(400, 'invalid_grant');
  }

  return {
    tokens,
    secrets,
    /** Paths below `oauth2/`. */
    handle(path: string, request: ServerRequest): ServerAnswer {
      if (request.method !== 'POST') return refuse(405, 'invalid_request');
      const type = request.headers['content-type'] ?? '';
      if (type !== 'application/x-www-form-urlencoded') return refuse(415, 'invalid_request');
      const fields = new URLSearchParams(request.body);
      if (!isClient(rules, fields, request.headers.authorization)) {
        return refuse(401, 'invalid_client');
      }
      if (path === 'pushed_authorize') {
        if (readAsked(rules, fields) === undefined) return refuse(400, 'invalid_request');
        const uri = `urn:ietf:params:oauth:request_uri:${fresh('request')}`;
        pushed.set(uri, { fields, untilMs: rules.now() + 60_000 });
        return answer(201, { request_uri: uri, expires_in: 60 });
      }
      if (path === 'revoke') {
        tokens.delete(fields.get('token') ?? '');
        return answer(200, {});
      }
      if (path !== 'token') return refuse(404, 'invalid_request');
      const grant = fields.get('grant_type');
      if (grant === 'authorization_code') return exchange(fields);
      if (grant !== 'client_credentials') return refuse(400, 'unsupported_grant_type');
      if (fields.get('scope') !== 'service') return refuse(400, 'invalid_scope');
      return issue({ scope: 'service' });
    },
    /** A person opens the page and decides; returns the redirect URL. */
    visit(address: string, decision: 'approve' | 'decline' | 'break'): URL {
      const url = new URL(address);
      if (`${url.origin}${url.pathname}` !== `${rules.base}/oauth2/authorize`) {
        throw new Error('the address is not the authorization endpoint');
      }
      const asked = readAsked(rules, fieldsOf(rules, url.searchParams, pushed));
      if (asked === undefined) throw new Error('the authorization request is refused');
      const back = new URL(rules.redirectUri);
      back.searchParams.set('state', asked.nonce);
      if (decision === 'decline') back.searchParams.set('error', 'access_denied');
      else if (decision === 'break') back.searchParams.set('error', 'temporarily_unavailable');
      else {
        const code = fresh('code');
        codes.set(code, { ...asked, untilMs: rules.now() + 60_000 });
        back.searchParams.set('code', code);
      }
      return back;
    },
  };
}

function fieldsOf(
  { clientId, isPushedOnly, now }: AuthorizationRules,
  given: URLSearchParams,
  pushed: Map<string, { readonly fields: URLSearchParams; readonly untilMs: number }>,
): URLSearchParams {
  const uri = given.get('request_uri');
  if (uri === null) {
    if (isPushedOnly) throw new Error('expected a pushed authorization request');
    return given;
  }
  const found = pushed.get(uri);
  pushed.delete(uri);
  const isSound =
    found !== undefined && now() < found.untilMs && given.get('client_id') === clientId;
  if (!isSound) throw new Error('the pushed authorization request is unknown');
  return found.fields;
}

function isClient(
  { clientId, clientSecret }: AuthorizationRules,
  fields: URLSearchParams,
  header: string | undefined,
): boolean {
  if (fields.get('client_id') !== clientId) return false;
  if (clientSecret === undefined) return header === undefined && !fields.has('client_secret');
  if (header === undefined) return fields.get('client_secret') === clientSecret;
  const pair = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
  return pair === `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
}

function readAsked(rules: AuthorizationRules, fields: URLSearchParams): Asked | undefined {
  const nonce = fields.get('state') ?? '';
  const challenge = fields.get('code_challenge') ?? '';
  const isSound =
    fields.get('response_type') === 'code' &&
    fields.get('client_id') === rules.clientId &&
    fields.get('redirect_uri') === rules.redirectUri &&
    fields.get('code_challenge_method') === 'S256' &&
    challenge.length === 43 &&
    nonce.length >= 16;
  const grant = isSound ? readGrant(rules, fields) : undefined;
  return grant && { grant, challenge, nonce };
}

function readGrant(rules: AuthorizationRules, fields: URLSearchParams): Asked['grant'] | undefined {
  const details = fields.get('authorization_details');
  if (details !== null) return readDetails(rules, details);
  if (fields.get('scope') === 'service') return { scope: 'service' };
  if (fields.get('scope') !== 'credential') return undefined;
  const hashes = (fields.get('hashes') ?? '').split(',').map((text) => {
    return /[+/=]/.test(text) ? '' : Buffer.from(text, 'base64url').toString('base64');
  });
  const count = Number(fields.get('numSignatures'));
  const credentialId = fields.get('credentialID') ?? '';
  return bound(rules, credentialId, hashes, count, fields.get('hashAlgorithmOID') ?? '');
}

interface Details {
  readonly type: string;
  readonly credentialID: string;
  readonly numSignatures?: number;
  readonly hashAlgorithmOID: string;
  readonly documentDigests: readonly {
    readonly hash: string;
    readonly label?: string;
    readonly hashType?: string;
  }[];
}

function readDetails(rules: AuthorizationRules, text: string): Asked['grant'] | undefined {
  const [found, second] = JSON.parse(text) as readonly Details[];
  if (found === undefined || second !== undefined) return undefined;
  if (found.type !== DETAIL_TYPES[rules.version]) return undefined;
  const digests = found.documentDigests;
  const isNew = rules.version === '2.2';
  if (isNew !== (found.numSignatures !== undefined)) return undefined;
  if (digests.some(({ hashType, label }) => isNew !== (hashType !== undefined) || !label)) {
    return undefined;
  }
  const hashes = digests.map(({ hash }) => hash);
  const count = found.numSignatures ?? hashes.length;
  return bound(rules, found.credentialID, hashes, count, found.hashAlgorithmOID);
}

/** A grant for exactly these hashes. */
function bound(
  rules: AuthorizationRules,
  credentialId: string,
  hashes: readonly string[],
  count: number,
  hashAlgorithmOID: string,
): Asked['grant'] | undefined {
  const isSound =
    credentialId === rules.credentialId &&
    hashes.length === count &&
    count >= 1 &&
    count <= rules.multisign &&
    hashes.every((hash) => fitsDigest(hash, hashAlgorithmOID));
  return isSound ? { scope: 'credential', credentialId, hashes, hashAlgorithmOID } : undefined;
}

/** True when the base64 text is a digest of the algorithm. */
export function fitsDigest(hash: string, oid: string): boolean {
  const lengths: Readonly<Record<string, number>> = {
    '2.16.840.1.101.3.4.2.1': 32,
    '2.16.840.1.101.3.4.2.2': 48,
    '2.16.840.1.101.3.4.2.3': 64,
  };
  return Buffer.from(hash, 'base64').length === lengths[oid];
}
