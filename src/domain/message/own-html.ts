import { handlePlaces } from './handle-places.ts';
import { escapeHtml, fillHandles, type HandleValues } from './handles.ts';

const addressAttributes = new Set('href src action formaction background poster cite'.split(' '));
const scheme = /^[^/?#]*:/;
const harmlessSchemes = /^(?:(?:https?|mailto|tel|cid):|data:image\/(?:png|gif|jpeg)[;,])/i;

/**
 * The HTML of a company with values in place of its handles. Values are escaped, and do not make
 * the address of a link or an image one that runs something, such as `javascript:`: they are left
 * out there, and wherever no escape would make them harmless.
 */
export function fillOwnHtml(template: string, values: HandleValues): string {
  const places = new Map(handlePlaces(template).map((place) => [place.at, place]));
  return fillHandles(template, values, (value, at) => {
    const place = places.get(at);
    if (place === undefined || place.kind === 'elsewhere') return '';
    const { attribute = '', isFirst = false } = place;
    if (isFirst && addressAttributes.has(attribute) && !isHarmlessAddress(value)) return '';
    return escapeHtml(value);
  });
}

/** Handles of `template` for whose values there is no harmless escape, as they are written. */
export function misplacedHandles(template: string): readonly string[] {
  return handlePlaces(template)
    .filter(({ kind }) => kind === 'elsewhere')
    .map(({ at }) => template.slice(at, template.indexOf('}}', at) + 2));
}

function isHarmlessAddress(value: string): boolean {
  // Readers skip these in addresses.
  const plain = value.replace(/[\0- ]/g, '');
  return !scheme.test(plain) || harmlessSchemes.test(plain);
}
