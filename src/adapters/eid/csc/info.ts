import { type EidEnvironment, EidError } from '../../../app/ports/index.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { responseFault } from '../provider-answer.ts';
import type { CscClient, CscInfo } from './client.types.ts';
import {
  asMembers,
  listOf,
  type Members,
  memberOf,
  requireText,
  textOf,
  textsOf,
} from './members.ts';
import type { CscSettings } from './options.ts';
import { callMethod } from './requests.ts';

/** Returns a factory of clients for one provider, which share a cache. */
export function clientOpener(settings: CscSettings): (environment: EidEnvironment) => CscClient {
  let known: { readonly info: CscInfo; readonly untilMs: number } | undefined;
  return (environment) => {
    const client: CscClient = {
      settings,
      environment,
      async readInfo() {
        const nowMs = environment.now();
        const leftMs = (known?.untilMs ?? nowMs) - nowMs;
        // More time than that can only remain if the clock was set back.
        if (known !== undefined && leftMs > 0 && leftMs <= settings.infoMs) return known.info;
        const info = parseInfo(await callMethod(client, 'info', {}), settings);
        known = { info, untilMs: nowMs + settings.infoMs };
        return info;
      },
    };
    return client;
  };
}

/** @throws EidError `internalError` if the provider does not offer the method */
export function requireMethod(info: CscInfo, method: string): void {
  if (info.methods.has(method)) return;
  throw new EidError('internalError', `the provider does not offer ${method}`);
}

/** @spec CSC API §11.1 */
function parseInfo(members: Members, settings: CscSettings): CscInfo {
  const methods = textsOf(members, 'methods');
  if (methods === undefined) throw responseFault('info: member methods is missing');
  const server = serverOf(members);
  return {
    specs: requireText(members, 'specs'),
    methods: new Set(methods),
    authorizationServer: requireServer(settings.authorizationServer ?? server.base, settings),
    hasDetails: server.hasDetails,
    isAsynchronous: isSet(memberOf(members, 'asynchronousOperationMode')),
  };
}

/** The first server that issues authorization codes: version 2.2 lists servers, 2.0 has one. */
function serverOf(members: Members): { base: string | undefined; hasDetails: boolean } {
  const servers = listOf(members, 'oauth2Servers')?.map((value) => asMembers(value, 'a server'));
  const usable = servers?.find(
    (server) =>
      memberOf(server, 'baseUri') !== undefined &&
      textsOf(server, 'authType')?.includes('oauth2code') === true,
  );
  const chosen = usable ?? members;
  return {
    base: textOf(chosen, usable === undefined ? 'oauth2' : 'baseUri'),
    hasDetails: isSet(memberOf(chosen, 'supportsRar')),
  };
}

/** The server receives secrets, so plain HTTP is rejected unless the provider itself uses it. */
function requireServer(base: string | undefined, { url }: CscSettings): string {
  if (base === undefined || !isUrl(base)) {
    const what = 'info states no base of an authorization server';
    throw new EidError('internalError', `${what}: set option authorizationServer`);
  }
  const { protocol } = new URL(base);
  if (protocol === 'https:' || (protocol === 'http:' && url.startsWith('http:'))) {
    return base.replace(/\/+$/, '');
  }
  throw responseFault('info: expected an authorization server with https');
}

function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1';
}
