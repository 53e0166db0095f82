import { type AuthorizationRules, authorizationServer } from './authorization-server.ts';
import { authorizeCredential, describeCredential } from './credential-methods.ts';
import { answer, refuse, type ServerAnswer, type ServerRequest } from './messages.ts';
import {
  type CscFault,
  type CscServerOptions,
  type CscServerState,
  cscFacts,
} from './provider-state.ts';
import { signatureMethods } from './signature-methods.ts';

const allMethods = [
  'info',
  'oauth2/authorize',
  'oauth2/token',
  'oauth2/revoke',
  'credentials/list',
  'credentials/info',
  'credentials/authorize',
  'signatures/signHash',
  'signatures/signDoc',
  'signatures/signPolling',
];

/** A provider of remote signatures with one client and one credential, written from CSC API v2. */
export function cscServer(options: CscServerOptions) {
  const faults = new Set<string>();
  const log: { readonly path: string; readonly request: ServerRequest }[] = [];
  let approved = false;
  const { now, version, multisign = 1, isPushedOnly = false } = options;
  const { base, clientId, clientSecret, redirectUri, credentialId } = cscFacts;
  const rules: AuthorizationRules = {
    ...{ base, clientId, redirectUri, version, isPushedOnly, credentialId, multisign, now },
    clientSecret: options.isPublicClient === true ? undefined : clientSecret,
    has: (fault) => faults.has(fault),
  };
  const state: CscServerState = {
    options,
    activations: new Map(),
    jobs: new Map(),
    oauth: authorizationServer(rules),
    spent: new Set(),
    wrongPins: { count: 0 },
    has: (fault) => faults.has(fault),
    isApproved: () => approved,
  };

  function handle(request: ServerRequest): ServerAnswer {
    const { origin, pathname } = new URL(request.url);
    log.push({ path: pathname, request });
    if (state.has('unavailable')) return refuse(503, 'temporarily_unavailable');
    if (origin === base) {
      return state.oauth.handle(pathname.replace('/oauth2/', ''), request);
    }
    const method = pathname.replace('/csc/v2/', '');
    if (request.method !== 'POST') return refuse(405, 'invalid_request');
    if (request.headers['content-type'] !== 'application/json')
      return refuse(415, 'invalid_request');
    let body: unknown;
    try {
      body = JSON.parse(request.body);
    } catch {
      return refuse(400, 'invalid_request');
    }
    if (method === 'info') return answer(200, infoOf(options));
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const grant = state.oauth.tokens.get(token);
    if (grant === undefined || now() >= grant.expiresAtMs) return refuse(401, 'invalid_token');
    if (method.startsWith('signatures/')) {
      return signatureMethods(state, method, body as never, token, grant);
    }
    if (grant.scope !== 'service') return refuse(403, 'insufficient_scope');
    if (method === 'credentials/authorize') return authorizeCredential(state, body as never);
    return describeCredential(state, method, body as never);
  }

  return {
    handle,
    log,
    /** Paths of all requests. */
    paths: () => log.map(({ path }) => path),
    requestCount: () => log.length,
    inject: (fault: CscFault) => faults.add(fault),
    heal: () => faults.clear(),
    /** The person approves: pages are confirmed, and asynchronous signatures are created. */
    approve: () => {
      approved = true;
    },
    visit: state.oauth.visit,
    /** Texts that must not appear anywhere. */
    secrets: () => [
      clientSecret,
      ...state.oauth.secrets,
      ...state.activations.keys(),
      ...Object.values(options.objects ?? {}),
    ],
  };
}

function infoOf(options: CscServerOptions) {
  const { version, isAsynchronous = false, hasDetails = false, isPushedOnly = false } = options;
  const methods = options.methods ?? [
    ...allMethods,
    ...(isPushedOnly ? ['oauth2/pushed_authorize'] : []),
  ];
  const authType = ['oauth2code', 'oauth2client'];
  const shared = {
    specs: version === '2.0' ? '2.0.0.2' : '2.2.0.0',
    name: 'A provider',
    logo: 'https://qtsp.example/logo.png',
    region: 'IS',
    lang: 'en',
    description: 'Signatures',
    methods,
    asynchronousOperationMode: isAsynchronous,
    signAlgorithms: { algos: options.algo },
    signature_formats: { formats: ['P', 'C'] },
    conformance_levels: ['AdES-B-B', 'AdES-B-T'],
  };
  if (version === '2.0') {
    return { ...shared, authType, oauth2: `${cscFacts.base}/`, supportsRar: hasDetails };
  }
  const server = { label: 'AS', baseUri: cscFacts.base, authType, supportsRar: hasDetails };
  return { ...shared, authType: [], oauth2Servers: [server] };
}
