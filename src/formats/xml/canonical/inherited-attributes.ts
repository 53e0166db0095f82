import { limits } from '../../../base/limits.ts';
import { decodeCharacters } from '../reading/characters.ts';
import { tooMuch } from '../reading/xml-error.ts';
import type { IndexedDocument } from '../tree/document.ts';
import { xmlNamespace } from '../tree/namespaces.ts';
import { NO_ENTRY } from '../tree/scope-chain.ts';
import type { CanonicalMethod } from './canonical-methods.table.ts';
import type { ByteRange, RenderedAttribute } from './canonical-tag.ts';
import { joinBases } from './join-bases.ts';

/** `xml:` attributes in scope at an element: its own, and those of ancestors, innermost first. */
interface XmlAttributes {
  readonly own: ReadonlyMap<string, ByteRange>;
  readonly around: readonly (readonly [local: string, value: ByteRange])[];
}

/**
 * The `xml:` attributes that the inclusive methods add to an element whose ancestors are omitted,
 * or that replace its own. Version 1.0 imports the nearest of each that the element does not have;
 * version 1.1 imports only `xml:lang` and `xml:space`, and joins all `xml:base` values.
 *
 * @param basesFrom offset after the tag of the nearest ancestor in the output, whose `xml:base`
 *   applies inside it
 * @throws xml.limit
 * @spec Canonical XML 1.0 §2.4, Canonical XML 1.1 §2.4
 */
export function inheritedAttributes(
  document: IndexedDocument,
  index: number,
  method: CanonicalMethod,
  basesFrom = 0,
): readonly RenderedAttribute[] {
  const { own, around } = readXmlAttributes(document, index);
  const isFirst = method.startsWith('c14n10');
  const met = new Set(own.keys());
  const found: RenderedAttribute[] = [];
  for (const [local, value] of around) {
    if (met.has(local)) continue;
    met.add(local);
    if (isFirst || local === 'lang' || local === 'space') found.push(xmlAttribute(local, value));
  }
  if (isFirst) return found;
  const bases = around
    .filter(([local, { start }]) => local === 'base' && start >= basesFrom)
    .map(([, value]) => value);
  if (bases.length === 0) return found;
  const inner = own.get('base');
  const joined = joinAll(document, inner === undefined ? bases : [inner, ...bases]);
  return joined === '' ? found : [...found, xmlAttribute('base', joined)];
}

function xmlAttribute(local: string, value: ByteRange | string): RenderedAttribute {
  return { name: `xml:${local}`, local, uri: xmlNamespace, value };
}

function readXmlAttributes(document: IndexedDocument, index: number): XmlAttributes {
  const { bytes, columns, names, xmlAttributes } = document;
  const own = new Map<string, ByteRange>();
  const around: (readonly [string, ByteRange])[] = [];
  const parent = columns.parent[index] as number;
  const outside = parent < 0 ? NO_ENTRY : (columns.inherited[parent] as number);
  let isOwn = true;
  let entry = columns.inherited[index] as number;
  for (; entry !== NO_ENTRY; entry = xmlAttributes.outer[entry] as number) {
    if (entry === outside) isOwn = false;
    const local = names.locals.word(xmlAttributes.key[entry] as number);
    const start = xmlAttributes.value[entry] as number;
    const end = bytes.indexOf(bytes[start - 1] as number, start);
    if (isOwn) own.set(local, { start, end });
    else if (around.length < limits.xmlInherited) around.push([local, { start, end }]);
    else throw tooMuch('"xml:" attributes around an element', limits.xmlInherited);
  }
  return { own, around };
}

/** The base URIs joined into one, given innermost first. */
function joinAll(document: IndexedDocument, innermostFirst: readonly ByteRange[]): string {
  if (innermostFirst.length > limits.xmlBases) throw tooMuch('"xml:base"', limits.xmlBases);
  const lengthBytes = innermostFirst.reduce((sum, { start, end }) => sum + end - start, 0);
  if (lengthBytes > limits.xmlBaseBytes) throw tooMuch('bytes of "xml:base"', limits.xmlBaseBytes);
  return innermostFirst
    .map(({ start, end }) => decodeCharacters(document.source, start, end, true))
    .reduceRight((outer, inner) => joinBases(outer, inner));
}
