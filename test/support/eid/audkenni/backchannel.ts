import { verify } from 'node:crypto';
import { newKeyPair } from '../../key-pairs.ts';
import { realmOf, tokensFor } from './oauth.ts';
import {
  base64Bytes,
  findPerson,
  formOf,
  newId,
  oauthRefusal,
  type ProviderAnswer,
  type ProviderRequest,
  type ProviderSession,
  type ProviderState,
  type ProviderUse,
} from './sessions.ts';

/** Key pair of the client; the provider knows its public key. */
export const clientKeys = newKeyPair('RSA-2048', 'audkenni client');

/** Sessions by their request identifier. */
export type Requests = Map<
  string,
  { session: ProviderSession; askedAtMs: number; intervalMs: number }
>;

/** Requirements of each method: bytes of a hash, and whether a text is shown. */
const ways: Readonly<Record<string, { use: ProviderUse; hashBytes: number }>> = {
  'sim-auth': { use: 'sim-auth', hashBytes: 32 },
  'sim-sign': { use: 'sim-sign', hashBytes: 32 },
  'app-auth': { use: 'app-auth', hashBytes: 64 },
  'app-sign-with-certificate': { use: 'app-sign', hashBytes: 64 },
  'app-certificate-choice': { use: 'app-choice', hashBytes: 0 },
};

function isClient({ headers }: ProviderRequest, state: ProviderState): boolean {
  const [scheme, value = ''] = (headers['authorization'] ?? '').split(' ');
  const [id = '', secret = ''] = Buffer.from(value, 'base64').toString('utf8').split(':');
  const plain = [id, secret].map((part) => new URLSearchParams(`_=${part}`).get('_'));
  return scheme === 'Basic' && plain[0] === state.clientId && plain[1] === state.clientSecret;
}

type Claims = Readonly<Record<string, unknown>>;

/** The claims of a request signed by the client. Undefined for any other. */
function claimsOf(token: string): Claims | undefined {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
  const value = Buffer.from(signature, 'base64url');
  const signed = Buffer.from(`${head}.${payload}`);
  const isSigned =
    read(head)['alg'] === 'RS256' && verify('sha256', signed, clientKeys.publicKey, value);
  return isSigned ? read(payload) : undefined;
}

/** `bc-authorize`: accepts a signed request, and prompts the person. */
export function backchannelAuthorize(
  request: ProviderRequest,
  state: ProviderState,
  requests: Requests,
): ProviderAnswer {
  if (!isClient(request, state)) return oauthRefusal('invalid_client', undefined, 401);
  const form = formOf(request);
  const token = form?.get('request') ?? '';
  const claims = request.method === 'POST' && token !== '' ? claimsOf(token) : undefined;
  if (claims === undefined) return oauthRefusal('invalid_request');
  const refused = state.refusals.shift();
  if (refused !== undefined) return oauthRefusal('access_denied', refused);
  const fault = claimFault(claims, state);
  if (fault !== undefined) return oauthRefusal('invalid_request', fault);
  const way = ways[String(claims['acr_values'])];
  const hint = String(claims['login_hint']);
  const { person, other } = state.world;
  const byDocument = [person, other].find(({ documentNr }) => documentNr === hint);
  const isChosen = way?.use === 'app-sign';
  const found = isChosen ? byDocument : findPerson(state, hint);
  if (way === undefined || found === undefined) return oauthRefusal('access_denied', 'mssp_105');
  const session: ProviderSession = {
    use: way.use,
    person: found,
    hash: base64Bytes(String(claims['binding_content'])) ?? new Uint8Array(),
    text: String(claims['binding_message']),
    startedAtMs: state.nowMs,
    status: 'waiting',
  };
  state.sessions.push(session);
  const id = newId(state, 'auth_req_id');
  requests.set(id, { session, askedAtMs: state.nowMs, intervalMs: 5_000 });
  return { status: 200, body: { auth_req_id: id, expires_in: 120, interval: 5 } };
}

function claimFault(claims: Claims, state: ProviderState): string | undefined {
  const text = (name: string) => (typeof claims[name] === 'string' ? String(claims[name]) : '');
  const seconds = state.nowMs / 1_000;
  const exp = Number(claims['exp']);
  if (claims['iss'] !== state.clientId || claims['aud'] !== realmOf(state)) return 'mssp_104';
  if (!(exp > seconds && exp <= seconds + 600)) return 'mssp_101';
  if (!text('scope').startsWith('openid profile signature')) return 'mssp_101';
  const way = ways[text('acr_values')];
  if (way === undefined) return 'mssp_109';
  const message = text('binding_message');
  if (/[\n\r]/.test(message) || [...message].length > 60) return 'mssp_103';
  if ((message === '') !== (way.use === 'app-choice')) return 'mssp_102';
  if ([...text('binding_message_long')].length > 200) return 'mssp_103';
  const hash = base64Bytes(text('binding_content'))?.length ?? 0;
  return hash === way.hashBytes ? undefined : 'mssp_103';
}

/** `access_token` for a request identifier. */
export function backchannelTokens(
  request: ProviderRequest,
  state: ProviderState,
  requests: Requests,
): ProviderAnswer {
  if (!isClient(request, state)) return oauthRefusal('invalid_client', undefined, 401);
  const id = formOf(request)?.get('auth_req_id') ?? '';
  const known = requests.get(id);
  if (known === undefined) return oauthRefusal('invalid_grant');
  const { session } = known;
  const isEarly = state.nowMs - known.askedAtMs < known.intervalMs;
  known.askedAtMs = state.nowMs;
  if (isEarly) {
    known.intervalMs += 5_000;
    return oauthRefusal('slow_down');
  }
  if (state.nowMs - session.startedAtMs > 120_000) return oauthRefusal('expired_token');
  if (session.status === 'refused') return oauthRefusal('access_denied', session.code);
  if (session.status === 'waiting' || state.faults.has('never ends')) {
    return oauthRefusal('authorization_pending');
  }
  requests.delete(id);
  return tokensFor(session, state);
}
