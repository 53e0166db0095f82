import {
  type IdentityService,
  identityOperations,
  type SigningScheme,
} from '../../../app/auth/index.ts';
import type { QualifiedAnswer } from '../../../app/signing/index.ts';
import { defined } from '../../../base/defined.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { documentStatus, signingStatus, signingStatusParams } from '../../schemas/index.ts';
import { showSignee } from '../../shapes/index.ts';
import { accessErrors, placeIn } from '../params.ts';
import { routesOf } from '../routes-of.ts';
import { permitted } from './signing.ts';

const add = routesOf({ tag: 'Signing', access: 'process' });
const path = '/signing/status/processkey/{ProcessKey}/signeekey/{SigneeKey}';
const errors = [...accessErrors, ...identityOperations.pollSigning.errors] as const;

const words = { waiting: 'Pending', signed: 'Signed', failed: 'Failed' } as const;

/** Adds the routes that report the status of signatures. */
export function registerSigningStatus(app: ApiApp, { identity }: ApiPorts): void {
  registerForeignStatus(app, identity, 'eid-se');
  registerForeignStatus(app, identity, 'eid-dk');
  add(app, 'GET', `${path}/token/{Token}`, {
    restsOn: 'signee',
    summary: 'Get the status of a signature, with the signed document',
    description: 'For every signing method. `status` is Pending, Signed or Failed.',
    params: signingStatusParams,
    answers: { 200: { description: 'The status of the login.', schema: documentStatus } },
    errors: [...errors, 'process.file.not_found'],
    handle: async ({ params, request, reply }) => {
      const { place } = await permitted(app, { request, reply }, placeIn(params));
      const answer = await identity.pollSigning(place, params.Token);
      const shown = { status: words[answer.state], signed: answer.state === 'signed' };
      const statusMessage = messageOf(answer);
      if (answer.state !== 'signed') return { ...shown, statusMessage, ...promptOf(answer) };
      const { process } = answer;
      const { fileName, companyKey, document } = process;
      const facts = { companyKey, lengthBytes: document?.lengthBytes ?? 0 };
      const open = () => identity.content(process);
      const download = await app.openDownload(request, reply, facts, open);
      const digest = Buffer.from(document?.sha256 ?? '', 'hex').toString('base64');
      const shape = { ...shown, statusMessage, document: { content: '', digest, fileName } };
      const text = JSON.stringify(shape);
      // Quotes inside texts are escaped, so this matches the member itself.
      const at = text.indexOf('"content":""') + '"content":"'.length;
      return download.sendBase64(text.slice(0, at), text.slice(at));
    },
  });
}

function registerForeignStatus(
  app: ApiApp,
  identity: IdentityService,
  scheme: SigningScheme,
): void {
  add(app, 'GET', `${path}/${scheme}/token/{Token}`, {
    restsOn: scheme,
    summary: `Get the status of a signature with ${scheme}`,
    description: '`status` is Pending, Signed or Failed; `hintCode` is the code of the provider.',
    params: signingStatusParams,
    answers: { 200: { description: 'The status of the login.', schema: signingStatus } },
    errors,
    handle: async ({ params, request, reply }) => {
      const { place } = await permitted(app, { request, reply }, placeIn(params));
      const answer = await identity.pollSigning(place, params.Token, scheme);
      return defined({
        status: words[answer.state],
        hintCode: answer.state === 'failed' ? answer.hint : undefined,
        statusMessage: messageOf(answer),
        ...promptOf(answer),
        signee: signeeOf(answer, place.signeeKey, identity.frontEnd),
      });
    },
  });
}

function promptOf(answer: QualifiedAnswer): object {
  if (answer.state !== 'waiting') return {};
  const { verificationCode, autoStartToken, qrData, redirectUrl } = answer;
  return defined({ verificationCode, autoStartToken, qrData, redirectUrl });
}

function signeeOf(answer: QualifiedAnswer, key: string, frontEnd: string): object | undefined {
  if (answer.state !== 'signed') return undefined;
  const { process } = answer;
  const signee = process.signees.find((each) => each.key === key);
  return signee && showSignee(process, signee, frontEnd);
}

function messageOf(answer: QualifiedAnswer): string {
  if (answer.state === 'failed') return `the signature failed: ${answer.hint}`;
  return answer.state === 'signed' ? 'ok' : 'waiting for the person';
}
