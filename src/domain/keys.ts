/** A string that names one kind of thing and cannot be passed for another. */
export type Key<Kind extends string> = string & { readonly __key: Kind };

/** Names a signing process: `sp` and 32 hexadecimal digits. */
export type ProcessKey = Key<'process'>;
/** Names a signee of one process: `si` and 32 hexadecimal digits. */
export type SigneeKey = Key<'signee'>;
/** Names a sequence of processes: `pg` and 18 hexadecimal digits. */
export type SequenceKey = Key<'sequence'>;
/** Names a person of a sequence: `gs` and 16 hexadecimal digits. */
export type PersonKey = Key<'person'>;
/** Names a flow: 12 hexadecimal digits. */
export type FlowKey = Key<'flow'>;
/** Names a company: 12 hexadecimal digits. */
export type CompanyKey = Key<'company'>;
/** Names an attachment of a process: `at` and hexadecimal digits. */
export type AttachmentKey = Key<'attachment'>;

/** Gives `count` unpredictable bytes; injected so that tests can repeat a run. */
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
  // The published samples have ten: the holder of another link must not guess it.
  person: ['gs', 8],
  flow: ['', 6],
  company: ['', 6],
  // The published samples have four digits; sixteen keep them unguessable.
  attachment: ['at', 8],
} as const satisfies Record<keyof KeyShapes, readonly [prefix: string, bytes: number]>;

/** A new key of `kind`, made from unpredictable bytes. */
export function newKey<Kind extends keyof KeyShapes>(
  kind: Kind,
  random: RandomBytes,
): KeyShapes[Kind] {
  const [prefix, bytes] = shapes[kind];
  return `${prefix}${Buffer.from(random(bytes)).toString('hex')}` as unknown as KeyShapes[Kind];
}

/**
 * A new token of 256 unpredictable bits, base64url. It never begins with a hyphen: commands
 * would take it for an option.
 */
export function newToken(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url').replace(/^-/, '_');
}

/**
 * `text` taken for a key of `kind`. Keys are opaque: the shape is not checked, because processes
 * of other origins have shorter ones; an unknown key is simply not found.
 */
export function asKey<Kind extends keyof KeyShapes>(_kind: Kind, text: string): KeyShapes[Kind] {
  return text as unknown as KeyShapes[Kind];
}
