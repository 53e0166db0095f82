import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inWaves, type Letter } from './frame.ts';
import type { Site } from './site.ts';
import { call } from './watch.ts';

/** Each attacker has one address, as reported by a proxy. */
const proxied = ['--trust-proxy', 'loopback'] as const;
const MEMBERS = 499_000;
const CRUMBS = '1\r\n \r\n'.repeat(10_000);

/** Attacks by requests whose parsing is expensive for their length. */
export const parsing: readonly Letter[] = [
  {
    letter: 'o',
    what: '16 connections of one address, each with bodies in chunks of one byte',
    serve: proxied,
    attack: (site, until) => ofEach(16, () => sendCrumbs(site, until)),
  },
  {
    letter: 'p',
    what: '16 × JSON with an object of 499,000 members of one company, 8 × of 32,000 of a stranger',
    serve: proxied,
    attack: sendMembers,
  },
  {
    letter: 'q',
    what: '80 addresses, each with half a body after a request without Host, 20 times a second',
    serve: proxied,
    attack: (site, until) => ofEach(80, (at) => hideBodies(site, until, at)),
  },
];

async function ofEach(
  count: number,
  attack: (at: number) => Promise<Iterable<string>>,
): Promise<readonly string[]> {
  const all = await Promise.all(Array.from({ length: count }, (_, at) => attack(at)));
  return all.flatMap((each) => [...each]);
}

function head(path: string, ip: string, more: string): string {
  const type = 'Content-Type: application/json\r\n';
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ip}\r\n${type}${more}\r\n\r\n`;
}

function open({ url }: Site, answers: Set<string>) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', (error: NodeJS.ErrnoException) => answers.add(error.code ?? error.message));
  socket.on('data', (chunk: Buffer) => answers.add(chunk.toString('latin1', 9, 12)));
  return socket;
}

async function sendCrumbs(site: Site, until: AbortSignal): Promise<Iterable<string>> {
  const answers = new Set<string>();
  while (!until.aborted) {
    const socket = open(site, answers);
    const closed = new Promise((done) => socket.once('close', done));
    socket.write(head('/api/auth/start', '203.0.113.7', 'Transfer-Encoding: chunked'));
    while (!socket.destroyed && !until.aborted) {
      if (socket.write(CRUMBS)) await sleep(5);
      else await Promise.race([closed, new Promise((done) => socket.once('drain', done))]);
    }
    socket.destroy();
    await sleep(20);
  }
  return answers;
}

function sendMembers(site: Site, until: AbortSignal): Promise<readonly string[]> {
  const object = (count: number) =>
    `{${Array.from({ length: count }, (_, at) => `"${at.toString(36)}":1`).join()}}`;
  const [large, small] = [`{"meta":${object(MEMBERS)}}`, `{"a":${object(28_000)}}`];
  const post = (path: string, body: string, more: Readonly<Record<string, string>>) => {
    const headers = { 'content-type': 'application/json', ...more };
    return call(site.url, 'POST', path, { agent: false, headers, body });
  };
  const { authorization } = site.attacker;
  const company = () => post('/api/management/signing', large, { authorization });
  const stranger = () => post('/api/auth/start', small, { 'x-forwarded-for': '203.0.113.7' });
  const again = (send: () => Promise<string>) => inWaves(until, async () => [await send()]);
  return ofEach(24, (at) => again(at < 16 ? company : stranger));
}

async function hideBodies(site: Site, until: AbortSignal, at: number): Promise<Iterable<string>> {
  const answers = new Set<string>();
  const body = head('/api/auth/start', `203.0.113.${at + 1}`, 'Content-Length: 262144');
  while (!until.aborted) {
    const socket = open(site, answers);
    socket.write(`GET / HTTP/1.1\r\n\r\n${body}{`);
    await sleep(50);
    socket.destroy();
  }
  // Only clients that come afterwards must be served.
  if (at > 0) return answers;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.20' };
  const asked = { agent: false, headers, body: '{}'.padEnd(262_144) } as const;
  const answer = await call(site.url, 'POST', '/api/auth/start', asked);
  if (!answer.startsWith('400')) answers.add(`missed a stranger: ${answer}`);
  return answers;
}
