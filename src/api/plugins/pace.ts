import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../base/limits.ts';
import type { ApiApp } from '../route.ts';
import { answerUnread } from './answers.ts';

/** How a request moves between its client and the service. */
export interface Pace {
  /** Its body is being read, or no longer. */
  receiving(isOn: boolean): void;
  /** Milliseconds for which the service has waited for the client; 0 while it does not. */
  waitedMs(): number;
  /** Ends it: a body that did not come is answered with 408. */
  cut(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    pace: Pace;
  }
}

interface Flow {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  isReceiving: boolean;
  /** What moved so far, and when it did last; undefined while nobody waits for the client. */
  seen: number | undefined;
  movedAt: number;
  /** What had moved when the present span began. */
  mark: number;
  markedAt: number;
}

/**
 * Cuts off clients that let the service wait: a body that does not come, or an answer that is not
 * read, at least at `limits.paceBytes` in `paceMs`.
 */
export function addPace(app: ApiApp, paceMs: number = limits.paceMs): void {
  const flows = new Set<Flow>();
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
  return { request, response, isReceiving: false, ...begin };
}

function paceOf(flow: Flow): Pace {
  return {
    receiving(isOn) {
      flow.isReceiving = isOn;
      flow.seen = undefined;
      look(flow, performance.now());
    },
    waitedMs() {
      const nowMs = performance.now();
      look(flow, nowMs);
      return nowMs - flow.movedAt;
    },
    cut: () => cut(flow),
  };
}

function cut({ request, response, isReceiving }: Flow): void {
  const { socket } = request;
  if (isReceiving && !response.headersSent)
    answerUnread({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
  else socket.destroy();
}

/** Notes what has moved; while the service has the turn, nobody is slow. */
function look(flow: Flow, nowMs: number): void {
  const moved = movedBytes(flow);
  const isBegin = moved === undefined || flow.seen === undefined;
  if (moved !== flow.seen || isBegin) flow.movedAt = nowMs;
  if (isBegin) Object.assign(flow, { mark: moved ?? 0, markedAt: nowMs });
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
function movedBytes({ request, response, isReceiving }: Flow): number | undefined {
  const { socket } = request;
  if (isReceiving) return socket.bytesRead;
  const isSending = response.headersSent && !response.writableFinished;
  // What waits in the socket waits for the client; what is still to be made does not.
  if (!isSending || socket.writableLength === 0) return undefined;
  return socket.bytesWritten - socket.writableLength;
}
