import { der } from '../../src/formats/asn1/index.ts';
import type { Alteration, AlterationContext } from './alteration.ts';
import {
  bytesOfTree,
  type CmsTree,
  cloneTree,
  cmsTreeOf,
  constructed,
  type Element,
  type SignerTree,
  treeOf,
} from './der-tree.ts';

type Edit = (tree: CmsTree, signer: SignerTree) => unknown;

/** Returns alterations of a CMS signature, each of one part of its structure. */
export function cmsAlterations(
  bytes: Uint8Array,
  { random, other }: AlterationContext,
): readonly Alteration[] {
  const edited = (name: string, edit: Edit): Alteration => ({
    name,
    make: () => {
      const tree = cmsTreeOf(bytes);
      const signer = tree.signers[0];
      if (signer === undefined || edit(tree, signer) === false) return undefined;
      return bytesOfTree(tree.root);
    },
  });
  const flipIn = (element: Element | undefined): unknown => {
    const leaves = leavesOf(element).filter(({ content }) => content.length > 0);
    if (leaves.length === 0) return false;
    const { content } = random.pick(leaves);
    const at = random.below(content.length);
    content[at] = (content[at] as number) ^ (1 << random.below(8));
    return true;
  };
  const donor = () => (other === undefined ? undefined : cmsTreeOf(other));
  return [
    edited('content-flip', ({ encapsulated }) => flipIn(encapsulated.children?.[1])),
    edited('content-drop', ({ encapsulated }) => encapsulated.children?.splice(1, 1).length === 1),
    edited('content-type', ({ encapsulated }) => replaceOid(encapsulated, '1.2.3.4.5')),
    edited('certificate-flip', ({ certificates }) => flipIn(certificates?.children?.[0])),
    edited('certificate-flip-2', ({ certificates }) => flipIn(certificates?.children?.at(-1))),
    edited('certificates-drop', (tree) => drop(tree.fields, tree.certificates)),
    edited('certificate-drop-first', ({ certificates }) => certificates?.children?.shift()),
    edited('certificate-drop-last', ({ certificates }) => certificates?.children?.pop()),
    edited('certificates-reverse', ({ certificates }) => certificates?.children?.reverse()),
    edited('certificate-foreign', ({ certificates }) => {
      const [foreign] = donor()?.certificates?.children ?? [];
      return foreign === undefined ? false : certificates?.children?.unshift(foreign);
    }),
    edited('identifier-flip', (_, { identifier }) => flipIn(identifier)),
    edited('digest-algorithm', (_, { digestAlgorithm }) =>
      replaceOid(digestAlgorithm, '2.16.840.1.101.3.4.2.3'),
    ),
    edited('signature-algorithm', (_, { signatureAlgorithm }) =>
      replaceOid(signatureAlgorithm, '1.2.840.113549.1.1.13'),
    ),
    edited('signature-flip', (_, { signature }) => flipIn(signature)),
    edited('signature-zero', (_, { signature }) => signature.content.fill(0)),
    edited('signed-flip', (_, { signed }) => flipIn(signed)),
    edited('signed-flip-2', (_, { signed }) => flipIn(signed)),
    edited('signed-drop-first', (_, { signed }) => signed?.children?.shift() ?? false),
    edited('signed-drop-last', (_, { signed }) => signed?.children?.pop() ?? false),
    edited('signed-drop-all', (_, { fields, signed }) => drop(fields, signed)),
    edited('signed-reverse', (_, { signed }) => signed?.children?.reverse() ?? false),
    edited('signed-twice', (_, { signed }) => repeatFirst(signed?.children)),
    edited('unsigned-drop-all', (_, { fields, unsigned }) => drop(fields, unsigned)),
    edited('unsigned-drop-first', (_, { unsigned }) => unsigned?.children?.shift() ?? false),
    edited('unsigned-drop-last', (_, { unsigned }) => unsigned?.children?.pop() ?? false),
    edited('unsigned-flip', (_, { unsigned }) => flipIn(unsigned)),
    edited('unsigned-flip-2', (_, { unsigned }) => flipIn(unsigned)),
    edited('unsigned-reverse', (_, { unsigned }) => unsigned?.children?.reverse() ?? false),
    edited('unsigned-foreign', (_, signer) => addUnsigned(signer, foreignAttribute())),
    edited('unsigned-of-other', (_, signer) => {
      const unsigned = donor()?.signers[0]?.unsigned;
      return unsigned === undefined ? false : replaceUnsigned(signer, unsigned);
    }),
    edited('signer-twice', ({ signerInfos }, { element }) =>
      signerInfos.children?.push(cloneTree(element)),
    ),
    edited('signer-of-other', ({ signerInfos }) => {
      const theirs = donor()?.signers[0]?.element;
      return theirs === undefined ? false : signerInfos.children?.splice(0, 1, theirs);
    }),
    edited('signer-added', ({ signerInfos }) => {
      const theirs = donor()?.signers[0]?.element;
      return theirs === undefined ? false : signerInfos.children?.push(theirs);
    }),
    edited('signature-of-other', (_, { signature }) => {
      const theirs = donor()?.signers[0]?.signature.content;
      if (theirs === undefined) return false;
      signature.content = theirs;
      return true;
    }),
    edited('signers-drop', ({ signerInfos }) => (signerInfos.children as Element[]).splice(0)),
    edited('version', ({ fields }) => (fields[0] as Element).content.fill(9)),
    edited('digests-drop', ({ fields }) => (fields[1] as Element).children?.splice(0)),
    edited('ber-outer', ({ root, signerInfos, certificates }) => {
      for (const each of [root, root.children?.[1], signerInfos, certificates]) {
        if (each !== undefined) each.isIndefinite = true;
      }
    }),
    edited('ber-signed', (_, { signed }) => {
      for (const each of signed?.children ?? []) each.isIndefinite = true;
      return signed !== undefined;
    }),
    edited('ber-unsigned', (_, { unsigned }) => {
      for (const each of unsigned?.children ?? []) each.isIndefinite = true;
      return unsigned !== undefined;
    }),
  ];
}

function leavesOf(element: Element | undefined): readonly Element[] {
  if (element === undefined) return [];
  return element.children === undefined ? [element] : element.children.flatMap(leavesOf);
}

function drop(from: Element[], element: Element | undefined): boolean {
  const at = element === undefined ? -1 : from.indexOf(element);
  if (at < 0) return false;
  from.splice(at, 1);
  return true;
}

function repeatFirst(elements: Element[] | undefined): boolean {
  const [first] = elements ?? [];
  if (elements === undefined || first === undefined) return false;
  elements.push(cloneTree(first));
  return true;
}

function replaceOid(parent: Element, oid: string): boolean {
  const first = parent.children?.[0];
  if (first?.tag !== 0x06) return false;
  first.content = treeOf(der.oid(oid)).content;
  return true;
}

function foreignAttribute(): Element {
  const value = der.octetString(Buffer.from('nobody signed this'));
  return treeOf(der.sequence(der.oid('1.2.3.4.5.6'), der.setOf(value)));
}

function addUnsigned({ fields, unsigned }: SignerTree, attribute: Element): void {
  if (unsigned === undefined) fields.push(constructed(0xa1, [attribute]));
  else unsigned.children?.push(attribute);
}

function replaceUnsigned({ fields, unsigned }: SignerTree, theirs: Element): void {
  if (unsigned === undefined) fields.push(theirs);
  else fields.splice(fields.indexOf(unsigned), 1, theirs);
}
