import { attemptAny } from '../../base/errors.ts';
import { entryNameFault } from '../zip/index.ts';
import { asicInvalid } from './asic-error.ts';

/**
 * The URI by which signatures and manifests refer to an entry: its path with all characters other
 * than letters, digits and a few marks percent-encoded, so that no part of it is ambiguous.
 *
 * @throws container.invalid for a name that no entry may have
 * @spec RFC 3986 §2.1, §3.3
 */
export function uriOfName(name: string): string {
  const fault = entryNameFault(name);
  if (fault !== undefined) throw asicInvalid(`the name of an entry ${fault}`);
  return name.split('/').map(encodeURIComponent).join('/');
}

/**
 * The name of the entry that a URI in a container refers to. Undefined for anything but a plain
 * path: a URI with a scheme, host, query or fragment, dot or empty segments, an encoded `/`, or
 * malformed percent-encoding. One leading `/` means the root of the container. Characters that
 * should have been encoded are accepted unchanged.
 *
 * @spec RFC 3986 §2.1, §4.2
 */
export function nameOfUri(uri: string): string | undefined {
  if (/[?#]/.test(uri) || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) return undefined;
  const segments = (uri.startsWith('/') ? uri.slice(1) : uri).split('/').map(decodeSegment);
  if (segments.some((segment) => segment === undefined || segment.includes('/'))) return undefined;
  const name = segments.join('/');
  return entryNameFault(name) === undefined ? name : undefined;
}

function decodeSegment(segment: string): string | undefined {
  return attemptAny(() => decodeURIComponent(segment));
}
