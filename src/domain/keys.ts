/** String that identifies one kind of object. The brand prevents its use as a key of another. */
export type Key<Kind extends string> = string & { readonly __key: Kind };

/** Identifies a signing process: `sp` and 32 hexadecimal digits. */
export type ProcessKey = Key<'process'>;
/** Identifies a signee of one process: `si` and 32 hexadecimal digits. */
export type SigneeKey = Key<'signee'>;
/** Identifies a sequence of processes: `pg` and 18 hexadecimal digits. */
export type SequenceKey = Key<'sequence'>;
/** Identifies a person of a sequence: `gs` and 16 hexadecimal digits. */
export type PersonKey = Key<'person'>;
/** Identifies a flow: 12 hexadecimal digits. */
export type FlowKey = Key<'flow'>;
/** Identifies a company: 12 hexadecimal digits. */
export type CompanyKey = Key<'company'>;
/** Identifies an attachment of a process: `at` and hexadecimal digits. */
export type AttachmentKey = Key<'attachment'>;

/** Returns `count` unpredictable bytes. Injected so that tests are reproducible. */
export type RandomBytes = (count: number) => Uint8Array;

interface KeyShapes {
  readonly process: ProcessKey;
  readonly signee: SigneeKey;
  readonly sequence: SequenceKey;
  readonly person: PersonKey;
  readonly flow: FlowKey;
  readonly company: CompanyKey;
  readonly attachment: AttachmentKey;
}

const shapes = {
  process: ['sp', 16],
  signee: ['si', 16],
  sequence: ['pg', 9],
  // The published samples have ten digits; holders of other links must not guess the key.
  person: ['gs', 8],
  flow: ['', 6],
  company: ['', 6],
  // The published samples have four digits; sixteen keep them unguessable.
  attachment: ['at', 8],
} as const satisfies Record<keyof KeyShapes, readonly [prefix: string, bytes: number]>;

/** Generates a new key of `kind` from unpredictable bytes. */
export function newKey<Kind extends keyof KeyShapes>(
  kind: Kind,
  random: RandomBytes,
): KeyShapes[Kind] {
  const [prefix, bytes] = shapes[kind];
  return `${prefix}${Buffer.from(random(bytes)).toString('hex')}` as unknown as KeyShapes[Kind];
}

/** Generates a token of 256 unpredictable bits, base64url. No leading hyphen, as options have. */
export function newToken(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url').replace(/^-/, '_');
}

/**
 * Casts `text` to a key of `kind`. Keys are opaque: the format is not checked, because processes of
 * other origins have shorter ones. An unknown key is simply not found.
 */
export function asKey<Kind extends keyof KeyShapes>(_kind: Kind, text: string): KeyShapes[Kind] {
  return text as unknown as KeyShapes[Kind];
}
