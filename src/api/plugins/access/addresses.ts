/** First parts of paths that are published below `/api`; clients leave that out now and then. */
const areas = /^\/(management|signing|auth|pdf|watchlist|verify)(?=[/?]|$)/i;
/** Addresses of the front end that messages and webhooks name. */
const documentPage = /^\/(sp[0-9a-f]+)\/(si[0-9a-f]+)\.pdf$/i;
const attachmentPage = /^\/attachment\/([^/]+)\/([^/]+)\/([^/]+)$/i;
const endings = /^\/api\/(pdf|management\/flow\/css)\//i;

/** What a proxy puts in front of a path: requests may come so, and who is asked is clear. */
const origin = /^https?:\/\/[^/]*/i;

/**
 * The address of the route that `url` means: an origin in front is left out, slashes that come
 * twice count once, `/api` may be left out, and the downloads of the front end are those of the
 * interface.
 *
 * @spec RFC 9112 §3.2.2
 */
export function routeAddress(url: string): string {
  const at = url.indexOf('?');
  const target = at === -1 ? url : url.slice(0, at);
  const given = target.startsWith('/') ? target : target.replace(origin, '') || '/';
  const path = routePath(given.includes('//') ? given.replace(/\/{2,}/g, '/') : given);
  return at === -1 ? path : path + url.slice(at);
}

function routePath(path: string): string {
  // The router would take the whole server for its root.
  if (path === '*') return '/*';
  // The router compares the ending behind a key letter by letter.
  if (endings.test(path)) return path.replace(/\.(pdf|css)(?=\/?$)/i, (end) => end.toLowerCase());
  if (path.startsWith('/api/')) return path;
  if (areas.test(path)) return routePath(`/api${path}`);
  const [, processKey, signeeKey] = documentPage.exec(path) ?? [];
  if (signeeKey !== undefined) return `/api/pdf/${processKey}/${signeeKey}.pdf`;
  const [, owner, id, name] = attachmentPage.exec(path) ?? [];
  return name === undefined ? path : `/api/signing/${owner}/attachment/${id}/fileName/${name}`;
}
