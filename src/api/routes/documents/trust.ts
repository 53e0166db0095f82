import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';
import type { TrustService } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { routesOf } from '../routes-of.ts';

/** Requests take about a hundred bytes; longer ones carry an extension or are not requests. */
const REQUEST_BYTES_MAX = 64 * 1024;

const add = routesOf({ base: 'root', tag: 'Development trust', access: 'open' });
const query = 'application/ocsp-request';
const reply = 'application/ocsp-response';
const answers = { 200: { description: 'OCSPResponse, signed or an error.', types: [reply] } };

/** Adds the development trust's routes, if there is one: time-stamps, OCSP, CRLs and issuers. */
export function registerTrust(app: ApiApp, trust: TrustService | undefined): void {
  if (trust === undefined) return;
  add(app, 'POST', '/ocsp', {
    summary: 'Status of a test certificate (RFC 6960); not available in production',
    rawTypes: [query, 'application/octet-stream'],
    bodyBytesMax: REQUEST_BYTES_MAX,
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
  add(app, 'POST', '/tsa', {
    summary: 'A test time-stamp (RFC 3161); not available in production',
    rawTypes: ['application/timestamp-query', 'application/octet-stream'],
    bodyBytesMax: REQUEST_BYTES_MAX,
    answers: {
      200: {
        description: 'TimeStampResp with the token or a failure.',
        types: ['application/timestamp-reply'],
      },
    },
    handle: async ({ body, reply: response }) => {
      const answer = await trust.timestamp(requireBytes(body, 'application/timestamp-query'));
      return send(response, 'application/timestamp-reply', answer);
    },
  });
}

function registerFiles(app: ApiApp, trust: TrustService): void {
  const params = Type.Object({
    Name: Type.String({ description: '`root` or `ca`, with or without its extension.' }),
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
          throw new InnsigliError('route.not_found', 'the issuer does not exist');
        return send(response, type, found);
      },
    });
  }
}

function send(response: FastifyReply, type: string, der: Uint8Array): FastifyReply {
  return response.type(type).send(Buffer.from(der));
}

function requireBytes(body: unknown, type: string): Uint8Array {
  if (Buffer.isBuffer(body)) return body;
  throw new InnsigliError('request.media.unsupported', `expected Content-Type ${type}`);
}
