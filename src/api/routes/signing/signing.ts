import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdentityService, identityOperations } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import type { ErrorCode } from '../../../base/errors.ts';
import { asKey } from '../../../domain/keys.ts';
import { readCredentials } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import { type ApiApp, addRoute, type RouteSpec } from '../../route.ts';
import {
  confirmBody,
  emptyBody,
  startedSigning,
  startForeignBody,
  startQualifiedBody,
} from '../../schemas/index.ts';
import { circumstancesOf } from '../../shapes/index.ts';
import { accessErrors, placeIn, requireSameSignee, signeeParams } from '../params.ts';
import { choiceOf } from './auth.ts';

const tag = 'Signing';
const path = '/signing/sign/{ProcessKey}/signee/{SigneeKey}';
/** Polling interval in seconds of signatures that involve no provider. */
const INTERVAL_SECONDS = 2;

const started = { 200: { description: 'The signature was started.', schema: startedSigning } };
const signed = { 200: { description: 'The document is signed.', schema: startedSigning } };

/**
 * Checks that a request may sign for this signee. A token is passed on to the signature.
 *
 * @param body if it names a signee, it must be the same one
 */
export async function permitted(
  app: ApiApp,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  place: { readonly processKey: string; readonly signeeKey: string },
  body: { readonly signeeKey?: string } = {},
) {
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

/** Adds the routes with which signees sign: SIM or app, foreign e-ID, code and click. */
export function registerSigning(app: ApiApp, { identity }: ApiPorts): void {
  const { startQualified, startForeign, sendCode, signByCode, signByClick } = identityOperations;
  addSigneeRoute(app, {
    path,
    restsOn: 'sim-app',
    summary: 'Start a signature by SIM or app (Qualified)',
    description: 'Asks the person on their phone. Poll the status route with `token`.',
    body: startQualifiedBody,
    errors: startQualified.errors,
    act: async (place, body) => showStart(await identity.startQualified(place, choiceOf(body))),
  });
  for (const scheme of ['eid-se', 'eid-dk'] as const) {
    addSigneeRoute(app, {
      path: `${path}/${scheme}`,
      restsOn: scheme,
      summary: `Start a signature with ${scheme} (Qualified)`,
      description: 'Open the app or page of the provider, and poll the status route.',
      body: startForeignBody,
      bodyOptional: true,
      errors: startForeign.errors,
      act: async (place, { signeeKey: _own, ...back }) =>
        showStart(await identity.startForeign(place, scheme, back)),
    });
  }
  addSigneeRoute(app, {
    path: `${path}/otp`,
    restsOn: 'signee',
    summary: 'Send a one-time code (Simple)',
    description: 'Sent to the phone of the signee. Confirm it with the `token` of the response.',
    body: emptyBody,
    bodyOptional: true,
    errors: sendCode.errors,
    act: async (place) => showCode(await identity.sendCode(place)),
  });
  addSigneeRoute(app, {
    path: `${path}/otp/confirm`,
    restsOn: 'signee',
    summary: 'Sign with a one-time code (Simple)',
    body: confirmBody,
    answers: signed,
    errors: signByCode.errors,
    async act(place, body) {
      await identity.signByCode(place, body.token, body.code);
      return showCode(body);
    },
  });
  addSigneeRoute(app, {
    path: `${path}/click`,
    restsOn: 'signee',
    summary: 'Sign by a click (ClickToSign)',
    description:
      'The document is signed when the response arrives; the status route has the document.',
    body: emptyBody,
    bodyOptional: true,
    answers: signed,
    errors: signByClick.errors,
    act: async (place) => showCode({ token: await identity.signByClick(place) }),
  });
}

type SigneePlace = Awaited<ReturnType<typeof permitted>>['place'];

/** Adds a route on which a signee acts after the access check. */
function addSigneeRoute<B extends TSchema>(
  app: ApiApp,
  {
    errors,
    act,
    ...spec
  }: Pick<
    RouteSpec<typeof signeeParams, TSchema, B>,
    'path' | 'restsOn' | 'summary' | 'description' | 'body' | 'bodyOptional'
  > & {
    /** Default: those of a started signature. */
    readonly answers?: typeof started;
    readonly errors: readonly ErrorCode[];
    act(place: SigneePlace, body: Static<B>): Promise<object>;
  },
): void {
  addRoute(app, {
    method: 'POST',
    access: 'process',
    tag,
    params: signeeParams,
    answers: started,
    ...spec,
    errors: [...accessErrors, ...errors],
    handle: async (call) => {
      const { place } = await permitted(app, call, placeIn(call.params), call.body as object);
      return act(place, call.body);
    },
  });
}

function showCode({ token }: { readonly token: string }): object {
  return { token, pollingInterval: INTERVAL_SECONDS };
}

function showStart(started: Awaited<ReturnType<IdentityService['startQualified']>>): object {
  const { token, verificationCode, autoStartToken, qrData, redirectUrl } = started;
  return defined({
    ...{ token, pollingInterval: started.pollingIntervalSeconds },
    verificationCode: verificationCode === '' ? undefined : verificationCode,
    ...{ autoStartToken, qrData, redirectUrl },
  });
}
