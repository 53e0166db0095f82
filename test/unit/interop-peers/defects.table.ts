import type { DocumentName } from './documents.ts';
import type { CanonicalForm } from './peer.ts';

/**
 * A disagreement between a peer and this project, and its reason; the specifications support this
 * project each time.
 */
export interface Defect {
  readonly documents: readonly DocumentName[];
  /** Forms in which its signatures do not match its own documents; absent if all match. */
  readonly theirs?: readonly CanonicalForm[];
  /** Set if it rejects our signature, which uses the exclusive form. */
  readonly ours?: true;
  readonly why: string;
}

const all: readonly CanonicalForm[] = [
  'inclusive',
  'inclusive with comments',
  'exclusive',
  'exclusive with comments',
];
const inclusive: readonly CanonicalForm[] = ['inclusive', 'inclusive with comments'];
const withComments: readonly CanonicalForm[] = [
  'inclusive with comments',
  'exclusive with comments',
];

/** Defects by name of the peer. Each is checked to still exist. */
export const defects: Readonly<Record<string, readonly Defect[]>> = {
  xmldsigjs: [
    {
      documents: ['reference to CR'],
      theirs: all,
      why: 'it writes a bare CR, which every parser reads as LF, itself included',
    },
    {
      documents: ['comment in the root'],
      theirs: withComments,
      why: 'a reference with an empty URI leaves comments out; it takes them in',
    },
    {
      documents: ['instruction around the root'],
      ours: true,
      why: 'it digests nothing outside the root; of its own document it drops such parts',
    },
    {
      documents: ['order by namespaces of which one begins the other'],
      theirs: all,
      ours: true,
      why: 'it sorts attributes by namespace and name run together',
    },
    {
      documents: ['default namespace beside a prefixed root'],
      theirs: inclusive,
      why: 'it leaves the default namespace out of SignedInfo',
    },
    {
      documents: ['prefix that ends in xmlns'],
      theirs: all,
      ours: true,
      why: 'it takes attributes with such a prefix for declarations and leaves them out',
    },
    {
      documents: ['prefix with an accent'],
      theirs: inclusive,
      why: 'it knows only ASCII letters in the prefix of a declaration',
    },
    {
      documents: ['xml:lang on the root'],
      theirs: inclusive,
      why: 'SignedInfo inherits attributes of xml:*; it leaves them out',
    },
    {
      documents: ['spaces that only JavaScript knows'],
      ours: true,
      why: 'it reads a no-break space before the data of an instruction as white space',
    },
    {
      documents: ['UBL invoice'],
      ours: true,
      why: 'it takes away only signatures that are children of the root',
    },
  ],
  'xml-crypto': [
    {
      documents: [
        'instruction in the root',
        'instruction around the root',
        'spaces that only JavaScript knows',
      ],
      theirs: all,
      ours: true,
      why: 'it leaves instructions out of every canonical form',
    },
    {
      documents: ['order by namespaces of which one begins the other'],
      theirs: all,
      ours: true,
      why: 'it sorts attributes by namespace and name run together',
    },
    {
      documents: ['xml:lang on the root'],
      theirs: inclusive,
      why: 'SignedInfo inherits attributes of xml:*; it leaves them out',
    },
  ],
};
