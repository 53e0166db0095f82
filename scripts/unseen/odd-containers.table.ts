import { writeZip, type ZipFile } from '../../src/formats/zip/index.ts';
import { containerBy, filesOf, withFiles, withText } from '../../test/support/containers.ts';
import { pki } from '../../test/unit/verify/xml/sign-xml.ts';
import type { OddForm } from './odd-forms.table.ts';

const kinds = (['asic-e', 'asic-s'] as const).flatMap((container) =>
  (['xades', 'cades'] as const).map((format) => ({ container, format })),
);
type Kind = (typeof kinds)[number];

/** A valid container, changed. */
const changed = (
  name: string,
  { container, format }: Kind,
  change: (made: Uint8Array) => Uint8Array,
): OddForm => ({
  name: `container ${container} ${format} ${name}`,
  kind: 'container',
  make: async () => change(await containerBy(pki, { container, format, level: 'B-LT' })),
});

const rewritten =
  (edit: (files: readonly ZipFile[]) => readonly ZipFile[]) =>
  (made: Uint8Array): Uint8Array =>
    writeZip(edit(filesOf(made)));
const renamed = (edit: (name: string) => string) =>
  rewritten((files) => files.map((file) => ({ ...file, name: edit(file.name) })));
const isSignature = (name: string) => /signatures?\d*\.(?:xml|p7s)$/.test(name);
const added = (name: string, text: string) => (made: Uint8Array) =>
  withFiles(made, { [name]: Buffer.from(text) });
const inFolder = (name: string) => name.replace('META-INF/', 'META-INF/x/');

/** Changes to each kind of container. */
const changes: readonly (readonly [string, (made: Uint8Array) => Uint8Array])[] = [
  ['in order', (made) => made],
  [
    'with its signature in a folder',
    renamed((name) => (isSignature(name) ? inFolder(name) : name)),
  ],
  ['with all of META-INF in a folder', renamed(inFolder)],
  [
    'with its signature in a folder too',
    rewritten((files) =>
      files.flatMap((file) =>
        isSignature(file.name) ? [file, { ...file, name: inFolder(file.name) }] : [file],
      ),
    ),
  ],
  ['with META-INF below another folder', renamed((name) => name.replace('META-INF', 'x/META-INF'))],
  ['with names in NFD', renamed((name) => name.normalize('NFD'))],
  [
    'with names as they are in its URIs',
    renamed((name) => name.split('/').map(encodeURIComponent).join('/')),
  ],
  ['deflated', rewritten((files) => files.map(({ name, bytes }) => ({ name, bytes })))],
  ['without mimetype', (made) => withFiles(made, { mimetype: undefined })],
  ['with a line behind its mimetype', (made) => withText(made, 'mimetype', (text) => `${text}\n`)],
  ['with mimetype in capitals', (made) => withText(made, 'mimetype', (text) => text.toUpperCase())],
  ['with the mimetype of its data', (made) => withText(made, 'mimetype', () => 'text/plain')],
  ['with an evidence record', added('META-INF/evidencerecord.ers', '0')],
  ['with a file that is no signature', added('META-INF/signatures9.xml', '<a/>')],
  ['with more data', added('more.txt', 'more')],
];

/** Containers with unusual file names and paths. */
export const oddContainers: readonly OddForm[] = kinds.flatMap((kind) =>
  changes.map(([name, change]) => changed(name, kind, change)),
);
