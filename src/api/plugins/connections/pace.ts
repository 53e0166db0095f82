import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../../base/limits.ts';
import { LiveSet, type Placed } from '../../../base/live/index.ts';
import { createMemo } from '../../../base/memo.ts';
import type { ApiApp } from '../../route.ts';
import { answerUnread } from '../answers/answers.ts';

/** Progress of a request between its client and the service. */
export interface Pace {
  /**
   * Called with a function that returns the body bytes still to come, and with undefined once the
   * body is no longer being read.
   */
  receiving(leftBytes: (() => number) | undefined): void;
  /** Milliseconds for which the service has waited for the client; 0 while it does not. */
  waitedMs(): number;
  /** Remaining wait in milliseconds, at the pace of the last second or two; 0 while not waiting. */
  neededMs(): number;
  /** Ends the request. An incomplete body is answered with 408. */
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
  /** Bytes sent by the connection before this request. */
  readonly sentBytes: number;
  /** Bytes transferred so far. Undefined while the service is not waiting for the client. */
  seen: number | undefined;
  movedAt: number;
  /** Bytes transferred at the start of the present measuring period. */
  mark: number;
  markedAt: number;
  /** Bytes transferred one to two seconds ago, and at most one second ago. */
  spans: readonly [Span, Span];
}

interface Span {
  readonly at: number;
  readonly bytes: number;
}

/** Shortest period for measuring a pace, in milliseconds. */
const SPAN_MS = 1000;

// A WeakMap would retain each request until the next full garbage collection.
const flowOf = createMemo<IncomingMessage, Flow>();

/** Milliseconds for which the service has waited for the client of `request`, as in `Pace`. */
export function waitedForMs(request: IncomingMessage): number {
  const flow = flowOf.get(request);
  return flow === undefined ? 0 : waitedMs(flow);
}

/**
 * Cuts off clients that keep the service waiting: a body must arrive, and a response be read, at a
 * pace of at least `limits.paceBytes` in `paceMs`.
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

/** Milliseconds for `leftBytes` if `bytes` took `ms`. In the first second, no client is slow. */
export function neededMs(leftBytes: number, bytes: number, ms: number): number {
  const atPace = ms < SPAN_MS ? 0 : (leftBytes / Math.max(0, bytes)) * ms;
  // NaN: no bytes moved and none are left. Infinity: no bytes moved, but some are left.
  return Math.max(1, Number.isNaN(atPace) ? ms : atPace);
}

/** Bytes of the body to come, or of the response still to be read. */
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

/** Records the bytes moved. While it is the service's turn, no client is slow. */
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

/** Bytes received or sent while the service waits for the client. Undefined while it does not. */
function movedBytes({ request, response, leftBytes }: Flow): number | undefined {
  const { socket } = request;
  if (leftBytes !== undefined) return socket.bytesRead;
  const isSending = response.headersSent && !response.writableFinished;
  // Data in the socket waits for the client; data not generated yet does not.
  if (!isSending || socket.writableLength === 0) return undefined;
  return socket.bytesWritten - socket.writableLength;
}
