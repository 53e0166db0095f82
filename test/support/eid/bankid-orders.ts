import { createHmac, randomUUID } from 'node:crypto';
import type { TestMember } from '../pki.ts';
import { type AnswerFaults, approval, type BankidPki } from './bankid-answer.ts';
import { findOrderFault } from './bankid-rules.ts';

/** JSON of a request or answer. */
export type Members = Record<string, unknown>;

/** An answer; `body` is JSON or the text of a fault. */
export interface BankidAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An order, from its start until it is forgotten. */
export interface Order {
  readonly orderRef: string;
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  readonly qrStartSecret: string;
  readonly purpose: 'auth' | 'sign';
  readonly request: Members;
  readonly beganMs: number;
  collectedMs?: number;
  pickedUp: boolean;
  /** Collects since the phone received it. */
  collectCount: number;
  isApproved: boolean;
  failedHint?: string;
  endedMs?: number;
}

/** The participants. */
export interface BankidWorld {
  readonly certificates: BankidPki;
  readonly person: TestMember;
  readonly user: { readonly personalNumber: string; readonly name: string };
  readonly now: () => number;
}

/** All orders, and the behaviour arranged by the test. */
export interface OrderBook {
  readonly world: BankidWorld;
  readonly orders: Map<string, Order>;
  newest?: Order;
  tooFast: number;
  faults: AnswerFaults;
  pendingHint?: string;
  rewrite: (answer: Members) => Members;
}

/** Times of orders in milliseconds. */
const PICK_UP_MS = 30_000;
const ORDER_MS = 180_000;
const KEPT_MS = { complete: 180_000, failed: 300_000 };
const SPACING_MS = 2_000;
const QR_SKEW_SECONDS = 5;

/** An answer in JSON. */
export function json(status: number, body: Members): BankidAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** An error of the provider. */
export function refusal(status: number, errorCode: string): BankidAnswer {
  return json(status, { errorCode, details: 'for developers' });
}

/** An empty book of orders. */
export function openBook(world: BankidWorld): OrderBook {
  return { world, orders: new Map(), tooFast: 0, faults: {}, rewrite: (answer) => answer };
}

/** `auth` and `sign`. A second order for a person ends both. */
export function begin(book: OrderBook, purpose: 'auth' | 'sign', request: Members): BankidAnswer {
  if (findOrderFault(purpose, request) !== undefined) return refusal(400, 'invalidParameters');
  const number = numberOf(request);
  const other = [...book.orders.values()].find(
    (order) =>
      number !== undefined && order.endedMs === undefined && number === numberOf(order.request),
  );
  if (other !== undefined) {
    endOrder(book, other, 'cancelled');
    return refusal(400, 'alreadyInProgress');
  }
  const tokens = {
    orderRef: randomUUID(),
    autoStartToken: randomUUID(),
    qrStartToken: randomUUID(),
    qrStartSecret: randomUUID(),
  };
  const steps = { pickedUp: false, collectCount: 0, isApproved: false };
  const order: Order = { ...tokens, ...steps, purpose, request, beganMs: book.world.now() };
  book.orders.set(order.orderRef, order);
  book.newest = order;
  return json(200, tokens);
}

/** `collect`. */
export function collect(book: OrderBook, request: Members): BankidAnswer {
  const order = book.orders.get(String(request['orderRef']));
  if (order === undefined) return refusal(400, 'invalidParameters');
  const nowMs = book.world.now();
  if (nowMs - (order.collectedMs ?? Number.NEGATIVE_INFINITY) < SPACING_MS) book.tooFast++;
  order.collectedMs = nowMs;
  step(book, order);
  const { orderRef, failedHint } = order;
  const sent = (answer: Members) => json(200, book.rewrite({ orderRef, ...answer }));
  if (order.endedMs === undefined) {
    return sent({ status: 'pending', hintCode: book.pendingHint ?? hintOf(order) });
  }
  const status = failedHint === undefined ? 'complete' : 'failed';
  if (nowMs - order.endedMs > KEPT_MS[status]) return refusal(400, 'invalidParameters');
  if (status === 'failed') return sent({ status, hintCode: failedHint });
  return sent({ status, completionData: completionOf(book, order) });
}

/** Applies the effects of time and person on an order. */
function step(book: OrderBook, order: Order): void {
  if (order.endedMs !== undefined) return;
  const ageMs = book.world.now() - order.beganMs;
  if (!order.pickedUp && ageMs > PICK_UP_MS) endOrder(book, order, 'startFailed');
  else if (order.isApproved) endOrder(book, order);
  else if (ageMs > ORDER_MS) endOrder(book, order, 'expiredTransaction');
}

function hintOf(order: Order): string {
  if (!order.pickedUp) return 'outstandingTransaction';
  order.collectCount++;
  return order.collectCount === 1 ? 'started' : 'userSign';
}

function completionOf({ world, faults }: OrderBook, order: Order): Members {
  const { certificates, person, user, now } = world;
  const asked = order.request;
  const of = {
    purpose: order.purpose,
    visible: asked['userVisibleData'] as string | undefined,
    hidden: asked['userNonVisibleData'] as string | undefined,
  };
  const proof = approval(certificates, of, person, order.endedMs ?? now(), faults);
  const wantsMrtd = (asked['requirement'] as Members | undefined)?.['mrtd'] === true;
  const [givenName, ...family] = user.name.split(' ');
  return {
    user: { ...user, givenName, surname: family.join(' ') },
    device: { ipAddress: asked['endUserIp'], uhi: 'OZvYM9VvyiAmG7NA5jU5zqGcVpo=' },
    bankIdIssueDate: '2025-01-10',
    ...(wantsMrtd ? { stepUp: { mrtd: true } } : {}),
    ...proof,
  };
}

/** `cancel`. The order is forgotten. */
export function cancel(book: OrderBook, request: Members): BankidAnswer {
  const order = book.orders.get(String(request['orderRef']));
  if (order === undefined || order.endedMs !== undefined) {
    return refusal(400, 'invalidParameters');
  }
  book.orders.delete(order.orderRef);
  if (book.newest === order) delete book.newest;
  return json(200, {});
}

/** Ends an order, as failed if a hint is given. */
export function endOrder(book: OrderBook, order: Order, hint?: string): void {
  order.endedMs ??= book.world.now();
  if (hint !== undefined) order.failedHint ??= hint;
}

/** The phone picks up an order; returns false if there is none to pick up. */
export function pickUp(order: Order | undefined): boolean {
  if (order === undefined || order.endedMs !== undefined) return false;
  order.pickedUp = true;
  return true;
}

/** Whether this order shows the code within five seconds of now. */
export function isCodeOf(order: Order, text: string, nowMs: number): boolean {
  const { qrStartToken, qrStartSecret, beganMs } = order;
  const [scheme, token, seconds = '', code, ...more] = text.split('.');
  if (scheme !== 'bankid' || token !== qrStartToken || more.length > 0) return false;
  if (!/^\d{1,4}$/.test(seconds)) return false;
  if (Math.abs((nowMs - beganMs) / 1000 - Number(seconds)) > QR_SKEW_SECONDS) return false;
  return code === createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
}

function numberOf(request: Members): string | undefined {
  const requirement = request['requirement'] as Members | undefined;
  const number = requirement?.['personalNumber'];
  return typeof number === 'string' ? number : undefined;
}
