import { createHash } from 'node:crypto';
import { oids } from '../../../../src/formats/asn1/index.ts';
import type { Chains } from './callback-chain.ts';
import { appSignature, type Person, simCms, textHash } from './persons.ts';
import {
  cookiesOf,
  formOf,
  newId,
  oauthRefusal,
  type ProviderAnswer,
  type ProviderRequest,
  type ProviderSession,
  type ProviderState,
} from './sessions.ts';
import { faultyClaims, halfHash, makeToken } from './tokens.ts';

/** Codes that have not yet been exchanged for tokens. */
export type Codes = Map<string, { session: ProviderSession; challenge: string; tokenId: string }>;

/** Injectable faults of the claims about a person. */
export const personFaults = [
  'person: another one',
  'person: another number',
  'person: another name',
  'person: another subject',
  'person: other signature than in the token',
  'person: certificate of a foreign CA',
  'person: expired certificate',
  'person: signature over another hash',
  'person: signature by another key',
  'person: no signature',
  'person: broken signature',
  'person: huge answer',
  'person: a list',
  'person: redirection',
] as const;

/** Faults of the redirection with the code. */
export const codeFaults = [
  'code: other state',
  'code: to somebody else',
  'code: missing',
  'code: page instead',
  'code: other issuer',
] as const;

/** Address of the realm. */
export function realmOf({ baseUrl }: ProviderState): string {
  return `${baseUrl}/sso/oauth2/realms/root/realms/audkenni`;
}

/** `authorize`: returns a code to the holder of a session cookie. */
export function authorize(
  request: ProviderRequest,
  state: ProviderState,
  chains: Chains,
  codes: Codes,
): ProviderAnswer {
  const { clientId, redirectUri, faults } = state;
  const cookies = cookiesOf(request);
  const tokenId = cookies['audsso'] ?? '';
  const chain = chains.byToken.get(tokenId);
  const asked = (name: string) => request.url.searchParams.get(name) ?? '';
  if (request.method !== 'GET' || cookies['audssossolb'] !== '03' || chain === undefined) {
    return { status: 302, headers: { location: `${state.baseUrl}/sso/XUI/#login` } };
  }
  if (asked('client_id') !== clientId || asked('redirect_uri') !== redirectUri) {
    return oauthRefusal('invalid_client', 'mssp_104');
  }
  const isOrder =
    asked('response_type') === 'code' &&
    asked('scope') === 'openid profile signature' &&
    asked('service') === chain.service &&
    asked('code_challenge_method') === 'S256' &&
    /^[\w-]{43}$/.test(asked('code_challenge')) &&
    asked('state').length >= 8;
  if (!isOrder) return oauthRefusal('invalid_request');
  const { session } = chain;
  session.nonce = asked('nonce');
  const code = newId(state, 'code');
  codes.set(code, { session, challenge: asked('code_challenge'), tokenId });
  const target = faults.has('code: to somebody else') ? 'https://attacker.example/' : redirectUri;
  const place = new URL(target);
  if (!faults.has('code: missing')) place.searchParams.set('code', code);
  place.searchParams.set('iss', faults.has('code: other issuer') ? target : realmOf(state));
  place.searchParams.set('state', faults.has('code: other state') ? 'x' : asked('state'));
  place.searchParams.set('client_id', clientId);
  if (faults.has('code: page instead')) return { status: 200, body: '<html></html>' };
  return { status: 302, headers: { location: place.href } };
}

/** `access_token` for a code. */
export function codeTokens(
  request: ProviderRequest,
  state: ProviderState,
  codes: Codes,
): ProviderAnswer {
  const form = formOf(request);
  const said = (name: string) => form?.get(name) ?? '';
  const isClient =
    said('client_id') === state.clientId && said('client_secret') === state.clientSecret;
  if (!isClient) return oauthRefusal('invalid_client', undefined, 401);
  const known = codes.get(said('code'));
  codes.delete(said('code'));
  const challenge = createHash('sha256').update(said('code_verifier')).digest('base64url');
  const isCode =
    known !== undefined &&
    known.challenge === challenge &&
    said('redirect_uri') === state.redirectUri;
  return isCode ? tokensFor(known.session, state) : oauthRefusal('invalid_grant');
}

/** The response with tokens for a session that the person has approved. */
export function tokensFor(session: ProviderSession, state: ProviderState): ProviderAnswer {
  const { faults, nowMs, clientId } = state;
  session.accessToken = newId(state, 'accessToken');
  const seconds = Math.floor(nowMs / 1_000);
  const claims = {
    ...personClaims(session, state),
    iss: realmOf(state),
    aud: clientId,
    iat: seconds,
    exp: seconds + 3_600,
    at_hash: halfHash(session.accessToken),
    ...(session.nonce === undefined ? {} : { nonce: session.nonce }),
  };
  return {
    status: 200,
    body: {
      access_token: session.accessToken,
      id_token: makeToken(faultyClaims(claims, faults), faults),
      scope: 'openid profile signature',
      token_type: 'Bearer',
      expires_in: 3_599,
    },
  };
}

/** `userinfo` for an access token. */
export function userInfo(request: ProviderRequest, state: ProviderState): ProviderAnswer {
  const { faults, sessions } = state;
  const session = sessions.find(
    ({ accessToken }) =>
      accessToken !== undefined && request.headers['authorization'] === `Bearer ${accessToken}`,
  );
  if (request.method !== 'POST' || session === undefined) return { status: 401, body: {} };
  if (faults.has('person: a list')) return { status: 200, body: '[]' };
  if (faults.has('person: huge answer')) {
    return { status: 200, body: { ...personClaims(session, state), more: 'x'.repeat(600_000) } };
  }
  if (faults.has('person: redirection')) {
    return { status: 302, headers: { location: 'https://attacker.example/' } };
  }
  const body = personClaims(session, state);
  if (faults.has('person: another subject')) return { status: 200, body: { ...body, sub: 'x' } };
  if (faults.has('person: other signature than in the token')) {
    const signature = String(body.signature);
    const first = signature.startsWith('A') ? 'B' : 'A';
    return { status: 200, body: { ...body, signature: `${first}${signature.slice(1)}` } };
  }
  return { status: 200, body };
}

/** The claims about the person of a session, also for the ID token. */
function personClaims(session: ProviderSession, { world, faults, simSigns }: ProviderState) {
  const { use } = session;
  const isSim = use.startsWith('sim');
  const person = faults.has('person: another one') ? world.other : session.person;
  const [signer, hash] = signerOf(session, person, simSigns, { world, faults });
  const signature = isSim ? simCms(signer, hash, cmsVariant(faults)) : appValue(signer, hash, use);
  const shown = faults.has('person: broken signature') ? signature.subarray(1) : signature;
  const key = faults.has('person: signature by another key') && !isSim ? world.other : signer;
  return {
    sub: `(usr!${person.ssn})`,
    name: faults.has('person: another name') ? world.other.name : person.name,
    nationalRegisterId: faults.has('person: another number') ? world.other.ssn : person.ssn,
    signature:
      use === 'app-choice' || faults.has('person: no signature')
        ? 'na'
        : Buffer.from(shown).toString('base64'),
    certificate: isSim ? 'na' : certificateText(key.app.der, faults),
    documentNr: isSim ? 'na' : person.documentNr,
  };
}

/** Base64, or PEM, which is not documented. */
function certificateText(der: Uint8Array, faults: ReadonlySet<string>): string {
  const text = Buffer.from(der).toString('base64');
  if (!faults.has('person: certificate as PEM')) return text;
  const lines = text.replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

type Faults = Pick<ProviderState, 'world' | 'faults'>;

function signerOf(
  { use, hash, text }: ProviderSession,
  person: Person,
  simSigns: 'hash' | 'text',
  { world, faults }: Faults,
): readonly [Person, Uint8Array] {
  const own = use === 'sim-auth' && simSigns === 'text' ? textHash(text) : hash;
  const signed = faults.has('person: signature over another hash') ? own.map((b) => b ^ 1) : own;
  if (faults.has('person: certificate of a foreign CA')) return [world.untrusted, signed];
  if (faults.has('person: expired certificate')) return [world.expired, signed];
  if (faults.has('person: certificate for logins')) return [world.authenticationOnly, signed];
  return [person, signed];
}

function appValue(signer: Person, hash: Uint8Array, use: ProviderSession['use']): Uint8Array {
  return use === 'app-choice' ? new Uint8Array() : appSignature(signer, hash, 'sha512');
}

function cmsVariant(faults: ReadonlySet<string>) {
  return {
    bareSignature: faults.has('person: signature by another key'),
    withoutCertificates: faults.has('cms: no certificate'),
    contentType: faults.has('cms: other content') ? oids.tstInfo : oids.data,
  };
}
