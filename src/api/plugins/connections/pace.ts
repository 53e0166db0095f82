import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../../base/limits.ts';
import { LiveSet, type Placed } from '../../../base/live/index.ts';
import { createMemo } from '../../../base/memo.ts';
import type { ApiApp } from '../../route.ts';
import { answerUnread } from '../answers/answers.ts';

/** Progress of a request between its client and the service. */
export interface Pace {
  /** Its body is being read, with this number of bytes to come; undefined: no longer. */
  receiving(leftBytes: (() => number) | undefined): void;
  /** Milliseconds for which the service has waited for the client; 0 while it does not. */
  waitedMs(): number;
  /**
   * Milliseconds for which it will still wait, as the client went on in the last second or two; 0
   * while it does not wait.
   */
  neededMs(): number;
  /** Ends it: a body that did not come is answered with 408. */
  cut(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    pace: Pace;
  }
}

interface Flow extends Placed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  leftBytes: (() => number) | undefined;
  /** Bytes sent by the connection before. */
  readonly sentBytes: number;
  /**
   * Bytes transferred so far, and the time of the last ones; undefined while nobody waits for the
   * client.
   */
  seen: number | undefined;
  movedAt: number;
  /** Bytes transferred when the present span began. */
  mark: number;
  markedAt: number;
  /** Bytes transferred a second or two ago, and a second ago or later. */
  spans: readonly [Span, Span];
}

interface Span {
  readonly at: number;
  readonly bytes: number;
}

/** Shortest span for measuring a pace, in milliseconds. */
const SPAN_MS = 1000;

// A WeakMap would keep each request until the next full collection.
const flowOf = createMemo<IncomingMessage, Flow>();

/** Milliseconds for which the service has waited for the client of `request`, as `Pace` says. */
export function waitedForMs(request: IncomingMessage): number {
  const flow = flowOf.get(request);
  return flow === undefined ? 0 : waitedMs(flow);
}

/**
 * Cuts off clients that let the service wait: a body that does not come, or an answer that is not
 * read, at least at `limits.paceBytes` in `paceMs`.
 */
export function addPace(app: ApiApp, paceMs: number = limits.paceMs): void {
  const flows = new LiveSet<Flow>();
  let timer: NodeJS.Timeout | undefined;
  const sweep = () => {
    const nowMs = performance.now();
    for (const flow of flows) if (isTooSlow(flow, nowMs, paceMs)) cut(flow);
  };
  app.decorateRequest('pace', null as unknown as Pace);
  app.addHook('onRequest', (request, reply, done) => {
    const flow = newFlow(request.raw, reply.raw);
    request.pace = paceOf(flow);
    flows.add(flow);
    flowOf.set(request.raw, flow);
    timer ??= setInterval(sweep, Math.min(1000, paceMs / 4)).unref();
    const end = () => {
      flows.delete(flow);
      if (flows.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
    reply.raw.once('finish', end).once('close', end);
    done();
  });
}

function newFlow(request: IncomingMessage, response: ServerResponse): Flow {
  const nowMs = performance.now();
  const begin = { seen: undefined, movedAt: nowMs, mark: 0, markedAt: nowMs };
  const span = { at: nowMs, bytes: 0 };
  const sentBytes = request.socket.bytesWritten;
  const body = { leftBytes: undefined, sentBytes };
  return { place: 0, request, response, ...body, ...begin, spans: [span, span] };
}

function paceOf(flow: Flow): Pace {
  return {
    receiving(leftBytes) {
      flow.leftBytes = leftBytes;
      flow.seen = undefined;
      look(flow, performance.now());
    },
    waitedMs: () => waitedMs(flow),
    neededMs() {
      const nowMs = performance.now();
      look(flow, nowMs);
      if (flow.seen === undefined) return 0;
      const [{ at, bytes }] = flow.spans;
      return neededMs(leftBytes(flow, flow.seen), flow.seen - bytes, nowMs - at);
    },
    cut: () => cut(flow),
  };
}

function waitedMs(flow: Flow): number {
  const nowMs = performance.now();
  look(flow, nowMs);
  return nowMs - flow.movedAt;
}

/** Milliseconds for `leftBytes`, when `bytes` took `ms`: before a second nobody is slow. */
export function neededMs(leftBytes: number, bytes: number, ms: number): number {
  const atPace = ms < SPAN_MS ? 0 : (leftBytes / Math.max(0, bytes)) * ms;
  // If nothing moved, nothing is left, or it takes for ever.
  return Math.max(1, Number.isNaN(atPace) ? ms : atPace);
}

/** Bytes that are to come, or of the answer to be read. */
function leftBytes({ leftBytes: ofBody, response, sentBytes }: Flow, moved: number): number {
  if (ofBody !== undefined) return ofBody();
  const whole = Number(response.getHeader('content-length') ?? 0);
  return Math.max(response.socket?.writableLength ?? 0, whole - (moved - sentBytes));
}

function cut({ request, response, leftBytes }: Flow): void {
  const { socket } = request;
  if (leftBytes !== undefined && !response.headersSent)
    answerUnread({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
  else socket.destroy();
}

/** Notes what has moved; while the service has the turn, nobody is slow. */
function look(flow: Flow, nowMs: number): void {
  const moved = movedBytes(flow);
  const isBegin = moved === undefined || flow.seen === undefined;
  if (moved !== flow.seen || isBegin) flow.movedAt = nowMs;
  const now = { at: nowMs, bytes: moved ?? 0 };
  if (isBegin) Object.assign(flow, { mark: now.bytes, markedAt: nowMs, spans: [now, now] });
  else if (nowMs - flow.spans[1].at >= SPAN_MS) flow.spans = [flow.spans[1], now];
  flow.seen = moved;
}

function isTooSlow(flow: Flow, nowMs: number, paceMs: number): boolean {
  look(flow, nowMs);
  if (flow.seen === undefined || nowMs - flow.markedAt < paceMs) return false;
  if (flow.seen - flow.mark < limits.paceBytes) return true;
  flow.mark = flow.seen;
  flow.markedAt = nowMs;
  return false;
}

/** Bytes that came, or have left, while it is the client's turn; undefined while it is not. */
function movedBytes({ request, response, leftBytes }: Flow): number | undefined {
  const { socket } = request;
  if (leftBytes !== undefined) return socket.bytesRead;
  const isSending = response.headersSent && !response.writableFinished;
  // Data in the socket waits for the client; data still to be made does not.
  if (!isSending || socket.writableLength === 0) return undefined;
  return socket.bytesWritten - socket.writableLength;
}
