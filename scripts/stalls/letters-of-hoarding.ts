import { Buffer } from 'node:buffer';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ordinaryPdf } from './documents.ts';
import { inWaves, type Letter } from './frame.ts';
import type { Site } from './site.ts';
import { call } from './watch.ts';

const MB = 1024 * 1024;
/** All requests of an attack come from one address, as reported by a proxy. */
const proxied = ['--trust-proxy', 'loopback'] as const;
const attackerIp = '203.0.113.7';
/** A client whose connection was closed reconnects after this time. */
const REOPEN_MS = 2000;

/** Attacks that take resources and release them late or never. */
export const hoarding: readonly Letter[] = [
  {
    letter: 'd',
    what: '256 bodies of 262,100 of 262,144 bytes, and seven of 64 MB of one company',
    serve: proxied,
    hasStranger: true,
    attack: holdBodies,
  },
  {
    letter: 'e',
    what: '60 downloads of a 30 MB attachment whose body is not read',
    serve: proxied,
    prepare: async (site) => {
      attachmentPath = await createWithAttachment(site);
    },
    hasStranger: true,
    attack: holdDownloads,
  },
  {
    letter: 'f',
    what: '10,000 connections without a request',
    hasStranger: true,
    attack: holdConnections,
  },
  {
    letter: 'g',
    what: 'attachments of 45 MB under Idempotency-Key',
    serve: proxied,
    hasStranger: true,
    attack: keepAnswers,
  },
];

let attachmentPath = '';

async function holdBodies(site: Site, until: AbortSignal): Promise<readonly string[]> {
  const small = head('POST /api/auth/start', ['Content-Length: 262144']);
  const large = head('POST /api/verify', [
    ...['Transfer-Encoding: chunked', `Authorization: ${site.attacker.authorization}`],
  ]);
  const part = `10000\r\n${'a'.repeat(65_536)}\r\n`;
  const strangers = Array.from({ length: 256 }, () =>
    hold(site, until, [small, 'a'.repeat(262_100)]),
  );
  // The remainder of 64 MiB.
  const last = head('POST /api/auth/start', ['Content-Length: 262144']);
  strangers.push(hold(site, until, [last, 'a'.repeat(11_200)]));
  const company = Array.from({ length: 7 }, () =>
    hold(site, until, [large, ...Array.from({ length: 1024 }, () => part)]),
  );
  return (await Promise.all([...strangers, ...company])).flat();
}

async function holdDownloads(site: Site, until: AbortSignal): Promise<readonly string[]> {
  const asked = head(`GET ${attachmentPath}`, []);
  const all = Array.from({ length: 60 }, () => hold(site, until, [asked], true));
  return (await Promise.all(all)).flat();
}

async function holdConnections(site: Site, until: AbortSignal): Promise<readonly string[]> {
  const hosts = [];
  for (let at = 0; at < 10_000 && !until.aborted; at += 1) {
    hosts.push(hold(site, until, []));
    if (at % 100 === 99) await sleep(50);
  }
  return (await Promise.all(hosts)).flat();
}

/** Sends `parts` and waits; repeats this whenever the server closes the connection. */
async function hold(
  { url }: Site,
  until: AbortSignal,
  parts: readonly string[],
  isUnread = false,
): Promise<readonly string[]> {
  const answers = new Set<string>();
  const over = overOf(until);
  const { hostname, port } = new URL(url);
  while (!until.aborted) {
    const socket = connect(Number(port), hostname);
    if (isUnread) socket.pause();
    else socket.on('data', (chunk: Buffer) => answers.add(statusOf(chunk)));
    socket.on('error', (error: NodeJS.ErrnoException) => answers.add(error.code ?? error.message));
    const closed = new Promise((done) => socket.once('close', done));
    await send(socket, parts, until);
    await Promise.race([closed, over]);
    socket.destroy();
    if (!until.aborted) await sleep(REOPEN_MS);
  }
  return [...answers];
}

const ends = new WeakMap<AbortSignal, Promise<unknown>>();

/** Resolves when `until` is aborted; one promise for any number of waiters. */
function overOf(until: AbortSignal): Promise<unknown> {
  const known = ends.get(until);
  if (known !== undefined) return known;
  const over = new Promise((done) => until.addEventListener('abort', done, { once: true }));
  ends.set(until, over);
  return over;
}

async function send(socket: Socket, parts: readonly string[], until: AbortSignal): Promise<void> {
  const gone = new Promise((done) => socket.once('close', done));
  for (const part of parts) {
    if (socket.destroyed || until.aborted) return;
    if (socket.write(part)) continue;
    const drained = new Promise((done) => socket.once('drain', done));
    await Promise.race([drained, gone, overOf(until)]);
  }
}

function head(what: string, more: readonly string[]): string {
  const lines = [
    ...[`${what} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${attackerIp}`],
    ...['Content-Type: application/json', ...more],
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function statusOf(chunk: Buffer): string {
  const text = chunk.toString('latin1');
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'more';
  return `${status} ${/"errorCode":"([\w.]+)"/.exec(text)?.[1] ?? ''}`.trim();
}

function processWith(site: Site, content: Buffer): string {
  return JSON.stringify({
    flowKey: site.attacker.flowKey,
    pdfDocument: smallPdf,
    pdfFileName: 'a.pdf',
    attachments: [{ fileName: 'a.bin', fileContent: content.toString('base64') }],
    createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
  });
}

const smallPdf = ordinaryPdf().toString('base64');

const clientHeaders = { 'x-forwarded-for': attackerIp, 'content-type': 'application/json' };

async function createWithAttachment(site: Site): Promise<string> {
  const headers = { ...clientHeaders, authorization: site.attacker.authorization };
  const body = processWith(site, Buffer.alloc(30 * MB, 7));
  let path = '';
  const said = await call(
    site.url,
    'POST',
    '/api/management/signing',
    { agent: false, headers, body },
    (text) => {
      const { key, attachmentReferences } = JSON.parse(text);
      path = `/api/signing/${key}/attachment/${attachmentReferences[0].id}/fileName/a.bin`;
    },
  );
  if (path === '') throw new Error(`the attachment was not accepted: ${said}`);
  return path;
}

async function keepAnswers(site: Site, until: AbortSignal): Promise<readonly string[]> {
  const before = databaseBytes(site);
  let count = 0;
  const answers = await inWaves(until, async (wave) => {
    const headers = {
      ...{ ...clientHeaders, authorization: site.attacker.authorization },
      'idempotency-key': `order-${wave}`,
    };
    const body = processWith(site, Buffer.alloc(45 * MB, wave));
    const said = await call(site.url, 'POST', '/api/management/signing', {
      ...{ agent: false, headers, body },
    });
    count += 1;
    return [said === '' ? '200' : said];
  });
  if (before === 0) return [...answers, `${count} requests`];
  const grown = Math.round((databaseBytes(site) - before) / 1024 / Math.max(1, count));
  return [...answers, `the database grew by ${grown} KiB per request, for ${count} requests`];
}

/** Size of SQLite in the folder of the site; 0 for other engines. */
function databaseBytes({ folder }: Site): number {
  return ['innsigli.db', 'innsigli.db-wal']
    .map((name) => statSync(join(folder, 'data', name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, each) => sum + each, 0);
}
