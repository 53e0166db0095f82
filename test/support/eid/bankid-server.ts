import { createHmac, randomUUID } from 'node:crypto';
import type { TestMember } from '../pki.ts';
import { type AnswerFaults, approval, type BankidPki } from './bankid-answer.ts';
import { findOrderFault } from './bankid-rules.ts';

/** A request as it came. */
export interface BankidRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Name of the certificate of the client; empty without one. */
  readonly client: string;
}

/** An answer; `body` is JSON or the text of a fault. */
export interface BankidAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Members = Record<string, unknown>;

interface Order {
  readonly orderRef: string;
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  readonly qrStartSecret: string;
  readonly purpose: 'auth' | 'sign';
  readonly request: Members;
  readonly beganMs: number;
  collectedMs?: number;
  pickedUp: boolean;
  collectsSince: number;
  isApproved: boolean;
  failedHint?: string;
  endedMs?: number;
}

/** Provider and phone. */
export interface BankidServer {
  handle(request: BankidRequest): BankidAnswer;
  /** Requests in their order: the method, and the members of the body. */
  readonly log: readonly { readonly method: string; readonly body: Members }[];
  /** Collects that came sooner than two seconds after the last one. */
  readonly tooFast: () => number;
  readonly control: {
    /** The phone reads a QR code; false when it refuses it. */
    scan(text: string): boolean;
    /** The phone follows the link of the same device. */
    open(autoStartToken: string): boolean;
    /** The person gives the code; the phone is on the newest order. */
    approve(): void;
    /** The newest order fails with this hint. */
    fail(hint: string): void;
    /** The newest order is pending with this hint, whatever the phone does. */
    pend(hint: string): void;
    /** The next request of this method is answered so. */
    answer(method: string, answer: Partial<BankidAnswer> & { readonly status: number }): void;
    /** Approvals are made with these faults. */
    spoil(faults: AnswerFaults): void;
    /** Changes the members of what `collect` answers. */
    rewrite(change: (answer: Members) => Members): void;
    /** Secrets of all orders. */
    secrets(): string[];
  };
}

/** Times of orders in milliseconds. */
const PICK_UP_MS = 30_000;
const ORDER_MS = 180_000;
const KEPT_MS = { complete: 180_000, failed: 300_000 };
const SPACING_MS = 2_000;
const QR_SKEW_SECONDS = 5;

const json = (
  status: number,
  body: Members,
  headers: Record<string, string> = {},
): BankidAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const refusal = (status: number, errorCode: string): BankidAnswer =>
  json(status, { errorCode, details: 'for developers' });

/**
 * The Relying Party API v6 of BankID as its public documentation describes it, with the phone of
 * one person. What the service refuses is refused.
 */
export function bankidServer(options: {
  readonly certificates: BankidPki;
  readonly person: TestMember;
  readonly user: { readonly personalNumber: string; readonly name: string };
  readonly now: () => number;
}): BankidServer {
  const { certificates, person, user, now } = options;
  const orders = new Map<string, Order>();
  const log: { method: string; body: Members }[] = [];
  const planned = new Map<string, BankidAnswer>();
  let newest: Order | undefined;
  let tooFast = 0;
  let faults: AnswerFaults = {};
  let pending: string | undefined;
  let rewrite = (answer: Members): Members => answer;

  const begin = (purpose: 'auth' | 'sign', request: Members): BankidAnswer => {
    const fault = findOrderFault(purpose, request);
    if (fault !== undefined) return refusal(400, 'invalidParameters');
    const number = numberOf(request);
    const other = [...orders.values()].find(
      (order) =>
        order.endedMs === undefined && number !== undefined && number === numberOf(order.request),
    );
    if (other !== undefined) {
      end(other, 'cancelled');
      return refusal(400, 'alreadyInProgress');
    }
    const order: Order = {
      orderRef: randomUUID(),
      autoStartToken: randomUUID(),
      qrStartToken: randomUUID(),
      qrStartSecret: randomUUID(),
      purpose,
      request,
      beganMs: now(),
      pickedUp: false,
      isApproved: false,
      collectsSince: 0,
    };
    orders.set(order.orderRef, order);
    newest = order;
    const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = order;
    return json(200, { orderRef, autoStartToken, qrStartToken, qrStartSecret });
  };

  const end = (order: Order, hint: string | undefined) => {
    order.endedMs ??= now();
    if (hint !== undefined) order.failedHint ??= hint;
  };

  const collect = (request: Members): BankidAnswer => {
    const order = orders.get(String(request['orderRef']));
    if (order === undefined) return refusal(400, 'invalidParameters');
    if (now() - (order.collectedMs ?? Number.NEGATIVE_INFINITY) < SPACING_MS) tooFast++;
    order.collectedMs = now();
    if (order.endedMs === undefined) {
      const ageMs = now() - order.beganMs;
      if (!order.pickedUp && ageMs > PICK_UP_MS) end(order, 'startFailed');
      else if (!order.isApproved && ageMs > ORDER_MS) end(order, 'expiredTransaction');
      else if (order.isApproved) end(order, undefined);
    }
    const { orderRef } = order;
    const sent = (answer: Members) => json(200, rewrite({ orderRef, ...answer }));
    if (order.endedMs === undefined) {
      const steps = order.pickedUp ? ['started', 'userSign'] : ['outstandingTransaction'];
      const hint = steps[Math.min(order.collectsSince, steps.length - 1)];
      if (order.pickedUp) order.collectsSince++;
      return sent({ status: 'pending', hintCode: pending ?? hint });
    }
    const status = order.failedHint === undefined ? 'complete' : 'failed';
    if (now() - order.endedMs > KEPT_MS[status]) return refusal(400, 'invalidParameters');
    if (status === 'failed') return sent({ status, hintCode: order.failedHint });
    return sent({ status, completionData: completionOf(order) });
  };

  const completionOf = (order: Order): Members => {
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
  };

  const cancel = (request: Members): BankidAnswer => {
    const order = orders.get(String(request['orderRef']));
    if (order === undefined || order.endedMs !== undefined) {
      return refusal(400, 'invalidParameters');
    }
    orders.delete(order.orderRef);
    return json(200, {});
  };

  const methods: Record<string, (request: Members) => BankidAnswer> = {
    auth: (request) => begin('auth', request),
    sign: (request) => begin('sign', request),
    collect,
    cancel,
  };

  const handle = ({ method, path, headers, body, client }: BankidRequest): BankidAnswer => {
    if (client === '') return refusal(401, 'unauthorized');
    const name = /^\/rp\/v6\.0\/([a-z]+)$/.exec(path)?.[1] ?? '';
    const serve = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (serve === undefined) return refusal(404, 'notFound');
    if (method !== 'POST') return refusal(405, 'methodNotAllowed');
    if (headers['content-type'] !== 'application/json') return refusal(415, 'unsupportedMediaType');
    let members: Members;
    try {
      members = JSON.parse(body) as Members;
    } catch {
      return refusal(400, 'invalidParameters');
    }
    log.push({ method: name, body: members });
    const plan = planned.get(name);
    planned.delete(name);
    return plan ?? serve(members);
  };

  const pickUp = (order: Order | undefined): boolean => {
    if (order === undefined || order.endedMs !== undefined) return false;
    order.pickedUp = true;
    return true;
  };

  return {
    handle: (request) => {
      const { status, headers, body } = handle(request);
      return { status, headers: { date: new Date(now()).toUTCString(), ...headers }, body };
    },
    log,
    tooFast: () => tooFast,
    control: {
      scan: (text) => pickUp([...orders.values()].find((order) => isCodeOf(order, text, now()))),
      open: (token) => pickUp([...orders.values()].find((order) => order.autoStartToken === token)),
      approve: () => {
        if (newest === undefined || !pickUp(newest)) throw new Error('no order to approve');
        newest.isApproved = true;
      },
      fail: (hint) => {
        if (newest !== undefined) end(newest, hint);
      },
      pend: (hint) => {
        pending = hint;
      },
      answer: (method, { status, headers = {}, body = '{}' }) => {
        planned.set(method, { status, headers, body });
      },
      spoil: (more) => {
        faults = { ...faults, ...more };
      },
      rewrite: (change) => {
        const before = rewrite;
        rewrite = (answer) => change(before(answer));
      },
      secrets: () => [...orders.values()].map(({ qrStartSecret }) => qrStartSecret),
    },
  };
}

function numberOf(request: Members): string | undefined {
  const requirement = request['requirement'] as Members | undefined;
  const number = requirement?.['personalNumber'];
  return typeof number === 'string' ? number : undefined;
}

/** True for a code that this order shows within five seconds of now. */
function isCodeOf({ qrStartToken, qrStartSecret, beganMs }: Order, text: string, nowMs: number) {
  const [scheme, token, seconds = '', code, ...more] = text.split('.');
  if (scheme !== 'bankid' || token !== qrStartToken || more.length > 0) return false;
  if (!/^\d{1,4}$/.test(seconds)) return false;
  const elapsed = (nowMs - beganMs) / 1000;
  if (Math.abs(elapsed - Number(seconds)) > QR_SKEW_SECONDS) return false;
  return code === createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
}
