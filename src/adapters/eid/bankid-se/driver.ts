import {
  type EidChallenge,
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidEvidence,
  type EidFailCode,
  type EidPoll,
} from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { failedBy } from '../session.ts';
import { askBankid, BankidBusy, type Members, readCompletion, textOf } from './answers.ts';
import { checkBankid } from './check.ts';
import { type BankidTrust, verifyBankidEvidence, verifyBankidLogin } from './evidence.ts';
import { type BankidOptions, liveUrl, testHost } from './options.ts';
import {
  type OrderState,
  orderBody,
  qrText,
  readShown,
  readState,
  requestedOrder,
  type ShownOrder,
  sameDeviceLink,
  startedOrder,
} from './order.ts';

/** Name of the scheme in evidence. */
const NAME = 'bankid-se';
const POLLING_MS = 2_000;
/** Lifetime of an order once the app has opened it; not confirmed by public documentation. */
const ORDER_MS = 180_000;
const TIMEOUT_MS = 10_000;

/** Hint codes of failed orders. @see {@link pollAnswer} for unlisted ones */
const failures: ReadonlyMap<string, EidFailCode> = new Map([
  ['expiredTransaction', 'expiredTransaction'],
  ['certificateErr', 'certificateErr'],
  ['userCancel', 'userCancel'],
  ['cancelled', 'cancelled'],
  ['startFailed', 'startFailed'],
  ['userDeclinedCall', 'userDeclinedCall'],
  ['notSupportedByUserApp', 'appNotSupported'],
  ['transactionRiskBlocked', 'riskBlocked'],
]);

/** Hint codes of orders whose QR code can still be scanned. */
const waiting = new Set(['outstandingTransaction', 'noClient']);

/**
 * Driver of the Swedish BankID, using its Relying Party API v6: identification and signature by QR
 * code or on the same device. Its `http` must present the relying party's certificate and trust
 * only the root of BankID. A signature is a proof of approval of text and digest (`evidence`) and
 * advanced, never qualified. An order that no one opens fails with `startFailed` after some 30
 * seconds; the caller starts a new one.
 *
 * @throws EidError `internalError` if the URL is not https:, or there is no anchor
 */
export function bankidDriver(options: BankidOptions): EidDriver {
  const { anchors, assurance = 'substantial', timeoutMs = TIMEOUT_MS } = options;
  const base = requireBase(options);
  const isTest = options.isTest ?? new URL(base).hostname === testHost;
  const reach = { base, timeoutMs };
  const trustOf = ({ trust: checks }: EidEnvironment): BankidTrust => ({ checks, anchors });
  return {
    name: NAME,
    channels: ['DeviceLink'],
    tellsPhone: false,
    // A result can be collected for three minutes.
    answersOnce: false,
    signing: {
      delivery: 'evidence',
      level: isTest ? 'test' : 'advanced',
      digest: 'sha256',
      certificate: 'none',
    },

    async start(request, environment) {
      const asked = requestedOrder(request, assurance, environment);
      const body = orderBody(asked, request, options);
      const answer = await askBankid(environment.http, asked.purpose, body, reach);
      const order = startedOrder(asked, answer, environment.now());
      return {
        state: { ...order },
        challenge: challengeOf(order, order.startedAtMs),
        pollingMs: POLLING_MS,
        expiresAtMs: order.startedAtMs + ORDER_MS,
      };
    },

    async poll(state, environment) {
      const order = readState(state);
      try {
        const body = { orderRef: order.orderRef };
        const answer = await askBankid(environment.http, 'collect', body, reach);
        const nowMs = environment.now();
        const found = pollAnswer(order, answer, nowMs);
        if (found !== 'complete') return found;
        const trust = trustOf(environment);
        return completed(order, answer, { ...options, assurance, trust, nowMs });
      } catch (error) {
        return failed(error);
      }
    },

    async cancel(state, { http }) {
      const { orderRef } = readState(state);
      try {
        await askBankid(http, 'cancel', { orderRef }, reach);
      } catch (error) {
        // The order had already ended.
        if (!(error instanceof EidError) || error.code !== 'expiredTransaction') throw error;
      }
    },

    refresh: (state, nowMs) => challengeOf(readShown(state), nowMs),

    verifyEvidence: async (evidence, login, checks) =>
      verifyBankidLogin(evidence, login, { checks, anchors }, options),

    check: (environment) => checkBankid({ ...options, base, timeoutMs }, environment),
  };
}

function requireBase({ url = liveUrl, anchors }: BankidOptions): string {
  const isAddress = isUrl(url) && new URL(url).protocol === 'https:';
  if (!isAddress || new URL(url).search !== '') {
    throw new EidError('internalError', 'BankID: expected an https: URL');
  }
  if (anchors.length === 0) throw new EidError('internalError', 'BankID: expected its root');
  return url.endsWith('/') ? url : `${url}/`;
}

function challengeOf(order: ShownOrder, nowMs: number): EidChallenge {
  return {
    qrData: qrText(order, nowMs - order.startedAtMs),
    sameDeviceLink: sameDeviceLink(order),
    autoStartToken: order.autoStartToken,
  };
}

/** Status of an order. As the provider requires, an unknown hint code does not change it. */
function pollAnswer(order: OrderState, answer: Members, nowMs: number): EidPoll | 'complete' {
  if (textOf(answer, 'orderRef') !== order.orderRef) {
    throw new EidError('invalidResponse', 'BankID responded for a different order');
  }
  const status = textOf(answer, 'status');
  if (status === 'complete') return status;
  const given = textOf(answer, 'hintCode') ?? '';
  const hint = /^[A-Za-z]{1,64}$/.test(given) ? given : 'unknown';
  if (status === 'pending') {
    const challenge = waiting.has(hint) ? challengeOf(order, nowMs) : undefined;
    return { status, hint, ...defined({ challenge }) };
  }
  if (status !== 'failed') {
    throw new EidError('invalidResponse', 'BankID responded with an unknown order status');
  }
  return { status, code: failures.get(hint) ?? 'internalError', providerCode: hint };
}

function completed(
  order: OrderState,
  answer: Members,
  context: BankidOptions & {
    readonly assurance: NonNullable<BankidOptions['assurance']>;
    readonly trust: BankidTrust;
    readonly nowMs: number;
  },
): EidPoll {
  const { personalNumber, xml, ocsp, hasReadDocument } = readCompletion(answer['completionData']);
  const { certificatePolicies, requiresDocument, assurance, trust, nowMs } = context;
  const { purpose, text, nonce, digest, startedAtMs } = order;
  const expected = {
    ...{ purpose, text, nonce, fromMs: startedAtMs, untilMs: nowMs },
    ...defined({ digest, certificatePolicies, personalNumber: order.personalNumber }),
  };
  const bare: EidEvidence = { scheme: NAME, format: 'xmldsig', data: xml, ocsp };
  const { identity, path } = verifyBankidEvidence(bare, expected, trust);
  if (identity.ssn !== personalNumber) {
    throw new EidError('invalidResponse', 'BankID names a different person than the certificate');
  }
  if (requiresDocument === true && !hasReadDocument) {
    throw new EidError('assuranceTooLow', 'no passport or identity card was read');
  }
  const certificates = path.map((der) => Buffer.from(der).toString('base64'));
  return {
    status: 'complete',
    identity: { ...identity, assurance },
    evidence: { ...bare, certificates, ...(purpose === 'auth' ? { asked: { nonce, text } } : {}) },
    ...(purpose === 'sign' ? { signature: { delivery: 'evidence' } } : {}),
  };
}

/** A final error becomes a poll result; a temporary one is thrown or leads to a longer interval. */
function failed(error: unknown): EidPoll {
  if (error instanceof BankidBusy) {
    return { status: 'pending', hint: 'tooManyRequests', pollingMs: error.waitMs };
  }
  return failedBy(error);
}
