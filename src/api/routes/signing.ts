import type { FastifyRequest } from 'fastify';
import type { IdentityToolkit, SigningScheme } from '../../app/auth/index.ts';
import type { ApiPorts } from '../ports.ts';
import { type ApiApp, addRoute } from '../route.ts';
import {
  confirmBody,
  emptyBody,
  startedSigning,
  startForeignBody,
  startQualifiedBody,
} from '../schemas/index.ts';
import { circumstancesOf, present } from '../shapes/index.ts';
import { choiceOf } from './auth.ts';
import { accessErrors, requireSameSignee, signeeParams } from './params.ts';

const tag = 'Signing';
const path = '/signing/sign/{ProcessKey}/signee/{SigneeKey}';
/** Seconds between questions about signatures that no provider is asked for. */
const INTERVAL_SECONDS = 2;

/** Codes with which a signature can be refused. */
export const signingErrors = [
  ...accessErrors,
  'error.signee.not_found',
  'signing.forbidden.inactive',
  'signing.forbidden.canceled',
  'signing.forbidden.expired',
  'signing.forbidden.blocked',
  'signing.forbidden.order',
  'signing.forbidden.type',
  'signing.forbidden.signee.signed',
  'signing.forbidden.verification.missing',
  '2002',
  'process.conflict',
] as const;

const answers = { 200: { description: 'The signature was started.', schema: startedSigning } };

interface SigneeParams {
  readonly ProcessKey: string;
  readonly SigneeKey: string;
}

/**
 * Where a request wants to sign; refused unless it may.
 *
 * @param body names the signee, if it does: the one of the path, and no other
 */
export async function permitted(
  app: ApiApp,
  request: FastifyRequest,
  params: SigneeParams,
  body: { readonly signeeKey?: string } = {},
) {
  const place = { processKey: params.ProcessKey, signeeKey: params.SigneeKey };
  const access = await app.requireProcess(request, place);
  requireSameSignee(access, body.signeeKey, place.signeeKey);
  return { place: { ...place, circumstances: circumstancesOf(request) }, access };
}

/** Adds the routes with which signees sign: SIM or app, foreign identity, code and click. */
export function registerSigning(app: ApiApp, { identity }: ApiPorts): void {
  addRoute(app, {
    method: 'POST',
    path,
    access: 'process',
    tag,
    summary: 'Start a signature by SIM or app (Qualified)',
    description:
      'Asks the person on their phone. With `token` the status route tells how it stands.',
    params: signeeParams,
    body: startQualifiedBody,
    answers,
    errors: [
      ...signingErrors,
      'authentication.error.idp.start',
      'authentication.error.signee.logon.mismatch',
      'authentication.start.too_frequent',
    ],
    handle: async ({ params, body, request }) => {
      const { place } = await permitted(app, request, params, body);
      return showStart(await identity.startQualified(place, choiceOf(body)));
    },
  });
  registerForeign(app, identity, 'eid-se');
  registerForeign(app, identity, 'eid-dk');
  registerCode(app, identity);
  addRoute(app, {
    method: 'POST',
    path: `${path}/click`,
    access: 'process',
    tag,
    summary: 'Sign by a click (ClickToSign)',
    description: 'It is signed with the answer; the status route has the document.',
    params: signeeParams,
    body: emptyBody,
    bodyOptional: true,
    answers: { 200: { description: 'It is signed.', schema: startedSigning } },
    errors: signingErrors,
    handle: async ({ params, body, request }) => {
      const { place } = await permitted(app, request, params, body);
      return { token: await identity.click(place), pollingInterval: INTERVAL_SECONDS };
    },
  });
}

function registerForeign(app: ApiApp, identity: IdentityToolkit, scheme: SigningScheme): void {
  addRoute(app, {
    method: 'POST',
    path: `${path}/${scheme}`,
    access: 'process',
    tag,
    summary: `Start a signature with ${scheme} (Qualified)`,
    description: 'Open the app or page of the provider; the status route tells how it stands.',
    params: signeeParams,
    body: startForeignBody,
    bodyOptional: true,
    answers,
    errors: [...signingErrors, 'eid.provider.error', 'authentication.start.too_frequent'],
    handle: async ({ params, body, request }) => {
      const { place } = await permitted(app, request, params, body);
      const { signeeKey: _own, ...back } = body;
      return showStart(await identity.startForeign(scheme, place, back));
    },
  });
}

function registerCode(app: ApiApp, identity: IdentityToolkit): void {
  addRoute(app, {
    method: 'POST',
    path: `${path}/otp`,
    access: 'process',
    tag,
    summary: 'Send a one-time code (Simple)',
    description: 'To the phone of the signee. It is confirmed with the `token` of the answer.',
    params: signeeParams,
    body: emptyBody,
    bodyOptional: true,
    answers,
    errors: [...signingErrors, 'process.state.refused'],
    handle: async ({ params, body, request }) => {
      const { place } = await permitted(app, request, params, body);
      return showCode(await identity.startCode(place));
    },
  });
  addRoute(app, {
    method: 'POST',
    path: `${path}/otp/confirm`,
    access: 'process',
    tag,
    summary: 'Sign with a one-time code (Simple)',
    params: signeeParams,
    body: confirmBody,
    answers: { 200: { description: 'It is signed.', schema: startedSigning } },
    errors: [...signingErrors, '1120', '1121', '1122'],
    handle: async ({ params, body, request }) => {
      const { place } = await permitted(app, request, params, body);
      await identity.confirmCode(place, body.token, body.code);
      return showCode(body);
    },
  });
}

function showCode({ token }: { readonly token: string }): object {
  return { token, pollingInterval: INTERVAL_SECONDS };
}

function showStart(started: Awaited<ReturnType<IdentityToolkit['startQualified']>>): object {
  const { verificationCode } = started;
  return present({
    token: started.token,
    pollingInterval: started.pollingIntervalSeconds,
    verificationCode: verificationCode === '' ? undefined : verificationCode,
    autoStartToken: started.autoStartToken,
    qrData: started.qrData,
    redirectUrl: started.redirectUrl,
  });
}
