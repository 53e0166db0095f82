import type { FastifyRequest } from 'fastify';
import type { TokenPlace } from '../../../app/auth/index.ts';
import type { CompanyService } from '../../../app/company-service.ts';
import type { SequenceView } from '../../../app/process/index.ts';
import { notFoundError } from '../../../app/required.ts';
import { InnsigliError, onCode } from '../../../base/errors.ts';
import {
  linkViewer,
  seesAll,
  seesAllButKeys,
  sequenceLinkViewer,
  type Viewer,
} from '../../../domain/access.ts';
import { findPerson } from '../../../domain/auth/index.ts';
import type { Signee, SigningProcess } from '../../../domain/process/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { readCredentials, refused } from './credentials.ts';

/** Caller with access to a process, and the signee they act for. */
export interface ProcessAccess {
  readonly company: CompanyService;
  readonly process: SigningProcess;
  /** Present if the request names a signee key. */
  readonly signee?: Signee;
  /** Kind of caller: the company with its key, a signee with a token, or anyone with the keys. */
  readonly by: Caller['by'];
  /** Viewer that determines the visible part of the process. */
  readonly viewer: Viewer;
}

interface SequenceAccess {
  readonly company: CompanyService;
  readonly view: SequenceView;
  readonly viewer: Viewer;
}

type Caller =
  | { readonly by: 'keys' }
  /** `signs`: the key may sign. */
  | { readonly by: 'company'; readonly signs: boolean }
  /** `key`: key of the signee or person that the token belongs to. */
  | { readonly by: 'token'; readonly key: string };

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Applies the access rules for calls without company credentials. A process that requires a
     * login, and a signee protected by a passcode, are accessible to the company and with tokens. A
     * token gives access to its own signee only, unless links are open.
     *
     * @throws process.not_found, error.signee.not_found, authentication.credentials.invalid,
     *   authentication.token.invalid, authentication.token.scope.invalid, request.throttled
     */
    requireProcess(
      request: FastifyRequest,
      place: { readonly processKey: string; readonly signeeKey?: string | undefined },
    ): Promise<ProcessAccess>;
    /** As {@link requireProcess}, for a sequence and a person of it. @throws as requireProcess */
    requireSequence(
      request: FastifyRequest,
      sequenceKey: string,
      personKey?: string,
    ): Promise<SequenceAccess>;
  }
}

/** Adds the access checks of routes that are not for companies alone. */
export function addPlaces(app: ApiApp, ports: ApiPorts): void {
  app.decorate('requireProcess', (request, place) => requireProcess(app, ports, request, place));
  app.decorate('requireSequence', (request, key, personKey) =>
    requireSequence(app, ports, request, key, personKey),
  );
}

async function requireProcess(
  app: ApiApp,
  ports: ApiPorts,
  request: FastifyRequest,
  place: Parameters<ApiApp['requireProcess']>[1],
): Promise<ProcessAccess> {
  const { processKey, signeeKey } = place;
  const company = await ports.companyOfProcess(processKey);
  const process = await company.processes.show({ key: processKey });
  const { requiresAuth } = process;
  const caller = await callerAt(app, ports, request, {
    company,
    at: { processKey, ...(signeeKey === undefined ? {} : { signeeKey }) },
    isClosed: requiresAuth || (await ports.identity.asksPasscode(process, signeeKey)),
    isOpen: linkViewer(process) === seesAll,
  });
  const viewer = viewerOf(caller, signeeKey, (key) => linkViewer(process, key));
  const access = { company, process, by: caller.by, viewer };
  if (signeeKey === undefined) return access;
  const signee = process.signees.find(({ key }) => key === signeeKey);
  if (signee !== undefined) return { ...access, signee };
  if (requiresAuth) throw notFoundError('process', processKey);
  throw new InnsigliError('error.signee.not_found', `process ${process.key} has no such signee`);
}

async function requireSequence(
  app: ApiApp,
  ports: ApiPorts,
  request: FastifyRequest,
  sequenceKey: string,
  personKey?: string,
): Promise<SequenceAccess> {
  const company = await ports.companyOfSequence(sequenceKey);
  const view = await company.processes.showSequence({ key: sequenceKey });
  const { sequence, processes } = view;
  const person = personKey === undefined ? undefined : findPerson(sequence, personKey);
  const asksLogin = sequence.requiresAuth || processes.some(({ requiresAuth }) => requiresAuth);
  const caller = await callerAt(app, ports, request, {
    company,
    at: { sequenceKey, ...(personKey === undefined ? {} : { personKey }) },
    isClosed: asksLogin || person?.passcodeHash !== undefined,
    isOpen: sequenceLinkViewer(processes) === seesAll,
  });
  if (personKey !== undefined && person === undefined) {
    throw new InnsigliError('error.signee.not_found', 'the sequence has no such signee');
  }
  return {
    company,
    view,
    viewer: viewerOf(caller, personKey, (key) => sequenceLinkViewer(processes, key)),
  };
}

function viewerOf(
  caller: Caller,
  asked: string | undefined,
  byLink: (key: string | undefined) => Viewer,
): Viewer {
  if (caller.by === 'company') return caller.signs ? seesAll : seesAllButKeys;
  return byLink(caller.by === 'token' ? caller.key : asked);
}

interface Gate {
  readonly company: CompanyService;
  readonly at: TokenPlace;
  /** Keys alone do not give access. */
  readonly isClosed: boolean;
  /** Any key gives access to everything. */
  readonly isOpen: boolean;
}

async function callerAt(
  app: ApiApp,
  { identity }: ApiPorts,
  request: FastifyRequest,
  gate: Gate,
): Promise<Caller> {
  const { at, isClosed, isOpen } = gate;
  const [what, key] =
    'sequenceKey' in at
      ? (['sequence', at.sequenceKey] as const)
      : (['process', at.processKey] as const);
  const credentials = readCredentials(request);
  if (credentials.kind === 'none') {
    if (isClosed) throw refused(`the ${what} needs credentials or a token`);
    return { by: 'keys' };
  }
  if (credentials.kind === 'basic') {
    const isOwn = await isOfCompany(app, request, gate);
    if (isOwn) return { by: 'company', signs: await app.maySign(request) };
    if (!isClosed) return { by: 'keys' };
    throw notFoundError(what, key);
  }
  const verdict = await identity.check(credentials.token, at);
  if (verdict.state === 'valid') return { by: 'token', key: verdict.key };
  if (verdict.state === 'unknown' && isClosed) {
    throw new InnsigliError('authentication.token.invalid', 'the token is unknown or has expired');
  }
  if (verdict.state === 'unknown' || (isOpen && !isClosed)) return { by: 'keys' };
  throw new InnsigliError(
    'authentication.token.scope.invalid',
    'the token was issued for a different resource',
  );
}

// If the keys alone give access, invalid credentials count as none.
async function isOfCompany(
  app: ApiApp,
  request: FastifyRequest,
  { company, isClosed }: Gate,
): Promise<boolean> {
  const caller = app.requireCompany(request);
  const known = isClosed ? caller : caller.catch(onCode('authentication.credentials.invalid'));
  return (await known)?.company.key === company.company.key;
}
