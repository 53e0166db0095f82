import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { EidEnvironment } from '../../../../src/app/ports/index.ts';

/** A third-party provider, with a person who approves or not. */
export interface IndependentProvider {
  readonly issuer: string;
  /** Requested paths. */
  readonly paths: string[];
  /** The person's action on the page. */
  agrees: boolean;
  /** Whether the page waits for a button before approval. */
  asks: boolean;
  /** The browser: from the page of the driver to the callback URL. */
  browse(page: string): Promise<URL>;
  close(): Promise<void>;
}

/**
 * The package oidc-provider on a loopback socket, with a page that logs one person in.
 *
 * @param client metadata of the client
 * @param person claims, with `sub`
 */
export async function independentProvider(
  client: { readonly client_id: string; readonly redirect_uris: readonly string[] } & object,
  person: { readonly sub: string } & Record<string, unknown>,
  keys: readonly object[],
): Promise<IndependentProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [client],
    jwks: { keys },
    cookies: { keys: ['cookies of a test'] },
    acrValues: ['low', 'substantial', 'high'],
    scopes: ['openid', 'profile', 'national_id'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'birthdate'],
      national_id: ['national_id', 'nin_issuing_country'],
    },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: async () => person }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      requestObjects: { enabled: true },
      encryption: { enabled: true },
    },
    enabledJWA: {
      idTokenEncryptionAlgValues: ['RSA-OAEP-256', 'ECDH-ES'],
      idTokenEncryptionEncValues: ['A256GCM', 'A128CBC-HS256'],
      idTokenSigningAlgValues: ['RS256', 'ES256', 'PS256'],
      requestObjectSigningAlgValues: ['RS256', 'ES256'],
      clientAuthSigningAlgValues: ['RS256', 'ES256'],
    },
  });
  const running: IndependentProvider = {
    issuer,
    paths: [],
    agrees: true,
    asks: false,
    browse: (page) => browse(page, client.redirect_uris[0] ?? ''),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  const protocol = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '', issuer).pathname;
    running.paths.push(path);
    const isPage = path.startsWith('/interaction/');
    if (isPage && running.asks && request.method === 'GET') return void ask(response);
    const answer = isPage
      ? interact(provider, running, person.sub, request, response)
      : protocol(request, response);
    answer.catch((error: unknown) => response.writeHead(500).end(`${error}`));
  });
  return running;
}

/** A page with a button for a real browser. */
function ask(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><form method="post"><button>Go on</button></form>');
}

/** The page: it logs the person in, and grants what the client requests. */
async function interact(
  provider: Provider,
  { agrees }: IndependentProvider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  let result: object = { error: 'access_denied', error_description: 'user_aborted' };
  if (agrees && prompt.name === 'login') result = { login: { accountId, acr: 'substantial' } };
  if (agrees && prompt.name === 'consent') {
    const grant = new provider.Grant({ accountId, clientId: `${params['client_id']}` });
    grant.addOIDCScope(`${params['scope']}`);
    result = { consent: { grantId: await grant.save() } };
  }
  const options = { mergeWithLastSubmission: agrees };
  await provider.interactionFinished(request, response, result, options);
}

/** Follows redirects with cookies until the browser would return to the service. */
async function browse(page: string, end: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(page);
  for (let hop = 0; hop < 12; hop++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${answer.status} at ${url}: ${await answer.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(end)) return url;
  }
  throw new Error('the browser goes in circles');
}

/** An environment over real sockets. */
export function socketEnvironment(environment: EidEnvironment): EidEnvironment {
  return {
    ...environment,
    now: () => Date.now(),
    http: async ({ method, url, headers, body, timeoutMs }) => {
      const answer = await fetch(url, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      };
    },
  };
}
