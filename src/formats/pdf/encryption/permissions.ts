/** What a reader without the owner's password may do. @spec ISO 32000-2 table 22 */
export interface PdfPermissions {
  readonly print: boolean;
  /** Change content, except what the other permissions say. */
  readonly modify: boolean;
  readonly copy: boolean;
  /** Annotate and fill forms; with `modify` also make form fields. */
  readonly annotate: boolean;
  /** Fill existing fields, signature fields among them. */
  readonly fillForms: boolean;
  readonly assemble: boolean;
}

/** The permissions in the value of /P. */
export function readPermissions(flags: number, revision: number): PdfPermissions {
  const bit = (number: number): boolean => (flags & (1 << (number - 1))) !== 0;
  // Revision 2 knows the first four only; they stand for the finer ones.
  const isOld = revision < 3;
  return {
    print: bit(3),
    modify: bit(4),
    copy: bit(5),
    annotate: bit(6),
    fillForms: isOld ? bit(6) : bit(6) || bit(9),
    assemble: isOld ? bit(4) : bit(4) || bit(11),
  };
}
