import { requireBytes, requireObject, unknownOption, wrongArgument } from '../../base/given.ts';

type Given = Readonly<Record<string, unknown>>;

/** Checks a list of named files. @throws usage.invalid */
export function requireFiles(files: unknown): void {
  if (!Array.isArray(files)) throw wrongArgument('files', 'an array of { name, content }', files);
  for (const file of files as readonly unknown[]) {
    requireObject('a file', file);
    const { name, content } = file as Given;
    if (typeof name !== 'string') throw wrongArgument('name of a file', 'text', name);
    requireBytes(`the content of ${name}`, content);
  }
}

const texts = ['field', 'reason', 'location', 'name', 'contact'] as const;
const longTerm = [
  'password',
  'timestampAuthority',
  'revocation',
  'trust',
  'certificates',
  'algorithms',
  'now',
  'random',
] as const;

const claims = ['roles', 'place', 'commitments', 'policy'] as const;
const xmlPlaces = ['packaging', 'id', 'parent', 'transform', 'encoding', 'mimeType'] as const;

/** Option names of each call of the library, and the member names of `visible`. */
export const optionNames = {
  sealPdf: [...longTerm, ...texts, 'signer', 'level', 'certify', 'ignorePermissions', 'visible'],
  sealPdfWithCms: [...texts, 'signer', 'subFilter', 'trust', 'algorithms', 'now', 'password'],
  augmentPdf: longTerm,
  verifyDocument: [
    ...['password', 'trust', 'trustProfiles', 'dataDir', 'certificates', 'at', 'detached'],
    ...['includeSignedData', 'secondOpinion'],
    ...['revocationMode', 'revocation', 'validationData', 'algorithms'],
  ],
  sealXml: [...longTerm, ...claims, 'signer', 'level', ...xmlPlaces],
  augmentXml: [...longTerm, 'detached'],
  sealContainer: [...longTerm, ...claims, 'signer', 'level', 'container', 'format'],
  augmentContainer: longTerm,
  augmentCms: [...longTerm, 'detached'],
  planArchive: [...longTerm, 'detached'],
  timestampDocument: [...longTerm, 'name'],
  visible: ['page', 'corner', 'startAt', 'rect', 'template', 'language', 'image', 'qr'],
} as const;

/** Name of an option of any call. */
export type OptionName = (typeof optionNames)[Exclude<keyof typeof optionNames, 'visible'>][number];

const callNames = new Set<string>(
  Object.entries(optionNames).flatMap(([call, names]) => (call === 'visible' ? [] : names)),
);

/**
 * Rejects unknown option names, such as mistyped ones, which would otherwise be ignored silently.
 * An option of another call is accepted, so that one object can serve several calls.
 *
 * @throws usage.invalid with the nearest name
 */
export function requireKnownOptions(call: keyof typeof optionNames, options: object): void {
  requireKnownNames(call, Object.keys(options));
  const { visible } = options as Given;
  if (call !== 'visible' && typeof visible === 'object' && visible !== null) {
    requireKnownOptions('visible', visible);
  }
}

/** Like {@link requireKnownOptions}, for names. @throws usage.invalid with the nearest name */
export function requireKnownNames(call: keyof typeof optionNames, names: readonly string[]): void {
  const own: readonly string[] = optionNames[call];
  const unknown = names.find((name) =>
    call === 'visible' ? !own.includes(name) : !callNames.has(name),
  );
  if (unknown !== undefined) {
    throw call === 'visible'
      ? unknownOption('sealPdf', unknown, own, 'visible.')
      : unknownOption(call, unknown, own);
  }
}

/** Checks that an object has these functions. @throws usage.invalid */
export function requirePort(name: string, value: unknown, ...functions: readonly string[]): void {
  const isObject = typeof value === 'object' && value !== null;
  const missing = functions.filter((each) => typeof (value as Given)?.[each] !== 'function');
  if (isObject && missing.length === 0) return;
  throw wrongArgument(name, `an object with ${functions.join(' and ')}`, value);
}
