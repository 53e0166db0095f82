import { Type } from '@sinclair/typebox';
import type { CompanyService } from '../../../app/company-service.ts';
import { sha256Of } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, onCode } from '../../../base/errors.ts';
import type { PageLook } from '../../pages/index.ts';
import { isUnclean } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { pathKey } from '../../schemas/index.ts';
import { routesOf } from '../routes-of.ts';

const DAY_SECONDS = 86_400;
/** Number of digest characters in an address, which changes with the content. */
const DIGEST_LENGTH = 16;

const add = routesOf({ base: 'root', access: 'open', tag: 'Pages of links' });
const common = {
  params: Type.Object({ FlowKey: pathKey('A flow.') }),
  query: Type.Object(
    { v: Type.Optional(Type.String({ maxLength: 40, description: 'Version, for caches.' })) },
    { additionalProperties: true },
  ),
} as const;

/** Adds a company's own assets: the style sheet of a flow, and the logo. */
export function registerCompanyLook(app: ApiApp, ports: ApiPorts): void {
  const companyOf = (flowKey: string): Promise<CompanyService> => {
    if (isUnclean(flowKey)) throw new InnsigliError('flow.not_found', 'no such flow');
    return ports.companyOfFlow(flowKey);
  };
  const kept = { 'cache-control': `public, max-age=${DAY_SECONDS}` };
  add(app, 'GET', '/s/styles/{FlowKey}', {
    ...common,
    errors: ['flow.not_found'],
    summary: 'The style sheet of a flow, for its pages',
    answers: { 200: { description: 'It loads no other resources.', types: ['text/css'] } },
    handle: async ({ params: { FlowKey }, reply }) => {
      const css = await (await companyOf(FlowKey)).flows.css(FlowKey);
      return reply.type('text/css; charset=utf-8').headers(kept).send(css);
    },
  });
  add(app, 'GET', '/s/logos/{FlowKey}', {
    ...common,
    errors: ['flow.not_found', 'route.not_found'],
    summary: 'The logo of the company of a flow, for its pages',
    answers: { 200: { description: 'The picture.', types: ['image/png', 'image/jpeg'] } },
    handle: async ({ params: { FlowKey }, reply }) => {
      const logo = await (await companyOf(FlowKey)).logo();
      if (logo === undefined) throw new InnsigliError('route.not_found', 'there is no logo');
      return reply.type(logo.contentType).headers(kept).send(Buffer.from(logo.content));
    },
  });
}

/** Returns the style and logo of a flow's pages; none for a flow that no longer exists. */
export async function lookOf(company: CompanyService, flowKey: string): Promise<PageLook> {
  const own = Promise.all([company.flows.css(flowKey), company.logo()]);
  const look = own.then(([css, logo]) => lookWith(flowKey, { css, logo }));
  return look.catch(onCode('flow.not_found', () => ({})));
}

/** The page look with a style sheet, which may be empty, and a logo, if any. */
export function lookWith(
  flowKey: string,
  {
    css,
    logo,
  }: { readonly css: string; readonly logo?: { readonly content: Uint8Array } | undefined },
): PageLook {
  const style = css === '' ? undefined : addressOf('styles', flowKey, css);
  const picture = logo && addressOf('logos', flowKey, logo.content);
  return defined({ style, logo: picture });
}

function addressOf(folder: string, flowKey: string, content: string | Uint8Array): string {
  const digest = sha256Of(content).slice(0, DIGEST_LENGTH);
  return `/s/${folder}/${encodeURIComponent(flowKey)}?v=${digest}`;
}
