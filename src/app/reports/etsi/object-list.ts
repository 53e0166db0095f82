import { createHash } from 'node:crypto';
import { objectTypes } from './uris.table.ts';
import { tag, type XmlNode, type XmlTag } from './xml-text.ts';

/** Validation objects of a report without duplicates, with identifiers that refer to them. */
export interface ObjectList {
  /** Returns the identifier of the object with these bytes, adding the object if it is new. */
  add(type: keyof typeof objectTypes, bytes: Uint8Array, more?: MakeMore): string;
  /** Returns the identifier of the object with this `key`, represented by these nodes if new. */
  addShown(
    type: keyof typeof objectTypes,
    key: string,
    shown: readonly XmlNode[],
    more?: MakeMore,
  ): string;
  /** All objects, in the order in which they were added. */
  tags(): readonly XmlTag[];
}

/** Builds the nodes that follow the representation of an object, given its identifier. */
export type MakeMore = (id: string) => readonly XmlNode[];

/** Maximum size of an embedded object. Larger ones are represented by their digest. */
const EMBEDDED_BYTES_MAX = 1 << 20;

/** Returns an empty {@link ObjectList}. */
export function objectList(): ObjectList {
  const ids = new Map<string, string>();
  /** Signatures of one document share their data: each value is hashed once. */
  const byValue = new WeakMap<Uint8Array, string>();
  const objects: { readonly id: string; readonly tag: XmlTag }[] = [];
  const addShown: ObjectList['addShown'] = (type, key, shown, more) => {
    const known = ids.get(`${type} ${key}`);
    if (known !== undefined) return known;
    const id = `${type}-${ids.size + 1}`;
    ids.set(`${type} ${key}`, id);
    // Reserves the position: the content may add further objects.
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

/** XML identifier of SHA-256. */
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
