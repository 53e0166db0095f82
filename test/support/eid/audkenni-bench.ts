import { createServer, type Server } from 'node:http';
import { eidTrust } from '../../../src/app/eid/eid-trust.ts';
import type {
  EidDriver,
  EidEnvironment,
  EidFailCode,
  EidHttpAnswer,
  EidHttpRequest,
} from '../../../src/app/ports/index.ts';
import { countingRandom } from '../sealing.ts';
import type { ProviderAnswer, ProviderRequest } from './audkenni/sessions.ts';
import type { AudkenniProvider } from './audkenni-server.ts';
import type { DriverBench } from './driver-contract.ts';

/** Provider codes for the failures required by the suite. */
export const providerCodes: { readonly [code in EidFailCode]?: string } = {
  userCancel: 'mssp_401',
  expiredTransaction: 'mssp_208',
  unreachable: 'mssp_209',
  accountUnusable: 'mssp_402',
  certificateErr: 'mssp_403',
  notAUser: 'mssp_404',
  internalError: 'sapp_777',
  providerUnavailable: 'mssp_900',
};

/** A response of the server as drivers receive it. */
export function httpAnswer({ status, headers = {}, body = '' }: ProviderAnswer): EidHttpAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = { 'content-type': 'application/json' };
  return { status, headers: { ...type, ...headers }, body: Buffer.from(text) };
}

/** A request of a driver as the server sees it. */
export function providerRequest(request: EidHttpRequest): ProviderRequest {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    method: request.method,
    url: new URL(request.url),
    headers: Object.fromEntries(headers),
    body: Buffer.from(request.body ?? '').toString('utf8'),
  };
}

/** A driver with its provider, connected without sockets. */
export function benchOf(
  driver: EidDriver,
  provider: AudkenniProvider,
): DriverBench & {
  readonly provider: AudkenniProvider;
} {
  const { state } = provider;
  const environment: EidEnvironment = {
    now: () => state.nowMs,
    random: countingRandom(),
    http: async (request) => httpAnswer(provider.handle(providerRequest(request))),
    trust: eidTrust(),
  };
  return {
    driver,
    provider,
    environment,
    advance: (ms) => provider.advance(ms),
    approve: () => provider.approve(),
    fail(code) {
      const said = providerCodes[code] ?? 'mssp_900';
      provider.refuseStart(said);
      if (state.sessions.length > 0) provider.refuse(said);
    },
    requestCount: () => state.log.length,
    secrets: () => {
      const { ssn, phone } = state.world.person;
      return [state.clientSecret, ssn, phone, ...state.issued];
    },
  };
}

/** The provider behind a separate socket. */
export async function listen(
  provider: AudkenniProvider,
): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { status, headers, body } = httpAnswer(
        provider.handle({
          method: request.method ?? '',
          url: new URL(request.url ?? '', 'http://127.0.0.1'),
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(pieces).toString('utf8'),
        }),
      );
      response.writeHead(status, headers as Record<string, string | string[]>).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { port: address.port, server };
}
