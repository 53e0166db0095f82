import {
  type IdentityService,
  identityOperations,
  type SigningScheme,
} from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import { asKey } from '../../../domain/keys.ts';
import { readCredentials } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import { type ApiApp, type ApiCall, addRoute } from '../../route.ts';
import {
  confirmBody,
  emptyBody,
  startedSigning,
  startForeignBody,
  startQualifiedBody,
} from '../../schemas/index.ts';
import { circumstancesOf } from '../../shapes/index.ts';
import { accessErrors, requireSameSignee, signeeParams } from '../params.ts';
import { choiceOf } from './auth.ts';

const tag = 'Signing';
const path = '/signing/sign/{ProcessKey}/signee/{SigneeKey}';
/** Seconds between questions about signatures that no provider is asked for. */
const INTERVAL_SECONDS = 2;

const answers = { 200: { description: 'The signature was started.', schema: startedSigning } };

type SigneeCall = ApiCall<
  { readonly ProcessKey: string; readonly SigneeKey: string },
  unknown,
  unknown
>;

/**
 * Where a request wants to sign; refused unless it may. A token goes with it to the signature.
 *
 * @param body names the signee, if it does: the one of the path, and no other
 */
export async function permitted(
  app: ApiApp,
  { request, reply, params }: Pick<SigneeCall, 'request' | 'reply' | 'params'>,
  body: { readonly signeeKey?: string } = {},
) {
  const place = { processKey: params.ProcessKey, signeeKey: params.SigneeKey };
  const access = await app.requireProcess(request, place);
  requireSameSignee(access, body.signeeKey, place.signeeKey);
  app.markSimulated(reply, undefined, access.signee);
  const credentials = readCredentials(request);
  const isTokens = access.by === 'token' && credentials.kind === 'token';
  const shown = isTokens ? { accessToken: credentials.token } : {};
  const circumstances = circumstancesOf(request);
  const { key } = access.company.company;
  const ours = access.by === 'company' ? { companyKey: asKey('company', key) } : {};
  return { place: { ...place, circumstances, ...shown, ...ours }, access };
}

/** Adds the routes with which signees sign: SIM or app, foreign identity, code and click. */
export function registerSigning(app: ApiApp, { identity }: ApiPorts): void {
  addRoute(app, {
    method: 'POST',
    path,
    restsOn: 'sim-app',
    access: 'process',
    tag,
    summary: 'Start a signature by SIM or app (Qualified)',
    description: 'Asks the person on their phone. Poll the status route with `token`.',
    params: signeeParams,
    body: startQualifiedBody,
    answers,
    errors: [...accessErrors, ...identityOperations.startQualified.errors],
    handle: async ({ params, body, request, reply }) => {
      const { place } = await permitted(app, { request, reply, params }, body);
      return showStart(await identity.startQualified(place, choiceOf(body)));
    },
  });
  registerForeign(app, identity, 'eid-se');
  registerForeign(app, identity, 'eid-dk');
  registerCode(app, identity);
  addRoute(app, {
    method: 'POST',
    path: `${path}/click`,
    restsOn: 'signee',
    access: 'process',
    tag,
    summary: 'Sign by a click (ClickToSign)',
    description:
      'The document is signed when the response arrives; the status route has the document.',
    params: signeeParams,
    body: emptyBody,
    bodyOptional: true,
    answers: { 200: { description: 'The document is signed.', schema: startedSigning } },
    errors: [...accessErrors, ...identityOperations.signByClick.errors],
    handle: async ({ params, body, request, reply }) => {
      const { place } = await permitted(app, { request, reply, params }, body);
      return { token: await identity.signByClick(place), pollingInterval: INTERVAL_SECONDS };
    },
  });
}

function registerForeign(app: ApiApp, identity: IdentityService, scheme: SigningScheme): void {
  addRoute(app, {
    method: 'POST',
    path: `${path}/${scheme}`,
    restsOn: scheme,
    access: 'process',
    tag,
    summary: `Start a signature with ${scheme} (Qualified)`,
    description: 'Open the app or page of the provider, and poll the status route.',
    params: signeeParams,
    body: startForeignBody,
    bodyOptional: true,
    answers,
    errors: [...accessErrors, ...identityOperations.startForeign.errors],
    handle: async ({ params, body, request, reply }) => {
      const { place } = await permitted(app, { request, reply, params }, body);
      const { signeeKey: _own, ...back } = body;
      return showStart(await identity.startForeign(place, scheme, back));
    },
  });
}

function registerCode(app: ApiApp, identity: IdentityService): void {
  addRoute(app, {
    method: 'POST',
    path: `${path}/otp`,
    restsOn: 'signee',
    access: 'process',
    tag,
    summary: 'Send a one-time code (Simple)',
    description: 'Sent to the phone of the signee. Confirm it with the `token` of the response.',
    params: signeeParams,
    body: emptyBody,
    bodyOptional: true,
    answers,
    errors: [...accessErrors, ...identityOperations.sendCode.errors],
    handle: async ({ params, body, request, reply }) => {
      const { place } = await permitted(app, { request, reply, params }, body);
      return showCode(await identity.sendCode(place));
    },
  });
  addRoute(app, {
    method: 'POST',
    path: `${path}/otp/confirm`,
    restsOn: 'signee',
    access: 'process',
    tag,
    summary: 'Sign with a one-time code (Simple)',
    params: signeeParams,
    body: confirmBody,
    answers: { 200: { description: 'The document is signed.', schema: startedSigning } },
    errors: [...accessErrors, ...identityOperations.signByCode.errors],
    handle: async ({ params, body, request, reply }) => {
      const { place } = await permitted(app, { request, reply, params }, body);
      await identity.signByCode(place, body.token, body.code);
      return showCode(body);
    },
  });
}

function showCode({ token }: { readonly token: string }): object {
  return { token, pollingInterval: INTERVAL_SECONDS };
}

function showStart(started: Awaited<ReturnType<IdentityService['startQualified']>>): object {
  const { verificationCode } = started;
  return defined({
    token: started.token,
    pollingInterval: started.pollingIntervalSeconds,
    verificationCode: verificationCode === '' ? undefined : verificationCode,
    autoStartToken: started.autoStartToken,
    qrData: started.qrData,
    redirectUrl: started.redirectUrl,
  });
}
