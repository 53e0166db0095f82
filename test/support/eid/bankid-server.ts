import type { AnswerFaults } from './bankid-answer.ts';
import {
  type BankidAnswer,
  type BankidWorld,
  begin,
  cancel,
  collect,
  endOrder,
  isCodeOf,
  type Members,
  type OrderBook,
  openBook,
  pickUp,
  refusal,
} from './bankid-orders.ts';

/** A request as received. */
export interface BankidRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Name of the client certificate. Empty if there is none. */
  readonly client: string;
}

/** Controls of provider and phone for a test. */
export interface BankidControl {
  /** The phone scans a QR code; returns false if it rejects it. */
  scan(text: string): boolean;
  /** The phone follows the link of the same device. */
  open(autoStartToken: string): boolean;
  /** The person approves the newest order. */
  approve(): void;
  /** The newest order fails with this hint. */
  fail(hint: string): void;
  /** Orders are pending with this hint, whatever the phone does. */
  pend(hint: string): void;
  /** Sets the response to the next request of this method. */
  answer(method: string, answer: Partial<BankidAnswer> & { readonly status: number }): void;
  /** Injects these faults into approvals. */
  spoil(faults: AnswerFaults): void;
  /** Changes the members of the response of `collect`. */
  rewrite(change: (answer: Members) => Members): void;
  /** Secrets of all orders. */
  secrets(): string[];
}

/** Provider and phone. */
export interface BankidServer {
  handle(request: BankidRequest): BankidAnswer;
  /** Requests in order: the method, and the members of the body. */
  readonly log: readonly { readonly method: string; readonly body: Members }[];
  /** Collects less than two seconds after the previous one. */
  readonly tooFast: () => number;
  readonly control: BankidControl;
}

/**
 * The Relying Party API v6 of BankID as publicly documented, with the phone of one person. It
 * rejects what the service rejects.
 */
export function bankidServer(world: BankidWorld): BankidServer {
  const book = openBook(world);
  const log: { method: string; body: Members }[] = [];
  const planned = new Map<string, BankidAnswer>();
  const methods = new Map<string, (request: Members) => BankidAnswer>([
    ['auth', (request) => begin(book, 'auth', request)],
    ['sign', (request) => begin(book, 'sign', request)],
    ['collect', (request) => collect(book, request)],
    ['cancel', (request) => cancel(book, request)],
  ]);
  const serve = (request: BankidRequest): BankidAnswer => {
    if (request.client === '') return refusal(401, 'unauthorized');
    const name = /^\/rp\/v6\.0\/([a-z]+)$/.exec(request.path)?.[1] ?? '';
    const method = methods.get(name);
    if (method === undefined) return refusal(404, 'notFound');
    if (request.method !== 'POST') return refusal(405, 'methodNotAllowed');
    if (request.headers['content-type'] !== 'application/json') {
      return refusal(415, 'unsupportedMediaType');
    }
    const body = parsed(request.body);
    if (body === undefined) return refusal(400, 'invalidParameters');
    log.push({ method: name, body });
    const plan = planned.get(name);
    planned.delete(name);
    return plan ?? method(body);
  };
  return {
    handle: (request) => {
      const { headers, ...answer } = serve(request);
      return { ...answer, headers: { date: new Date(world.now()).toUTCString(), ...headers } };
    },
    log,
    tooFast: () => book.tooFast,
    control: controlOf(book, planned),
  };
}

function controlOf(book: OrderBook, planned: Map<string, BankidAnswer>): BankidControl {
  const orders = () => [...book.orders.values()];
  return {
    scan: (text) => pickUp(orders().find((order) => isCodeOf(order, text, book.world.now()))),
    open: (token) => pickUp(orders().find(({ autoStartToken }) => autoStartToken === token)),
    approve: () => {
      if (book.newest === undefined || !pickUp(book.newest)) throw new Error('no order to approve');
      book.newest.isApproved = true;
    },
    fail: (hint) => {
      if (book.newest !== undefined) endOrder(book, book.newest, hint);
    },
    pend: (hint) => {
      book.pendingHint = hint;
    },
    answer: (method, { status, headers = {}, body = '{}' }) => {
      planned.set(method, { status, headers, body });
    },
    spoil: (more) => {
      book.faults = { ...book.faults, ...more };
    },
    rewrite: (change) => {
      const before = book.rewrite;
      book.rewrite = (answer) => change(before(answer));
    },
    secrets: () => orders().map(({ qrStartSecret }) => qrStartSecret),
  };
}

function parsed(body: string): Members | undefined {
  try {
    return JSON.parse(body) as Members;
  } catch {
    return undefined;
  }
}
