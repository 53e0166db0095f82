interface UriParts {
  readonly scheme?: string | undefined;
  readonly authority?: string | undefined;
  readonly path: string;
  readonly query?: string | undefined;
}

/**
 * The `xml:base` that results from two of them, the inner one relative to the outer one. As in RFC
 * 3986 §5.2, except that the outer one may be relative too, and the result is then relative.
 *
 * @spec Canonical XML 1.1 §2.4
 */
export function joinBases(outer: string, inner: string): string {
  const base = split(outer);
  const reference = split(inner);
  const { query } = reference;
  if (reference.scheme !== undefined) {
    return join({ ...reference, path: withoutDots(reference.path) });
  }
  const { scheme } = base;
  if (reference.authority !== undefined) {
    return join({ ...reference, scheme, path: withoutDots(reference.path) });
  }
  const { authority } = base;
  if (reference.path === '') {
    return join({ scheme, authority, path: base.path, query: query ?? base.query });
  }
  const path = reference.path.startsWith('/') ? reference.path : merge(base, reference.path);
  return join({ scheme, authority, path: withoutDots(path), query });
}

function split(uri: string): UriParts {
  const match = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(uri);
  const [, scheme, authority, path = '', query] = match ?? [];
  return { scheme, authority, path, query };
}

function join({ scheme, authority, path, query }: UriParts): string {
  const head = scheme === undefined ? '' : `${scheme}:`;
  const host = authority === undefined ? '' : `//${authority}`;
  return `${head}${host}${path}${query === undefined ? '' : `?${query}`}`;
}

function merge({ authority, path }: UriParts, relative: string): string {
  if (authority !== undefined && path === '') return `/${relative}`;
  const folder = /(^|\/)\.\.$/.test(path) ? `${path}/` : path.slice(0, path.lastIndexOf('/') + 1);
  return `${folder}${relative}`;
}

/** Removes `.` and resolves `..` where a segment precedes it; leading `..` are kept. */
function withoutDots(path: string): string {
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  const segments = path.split('/').filter((segment, i) => segment !== '' || i > 0);
  segments.forEach((segment, i) => {
    const isLast = i === segments.length - 1;
    if (segment === '..') {
      if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
      else if (!isAbsolute) kept.push('..');
      if (isLast) kept.push('');
    } else if (segment === '.') {
      if (isLast) kept.push('');
    } else if (segment !== '' || isLast) kept.push(segment);
  });
  return (isAbsolute ? '/' : '') + kept.join('/');
}
