import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Letter } from './frame.ts';
import type { Site } from './site.ts';
import { call } from './watch.ts';

/** Each attacker has one address, as reported by a proxy. */
const proxied = ['--trust-proxy', 'loopback'] as const;
const REOPEN_MS = 500;
const OPEN_EVERY_MS = 10;

/** Attacks by responses: requested endlessly, and not read. */
export const answering: readonly Letter[] = [
  {
    letter: 'k',
    what: '6 addresses, each with 1,000 pipelined requests of /openapi.json whose responses are not read',
    serve: proxied,
    attack: (site, until) =>
      ofEach(6, (at) => ask(site, until, get('/openapi.json', at).repeat(1000), true)),
  },
  {
    letter: 'l',
    what: '900 connections of one address, each with a page file that is not read',
    serve: proxied,
    attack: (site, until) =>
      ofEach(900, async (at) => {
        await sleep(at * OPEN_EVERY_MS);
        return ask(site, until, get('/api/swagger-ui/swagger-ui-bundle.js', 0), true);
      }),
  },
  {
    letter: 'm',
    what: '20 connections of one address, each with 3,000 pipelined requests above its rate',
    serve: proxied,
    attack: (site, until) =>
      ofEach(20, () => ask(site, until, get('/none', 0).repeat(3000), false)),
  },
  {
    letter: 'n',
    what: '100 requests a second of /openapi.json by one address, all read',
    serve: proxied,
    attack: readDescriptions,
  },
];

async function ofEach(
  count: number,
  attack: (at: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return (await Promise.all(Array.from({ length: count }, (_, at) => attack(at)))).flat();
}

function get(path: string, at: number): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.${at + 1}\r\n\r\n`;
}

/** Sends `text` and waits; repeats this whenever the server closes the connection. */
async function ask(
  { url }: Site,
  until: AbortSignal,
  text: string,
  isUnread: boolean,
): Promise<readonly string[]> {
  const answers = new Set<string>();
  const { hostname, port } = new URL(url);
  while (!until.aborted) {
    const socket = connect(Number(port), hostname);
    const closed = new Promise((done) => socket.once('close', done));
    const watched = setInterval(() => until.aborted && socket.destroy(), 100);
    if (isUnread) socket.pause();
    else socket.on('data', (chunk: Buffer) => noteStatuses(chunk, answers));
    socket.on('error', (error: NodeJS.ErrnoException) => answers.add(error.code ?? error.message));
    socket.write(text);
    await closed;
    clearInterval(watched);
    if (!until.aborted) await sleep(REOPEN_MS);
  }
  return [...answers];
}

function noteStatuses(chunk: Buffer, answers: Set<string>): void {
  const statuses = chunk.toString('latin1').match(/^HTTP\/1\.1 \d+/gm) ?? [];
  for (const status of statuses) answers.add(status.slice(9));
}

async function readDescriptions({ url }: Site, until: AbortSignal): Promise<readonly string[]> {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const asked: Promise<string>[] = [];
  while (!until.aborted) {
    asked.push(call(url, 'GET', '/openapi.json', { agent: false, headers }));
    await sleep(OPEN_EVERY_MS);
  }
  return [...new Set(await Promise.all(asked))];
}
