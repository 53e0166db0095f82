import { createHash } from 'node:crypto';
import { objectTypes } from './uris.table.ts';
import { tag, type XmlNode, type XmlTag } from './xml-text.ts';

/** The validation objects of a report, each once, with the identifiers that refer to them. */
export interface ObjectList {
  /** The identifier of an object with these bytes; it is added when it is new. */
  add(type: keyof typeof objectTypes, bytes: Uint8Array, more?: MakeMore): string;
  /** The identifier of an object that is shown as these nodes and known by `key`. */
  addShown(
    type: keyof typeof objectTypes,
    key: string,
    shown: readonly XmlNode[],
    more?: MakeMore,
  ): string;
  /** Every object, in the order of their addition. */
  tags(): readonly XmlTag[];
}

/** Builds the nodes after the representation of an object, once it has its identifier. */
export type MakeMore = (id: string) => readonly XmlNode[];

/** Objects whose bytes are embedded; of others the digest stands in the report. */
const EMBEDDED_BYTES_MAX = 1 << 20;

/** An empty {@link ObjectList}. */
export function objectList(): ObjectList {
  const ids = new Map<string, string>();
  /** Signatures of one document share their data: each value is digested once. */
  const byValue = new WeakMap<Uint8Array, string>();
  const objects: { readonly id: string; readonly tag: XmlTag }[] = [];
  const addShown: ObjectList['addShown'] = (type, key, shown, more) => {
    const known = ids.get(`${type} ${key}`);
    if (known !== undefined) return known;
    const id = `${type}-${ids.size + 1}`;
    ids.set(`${type} ${key}`, id);
    // Its place is taken first: its content may add further ones.
    const at = objects.push({ id, tag: tag('vr:ValidationObject') }) - 1;
    const made = tag(
      'vr:ValidationObject',
      { id },
      tag('vr:ObjectType', objectTypes[type]),
      tag('vr:ValidationObjectRepresentation', shown),
      more?.(id) ?? [],
    );
    objects[at] = { id, tag: made };
    return id;
  };
  return {
    addShown,
    add(type, bytes, more) {
      const seen = byValue.get(bytes);
      if (seen !== undefined) return seen;
      const sha256 = createHash('sha256').update(bytes).digest();
      const shown =
        bytes.length <= EMBEDDED_BYTES_MAX
          ? tag('vr:base64', Buffer.from(bytes).toString('base64'))
          : digestTag(sha256Uri, sha256);
      const id = addShown(type, sha256.toString('hex'), [shown], more);
      byValue.set(bytes, id);
      return id;
    },
    tags: () => objects.map((each) => each.tag),
  };
}

/** SHA-256 as XML names it. */
export const sha256Uri = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** A digest with its algorithm. */
export function digestTag(algorithm: string, value: Uint8Array): XmlTag {
  return tag('vr:DigestAlgAndValue', ...digestTags(algorithm, value));
}

/** Algorithm and value of a digest. */
export function digestTags(algorithm: string, value: Uint8Array): readonly [XmlTag, XmlTag] {
  return [
    tag('ds:DigestMethod', { Algorithm: algorithm }),
    tag('ds:DigestValue', Buffer.from(value).toString('base64')),
  ];
}

/** An element that refers to objects. */
export function reference(name: string, ...ids: readonly string[]): XmlTag {
  return tag(name, { VOReference: ids.join(' ') });
}
