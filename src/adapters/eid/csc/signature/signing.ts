import type { EidPoll, EidSignature } from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { parseCertificate } from '../../../../formats/x509/index.ts';
import { base64Of, responseFault } from '../../provider-answer.ts';
import type { CscClient } from '../client.types.ts';
import { decodeBase64, type Members, textOf, textsOf } from '../members.ts';
import type { CscSettings } from '../options.ts';
import { personOf } from '../person.ts';
import { callMethod, tryMethod } from '../requests.ts';
import {
  bytesOf,
  type CscState,
  type OrderedState,
  type OrderState,
  stateOf,
} from '../session-state.ts';
import { requireCms, requireSignature } from './check-signature.ts';
import { algorithmOf } from './signature-choice.ts';

/**
 * While a signature is being created, signPolling responds with an error with this description.
 *
 * @spec CSC API §11.15
 */
const NOT_COMPLETED = /processing has not yet been completed/i;
const MOST_RESPONSE_ID = 1_024;

/** Requests the signature of an authorised session. @throws EidError */
export async function requestSignature(client: CscClient, state: OrderedState): Promise<EidPoll> {
  const { settings } = client;
  const { order } = state;
  const isRaw = settings.delivery === 'raw';
  const method = isRaw ? 'signatures/signHash' : 'signatures/signDoc';
  const body = {
    credentialID: order.credentialId,
    ...defined({ SAD: state.sad }),
    ...(isRaw ? hashPart(order) : documentPart(order, settings)),
    operationMode: settings.operationMode,
  };
  const answer = await callMethod(client, method, body, state.token);
  return conclude(client.settings, state, answer);
}

/** @spec CSC API §11.13 */
function hashPart({ digest, choice }: OrderState): Members {
  const { hashAlgorithmOID, signAlgo, signAlgoParams } = choice;
  return { hashes: [digest], hashAlgorithmOID, signAlgo, ...defined({ signAlgoParams }) };
}

/** @spec CSC API §11.14 */
function documentPart(order: OrderState, { conformanceLevel }: CscSettings): Members {
  const form = { signature_format: 'P', conformance_level: conformanceLevel };
  return { documentDigests: [{ ...hashPart(order), ...form }], returnValidationInfo: false };
}

/** Polls for an asynchronous signature. @throws EidError @spec CSC API §11.15 */
export async function pollSignature(client: CscClient, state: OrderedState): Promise<EidPoll> {
  const body = { [client.settings.pollingMember]: state.responseId };
  const method = 'signatures/signPolling';
  const outcome = await tryMethod(client, method, body, state.token);
  if (outcome.isOk) return conclude(client.settings, state, outcome.members);
  if (NOT_COMPLETED.test(outcome.description)) {
    return { status: 'pending', hint: 'outstandingTransaction' };
  }
  throw outcome.error;
}

function conclude(settings: CscSettings, state: OrderedState, answer: Members): EidPoll {
  const isRaw = settings.delivery === 'raw';
  const values = textsOf(answer, isRaw ? 'signatures' : 'SignatureObject');
  const responseId = textOf(answer, 'responseID');
  if (values === undefined && responseId !== undefined && settings.operationMode === 'A') {
    return awaited(state, responseId);
  }
  const [value, second] = values ?? [];
  if (value === undefined || second !== undefined) {
    throw responseFault('the response does not have exactly one signature');
  }
  return complete(settings, state, decodeBase64(value, 'the signature'));
}

function awaited(state: CscState, responseId: string): EidPoll {
  if (state.phase === 'polling' || responseId === '' || responseId.length > MOST_RESPONSE_ID) {
    throw responseFault('member responseID is not expected, or malformed');
  }
  const next = stateOf({ ...state, phase: 'polling', responseId });
  return { status: 'pending', hint: 'outstandingTransaction', state: next };
}

/** Verifies the signature and completes the session. */
function complete(settings: CscSettings, state: OrderedState, value: Uint8Array): EidPoll {
  const { loginHint, order } = state;
  const certificates = order.certificates.map(bytesOf);
  const certificate = parseCertificate(certificates[0] as Uint8Array);
  const identity = personOf(certificate, order.credentialId, loginHint, settings);
  const shown = { scheme: settings.name, certificates: order.certificates };
  if (settings.delivery === 'cms') {
    requireCms(value, order.choice, certificate, bytesOf(order.digest));
    const signature: EidSignature = { delivery: 'cms', cms: value };
    const evidence = { ...shown, format: 'cms', data: base64Of(value) } as const;
    return { status: 'complete', identity, evidence, signature };
  }
  const message = order.signedBytes ?? '';
  const checked = requireSignature(value, order.choice, certificate, bytesOf(message));
  const evidence = { ...shown, format: 'raw-signature', data: base64Of(checked), message } as const;
  const algorithm = algorithmOf(order.choice);
  const signature: EidSignature = { delivery: 'raw', value: checked, algorithm, certificates };
  return { status: 'complete', identity, evidence, signature };
}
