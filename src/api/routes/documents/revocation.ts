import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';
import type { TrustService } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { routesOf } from '../routes-of.ts';

/** Requests are a hundred bytes; longer ones carry an extension or are no request. */
export const TRUST_REQUEST_BYTES_MAX = 64 * 1024;

const add = routesOf({ base: 'root', tag: 'Development trust', access: 'open' });
const query = 'application/ocsp-request';
const reply = 'application/ocsp-response';
const answers = { 200: { description: 'OCSPResponse, signed or an error.', types: [reply] } };

/** Adds what is asked about certificates of the development trust: OCSP, CRLs, issuers. */
export function registerRevocation(app: ApiApp, trust: TrustService): void {
  add(app, 'POST', '/ocsp', {
    summary: 'Status of a test certificate (RFC 6960); not available in production',
    rawTypes: [query, 'application/octet-stream'],
    bodyBytesMax: TRUST_REQUEST_BYTES_MAX,
    answers,
    handle: async ({ body, reply: response }) =>
      send(response, reply, await trust.ocsp(requireBytes(body, query))),
  });
  add(app, 'GET', '/ocsp/{Request}', {
    summary: 'Status of a test certificate, with the request in the path as base64',
    params: Type.Object({ Request: Type.String({ description: 'OCSPRequest in base64.' }) }),
    answers,
    handle: async ({ params, reply: response }) =>
      send(response, reply, await trust.ocsp(Buffer.from(params.Request, 'base64'))),
  });
  registerFiles(app, trust);
}

function registerFiles(app: ApiApp, trust: TrustService): void {
  const params = Type.Object({
    Name: Type.String({ description: '`root` or `ca`, with or without its ending.' }),
  });
  const files = [
    ['/crl/{Name}', 'CRL of a test issuer', 'application/pkix-crl', trust.crl],
    ['/issuer/{Name}', 'Certificate of a test issuer', 'application/pkix-cert', trust.certificate],
  ] as const;
  for (const [path, summary, type, find] of files) {
    add(app, 'GET', path, {
      summary,
      params,
      answers: { 200: { description: 'DER.', types: [type] } },
      errors: ['route.not_found'],
      handle: async ({ params: { Name }, reply: response }) => {
        const found = await find(Name.replace(/\.(crl|cer|crt)$/i, ''));
        if (found === undefined)
          throw new InnsigliError('route.not_found', 'there is no such issuer');
        return send(response, type, found);
      },
    });
  }
}

function send(response: FastifyReply, type: string, der: Uint8Array): FastifyReply {
  return response.type(type).send(Buffer.from(der));
}

/** The bytes of a body. @throws request.media.unsupported when there are none */
export function requireBytes(body: unknown, type: string): Uint8Array {
  if (Buffer.isBuffer(body)) return body;
  throw new InnsigliError('request.media.unsupported', `expected Content-Type ${type}`);
}
