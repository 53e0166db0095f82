import { Type } from '@sinclair/typebox';
import type { DocumentText } from '../../../../app/ports/index.ts';
import { limits } from '../../../../base/limits.ts';
import { hasText, textScreen } from '../../../pages/index.ts';
import type { ApiPorts } from '../../../ports.ts';
import type { ApiApp } from '../../../route.ts';
import { circumstancesOf } from '../../../shapes/index.ts';
import { addPage, documentParams, linkQuery, linkRoute } from '../link-route.ts';
import { type DocumentPlace, refOf } from '../place.ts';
import { ofDocument, pageOf, type Visit } from '../visit.ts';

const page = { description: 'A page with the reason.', types: ['text/html'] };

/**
 * Adds the text of a document, page by page, for readers without scripts, after a form of the page
 * has recorded it as shown. Reading it records nothing.
 */
export function registerShownText(app: ApiApp, ports: ApiPorts): void {
  addPage(app, 'GET', '/s/{Key}/{PersonKey}/documents/{DocumentKey}/text', {
    ...linkRoute,
    params: documentParams,
    query: Type.Object(
      {
        ...linkQuery.properties,
        page: Type.Optional(
          Type.String({
            pattern: '^[0-9]{1,6}$',
            description:
              'A page of the document, shown with adjacent pages, ' +
              `${limits.textPages} at a time. Default: 1.`,
          }),
        ),
      },
      { additionalProperties: true },
    ),
    answers: { ...linkRoute.answers, 403: page, 422: page },
    errors: [
      ...(['process.not_found', 'error.signee.not_found'] as const),
      ...(['process.file.not_found', 'service.busy'] as const),
    ],
    summary: 'The text of the document shown to the signee',
    description:
      'A page without scripts, for the document that a form of the signing page has recorded as ' +
      'shown to this signee; reading it records nothing.',
    handle: (call) =>
      ofDocument(app, ports, call, async (visit, at) =>
        call.reply.send(await showText(visit, at, Number(call.query.page ?? 1))),
      ),
  });
}

async function showText(visit: Visit, at: DocumentPlace, number: number): Promise<string> {
  const { words, place, reply, request, ports } = visit;
  const { key, fileName } = at.process;
  const circumstances = circumstancesOf(request);
  const { sha256, open } = await place.company.signing.shown({ ...refOf(at), circumstances });
  const text = await ports.texts.read({ sha256, page: number, owner: at.signee.key, open });
  reply.header('cache-control', 'private, no-store');
  if (text === undefined) {
    reply.code(422);
    return pageOf(visit, words.textTitle, [], { alert: { text: words.textFailed } });
  }
  const first = text.pages[0]?.number ?? 1;
  const last = text.pages.at(-1)?.number ?? 1;
  const body = textScreen(words, {
    ...{ fileName, sha256, text, back: visit.self },
    ...(first > 1 ? { earlier: textAddress(visit, key, first - limits.textPages) } : {}),
    ...(last < text.pageCount ? { later: textAddress(visit, key, last + 1) } : {}),
  });
  return pageOf(visit, words.textTitle, [body], { keptQuery: { page: String(number) } });
}

/** Address of the text of a document, on this host. */
export function textAddress({ self }: Pick<Visit, 'self'>, key: string, page = 1): string {
  const [path, query] = self.split('?', 2);
  const all = new URLSearchParams(query);
  if (page > 1) all.set('page', String(page));
  const asked = all.size === 0 ? '' : `?${all.toString()}`;
  return `${path}/documents/${encodeURIComponent(key)}/text${asked}`;
}

/** Reads the document's present text. Undefined if it cannot be read; empty if it has none. */
export async function presentText(
  { ports, place }: Visit,
  { process, signee }: DocumentPlace,
): Promise<DocumentText | undefined> {
  const { document } = process;
  if (document === undefined) return undefined;
  const { sha256 } = document;
  const open = () => place.company.processes.openDocument(process);
  return ports.texts.read({ sha256, page: 1, owner: signee.key, open });
}

/** Reason why a text is not shown. Undefined if it is shown. */
export function textFault(text: DocumentText | undefined): 'textFailed' | 'textNone' | undefined {
  if (text === undefined) return 'textFailed';
  return hasText(text) ? undefined : 'textNone';
}
