import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import { holderScale } from '../access/client-address.ts';
import { type Budget, type Hold, openBudget } from './budget.ts';
import type { TimeSlices } from './time-slices.ts';

/** Wait after which a request gives way, in milliseconds. */
const WAITED_MS = 1000;

/** Answers a request of a server. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

/** Order of requests on one connection. */
export interface Turns {
  /** Tells the clients apart that take turns. */
  clientOf(request: IncomingMessage): string;
  /** Requests that wait for nobody: they cost next to nothing. */
  isUrgent(request: IncomingMessage): boolean;
  readonly slices: TimeSlices;
}

/** The requests of one connection. */
interface Line {
  /** Exchange in progress. */
  current?: Exchange | undefined;
  readonly waiting: Waiting[];
  /** Response after all of them. */
  last?: () => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Waiting extends Exchange {
  readonly hold: Hold;
}

const lines = new WeakMap<Socket, Line>();

/** The events by which Node hands over a request: it answers those that nobody listens to. */
export const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

/**
 * A server without a way past {@link oneByOne}: a response made by Node itself would come before
 * the next one, and its end would not be noticed.
 */
export function answerOneByOne(server: Server, answer: Answerer, turns: Turns): void {
  const take = oneByOne(turns, (request, response) => {
    const { expect, host } = request.headers;
    const isOld = request.httpVersion === '1.0';
    // RFC 9112, 3.2; Node does so too where it is asked to.
    if (host === undefined && !isOld) response.writeHead(400, { connection: 'close' }).end();
    else if (expect === undefined || isOld) answer(request, response);
    else if (/^100-continue$/i.test(expect)) {
      // The body is asked for when it is its turn.
      response.writeContinue();
      answer(request, response);
    } else response.writeHead(417).end();
  });
  server.on('connection', turns.slices.arrived);
  for (const event of requestEvents) {
    server.on(event, (request, response) => {
      boundChunks(request, response);
      take(request, response);
    });
  }
}

/**
 * Ends the connection of a body in tiny chunks: Node makes an object of each, and one byte costs as
 * much as thousands. The body of a request that is already answered counts, too.
 */
function boundChunks(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const { socket } = request;
  const push = request.push.bind(request);
  let [chunks, bytes] = [0, 0];
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) return push(null);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= limits.freeChunks || bytes >= chunks * limits.chunkBytes) {
      return push(chunk, encoding);
    }
    socket.destroy();
    return false;
  };
  // Before Node, which lets the rest run through unseen.
  response.prependOnceListener('finish', () => {
    if (request.complete || socket.destroyed) return;
    request.read(0);
    request.resume();
  });
}

/**
 * Answers the requests of each connection one after the other: a pipelined request waits until the
 * previous response is sent, and costs nothing until then. So a client that reads nothing holds one
 * response, however many requests it sends. A connection with too many waiting requests is closed.
 */
function oneByOne({ clientOf, isUrgent, slices }: Turns, answer: Answerer): Answerer {
  const { waitingRequests: whole, waitingRequestsShare: share } = limits;
  const budget = openBudget({ whole, share });
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    line.current = { request, response };
    response.once('close', () => {
      line.current = undefined;
      // Others have their turn before the next one.
      if (line.waiting.length > 0) setImmediate(next, line);
      else line.last?.();
    });
    if (isUrgent(request)) answer(request, response);
    else slices.run(clientOf(request), () => socket.destroyed || answer(request, response));
  };
  const next = (line: Line) => {
    const first = line.waiting.shift();
    first?.hold.release();
    // Behind an answer with `Connection: close` nothing is answered.
    if (first?.request.socket.writable) begin(line, first.request, first.response);
  };
  return (request, response) => {
    const { socket } = request;
    // Content of the same packet is still reported when the connection is closed.
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? newLine(socket);
    lines.set(socket, line);
    if (line.current === undefined && line.waiting.length === 0) begin(line, request, response);
    else wait(budget, line, request, response);
  };
}

/**
 * Calls `answer` when the responses to the previous requests are sent. Unreadable bytes may be the
 * body of the last of them: that one gets no other response.
 */
export function answerBehind(socket: Socket, answer: () => void): void {
  const line = lines.get(socket);
  const last = line?.waiting.at(-1) ?? line?.current;
  if (line === undefined || last === undefined) answer();
  else if (last !== line.current || last.request.complete) {
    if (!last.request.complete) line.waiting.pop()?.hold.release();
    line.last = answer;
  } else if (last.response.headersSent) socket.destroy();
  else answer();
}

function newLine(socket: Socket): Line {
  const line: Line = { waiting: [] };
  socket.once('close', () => {
    for (const { hold } of line.waiting.splice(0)) hold.release();
  });
  return line;
}

function wait(
  budget: Budget,
  { waiting }: Line,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket } = request;
  const sinceMs = performance.now();
  const hold = budget.open({
    sharers: clientNetworks(socket.remoteAddress ?? '', holderScale),
    // The duration of the previous response is unknown: after a wait it gives way to any client.
    neededMs: () => (performance.now() - sinceMs < WAITED_MS ? 0 : Number.POSITIVE_INFINITY),
    cut: () => socket.destroy(),
  });
  waiting.push({ request, response, hold });
  try {
    hold.take(1);
    if (waiting.length > limits.waitingRequestsOfConnection) socket.destroy();
  } catch {
    socket.destroy();
  }
}
