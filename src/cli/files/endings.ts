/** Extensions of ASiC containers, including older and national ones. */
const containers = ['.asice', '.sce', '.asics', '.scs', '.bdoc', '.edoc', '.adoc'] as const;

/** Extensions, in lower case, of the documents that each command selects from a folder. */
const documentEndings = {
  seal: ['.pdf'],
  'seal-xml': ['.xml'],
  archive: ['.pdf', '.xml', ...containers, '.p7m', '.p7s'],
  verify: ['.pdf', '.xml', ...containers, '.p7m', '.p7s'],
} as const satisfies Record<string, readonly string[]>;

const known: readonly string[] = documentEndings.verify;

/** True for the name of an ASiC container. */
export function isContainerName(name: string): boolean {
  const endings: readonly string[] = containers;
  return endings.includes(endingOf(name).toLowerCase());
}

/** True for the name of a PDF. */
export function isPdfName(name: string): boolean {
  return endingOf(name).toLowerCase() === '.pdf';
}

/** The extension of a document's name, as written; empty if it is not one of ours. */
export function endingOf(name: string): string {
  const ending = /\.[A-Za-z][A-Za-z0-9]*$/.exec(name)?.[0] ?? '';
  return known.includes(ending.toLowerCase()) ? ending : '';
}

/** True if a command selects a file of this name from a folder. */
export function isDocumentName(name: string, command: keyof typeof documentEndings): boolean {
  const endings: readonly string[] = documentEndings[command];
  return endings.includes(endingOf(name).toLowerCase());
}
