import { Agent, type IncomingMessage, request as send } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Tenant } from './site.ts';

/** Results of a series of requests. */
export interface Series {
  readonly count: number;
  /** Number of each response other than success. */
  readonly refused: Readonly<Record<string, number>>;
  readonly p99Ms: number;
  readonly worstMs: number;
}

/** External observations over a period. */
export interface Seen {
  readonly healthz: Series;
  readonly neighbour: Series;
  /** Empty if there was no stranger. */
  readonly stranger: Series;
  /** Longest delay of the watcher itself: the remainder is due to the service. */
  readonly ownDelayMs: number;
}

/** Requests `/healthz`, and works as the neighbour, at a rate that slow responses do not reduce. */
export interface Watch {
  /** Observations since the last call. */
  take(): Promise<Seen>;
  stop(): Promise<void>;
}

interface Target {
  readonly url: string;
  readonly tenant: Tenant;
  /** Base64 of the document that the neighbour sends for signing. */
  readonly pdf: string;
  readonly hasStranger: boolean;
}

const HEALTHZ_MS = 50;
const NEIGHBOUR_MS = 50;
const STRANGER_MS = 100;
const strangerIp = '198.51.100.20';
const TIMEOUT_MS = 60_000;

/** Starts watching from a separate thread, which the work of an attack does not delay. */
export function startWatch(target: Target): Watch {
  const thread = new Worker(new URL(import.meta.url), { workerData: { watch: target } });
  const ask = (what: 'take' | 'stop') => {
    const answered = new Promise((done) => thread.once('message', done));
    thread.postMessage(what);
    return answered;
  };
  return {
    take: () => ask('take') as Promise<Seen>,
    async stop() {
      await ask('stop');
      await thread.terminate();
    },
  };
}

/** Body of the thread; called by the script when it runs in one. */
export function watchInThread(): void {
  const { watch: target } = workerData as { readonly watch: Target };
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const health = openSeries();
  const work = openSeries();
  const strange = openSeries();
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const client = neighbour(target, agent);
  const stops = [
    // A new connection each time: with several processes, each of them is reached.
    atRate(HEALTHZ_MS, health, () => call(target.url, 'GET', '/healthz', { agent: false })),
    atRate(NEIGHBOUR_MS, work, client),
    ...(target.hasStranger ? [atRate(STRANGER_MS, strange, () => askAsStranger(target.url))] : []),
  ];
  parentPort?.on('message', async (what: 'take' | 'stop') => {
    if (what === 'stop') {
      for (const stop of stops) stop();
      agent.destroy();
      parentPort?.postMessage('stopped');
      return;
    }
    // Requests in progress are included.
    const [healthz, neighbour] = [await health.take(), await work.take()];
    const seen = { healthz, neighbour, stranger: await strange.take() };
    parentPort?.postMessage({ ...seen, ownDelayMs: delay.max / 1e6 });
    delay.reset();
  });
}

const signee = {
  name: 'Anna Example',
  email: 'anna@example.test',
  signatureType: 'ClickToSign',
  communicationDeliveryType: 'None',
};

/** Creates, lists and reads, one after another. */
function neighbour({ url, tenant, pdf }: Target, agent: Agent): () => Promise<string> {
  const { authorization, flowKey } = tenant;
  const headers = { authorization };
  let place: string | undefined;
  let turn = 0;
  const create = async () => {
    const body = JSON.stringify({
      flowKey,
      pdfDocument: pdf,
      pdfFileName: 'order.pdf',
      createSignees: [signee],
    });
    const json = { ...headers, 'content-type': 'application/json' };
    const path = '/api/management/signing';
    return call(url, 'POST', path, { agent, headers: json, body }, (text) => {
      const made = JSON.parse(text);
      place = `/api/pdf/${made.key}/${made.signees[0].key}.pdf`;
    });
  };
  const day = 86_400_000;
  const list = () => {
    const from = new Date(Date.now() - day).toISOString().slice(0, 10);
    const to = new Date(Date.now() + day).toISOString().slice(0, 10);
    const path = `/api/signing/activity?StartDate=${from}&EndDate=${to}&Take=10`;
    return call(url, 'GET', path, { agent, headers });
  };
  const read = () => (place === undefined ? create() : call(url, 'GET', place, { agent, headers }));
  return () => {
    turn += 1;
    return [create, list, read][turn % 3]?.() ?? create();
  };
}

/**
 * A client without credentials, at a different address, requests a login of a non-existent flow:
 * returns '' for the correct response, that there is no such flow.
 */
async function askAsStranger(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': strangerIp };
  const body = JSON.stringify({ flowKey: 'none', loginHint: '0000000', contextType: 'Sim' });
  const said = await call(url, 'POST', '/api/auth/start', { agent: false, headers, body });
  return /^4(?!08|29)/.test(said) ? '' : said;
}

interface Asked {
  readonly agent: Agent | false;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Returns '' for success; otherwise status and code, or the error. */
export function call(
  url: string,
  method: string,
  path: string,
  { agent, headers = {}, body }: Asked,
  use: (text: string) => void = () => undefined,
): Promise<string> {
  return new Promise((done) => {
    const asked = send(url + path, { method, agent, headers, timeout: TIMEOUT_MS });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    asked.on('response', async (answer: IncomingMessage) => {
      try {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part as Buffer);
        const text = Buffer.concat(parts).toString();
        const { statusCode = 0 } = answer;
        if (statusCode < 300) use(text);
        done(statusCode < 300 ? '' : `${statusCode} ${codeOf(text)}`);
      } catch (error) {
        done((error as NodeJS.ErrnoException).code ?? String(error));
      }
    });
    asked.end(body);
  });
}

function codeOf(text: string): string {
  try {
    return String(JSON.parse(text).errorCode ?? '');
  } catch {
    return '';
  }
}

/** Starts a request every `everyMs`, whether or not the previous ones were answered. */
function atRate(
  everyMs: number,
  series: ReturnType<typeof openSeries>,
  ask: () => Promise<string>,
): () => void {
  let isOver = false;
  const begin = performance.now();
  void (async () => {
    for (let number = 1; !isOver; number++) {
      series.add(performance.now(), ask());
      await sleep(Math.max(0, begin + number * everyMs - performance.now()));
    }
  })();
  return () => {
    isOver = true;
  };
}

function openSeries() {
  let open = new Set<Promise<void>>();
  let times: number[] = [];
  let refused: Record<string, number> = {};
  return {
    add(beganAt: number, answer: Promise<string>): void {
      const [tookMs, failures] = [times, refused];
      const noted = answer.then((what) => {
        tookMs.push(performance.now() - beganAt);
        if (what !== '') failures[what] = (failures[what] ?? 0) + 1;
      });
      open.add(noted);
      const all = open;
      void noted.then(() => all.delete(noted));
    },
    async take(): Promise<Series> {
      const [waits, tookMs, failures] = [open, times, refused];
      [open, times, refused] = [new Set(), [], {}];
      await Promise.all(waits);
      const sorted = tookMs.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
      return { count: sorted.length, refused: failures, p99Ms: at(0.99), worstMs: at(1) };
    },
  };
}
