import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ApiApp, type ApiPorts, buildApi } from '../../api/index.ts';
import type { ScreeningRequest } from '../../app/screening/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { Service } from '../service/service.types.ts';
import { openPlainClients, type PlainClients } from './plain-clients.ts';

/** A warm-up that is under way. */
export interface RunningWarmUp {
  /** Resolves when it is over; with the number of screenings. */
  readonly ended: Promise<number>;
  /** Ends it early. */
  stop(): Promise<void>;
}

/**
 * Lets the service screen made-up names as for clients, while it answers these: code that runs for
 * the first time is slow. The requests go to an application of their own, so that they appear in no
 * log, figure or limit, and for a company whose writes are undone.
 *
 * @param failed told of a company whose lists cannot be searched
 */
export function startWarmUp(
  service: Pick<Service, 'warmUp' | 'rehearsed'>,
  ports: ApiPorts,
  failed: (companyKey: CompanyKey, error: unknown) => void,
): RunningWarmUp {
  const stopping = new AbortController();
  const rehearsal = openRehearsal(service, ports);
  const ended = service
    .warmUp({ screen: rehearsal.screen, failed, stop: stopping.signal })
    // What fails here will fail where somebody asks for it.
    .catch(() => 0)
    .finally(rehearsal.close);
  return {
    ended,
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * An application that is made for the first request. It listens on this machine alone, for clients
 * that know a password of this moment: requests that did not come from a socket would not warm up
 * what real ones run through.
 */
function openRehearsal(service: Pick<Service, 'rehearsed'>, ports: ApiPorts) {
  const password = randomBytes(32).toString('hex');
  const isPassword = (text: string) => timingSafeEqual(digest(text), digest(password));
  let opening: Promise<{ readonly app: ApiApp; readonly clients: PlainClients }> | undefined;
  const open = async () => {
    const authenticate: ApiPorts['authenticate'] = async (companyKey, apiKey) =>
      isPassword(apiKey) ? service.rehearsed(asKey('company', companyKey)) : undefined;
    const limits = { requestsPerAddress: 0, requestsPerCompany: 0 };
    const app = await buildApi({ ...ports, authenticate }, limits);
    // Processes of one service would share the port otherwise.
    const url = await app.listen({ host: '127.0.0.1', port: 0, exclusive: true });
    return { app, clients: openPlainClients(Number(new URL(url).port)) };
  };
  return {
    async screen(companyKey: CompanyKey, request: ScreeningRequest): Promise<void> {
      opening ??= open();
      const { clients } = await opening;
      const credentials = Buffer.from(`${companyKey}:${password}`).toString('base64');
      const { status, body } = await clients.post({
        path: '/api/watchlist/person',
        authorization: `Basic ${credentials}`,
        body: JSON.stringify(request),
      });
      if (status !== 200) throw new Error(`${status} ${body.slice(0, 200)}`);
    },
    async close(): Promise<void> {
      const opened = await opening?.catch(() => undefined);
      opened?.clients.close();
      await opened?.app.close();
    },
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
