import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

/**
 * Repeats one request to a server, over persistent connections with one request in flight each. Uses
 * plain sockets: a complete HTTP client would take more of the machine than the measured server.
 *
 * @param {{ url: string, method?: string, path: string, headers?: Record<string, string>,
 *   body?: Uint8Array | (() => Uint8Array), connections: number, forMs: number }} request
 * @returns {Promise<{ count: number, wallMs: number, latenciesMs: Float64Array,
 *   statuses: Record<number, number>, bodyBytes: number }>} latencies in ascending order
 */
export async function load({ url, method = 'GET', path, headers = {}, body, connections, forMs }) {
  const { hostname, port } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const requestWith = (bytes) => {
    const length = bytes === undefined ? '' : `content-length: ${bytes.length}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${lines.join('')}${length}\r\n`;
    return Buffer.concat([Buffer.from(head), bytes ?? Buffer.alloc(0)]);
  };
  const next = typeof body === 'function' ? () => requestWith(body()) : undefined;
  const request = next === undefined ? requestWith(body) : undefined;
  const latencies = [];
  const statuses = {};
  let bodyBytes = 0;
  const startedAt = performance.now();
  const endAt = startedAt + forMs;
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const reader = answerReader();
      let sentAt = 0;
      const send = () => {
        const bytes = next?.() ?? request;
        sentAt = performance.now();
        socket.write(bytes);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', resolve);
      socket.on('data', (chunk) => {
        const answer = reader(chunk);
        if (answer === undefined) return;
        const now = performance.now();
        latencies.push(now - sentAt);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        bodyBytes += answer.bodyBytes;
        if (now < endAt) send();
        else socket.end();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const wallMs = performance.now() - startedAt;
  const latenciesMs = Float64Array.from(latencies).sort();
  return { count: latencies.length, wallMs, latenciesMs, statuses, bodyBytes };
}

/** Returns the value below which `share` of the sorted `values` are. */
export function quantile(values, share) {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}

/** Collects received bytes; returns a response once it is complete. */
function answerReader() {
  let head = '';
  let status = 0;
  let left = -1;
  let bodyBytes = 0;
  return (chunk) => {
    let rest = chunk;
    if (left < 0) {
      const known = head.length;
      head += chunk.latin1Slice();
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      status = Number(head.slice(9, 12));
      const found = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end));
      if (found === null && status !== 204 && status !== 304) {
        throw new Error(`a response without a length: ${head.slice(0, end)}`);
      }
      bodyBytes = Number(found?.[1] ?? 0);
      left = bodyBytes;
      rest = chunk.subarray(end + 4 - known);
      head = '';
    }
    left -= rest.length;
    if (left > 0) return undefined;
    left = -1;
    return { status, bodyBytes };
  };
}
