import { readZip, writeZip, type ZipFile } from '../../src/formats/zip/index.ts';
import { cmsAlterations } from './alter-cms.ts';
import { xmlAlterations } from './alter-xml.ts';
import type { Alteration, AlterationContext } from './alteration.ts';

type Files = readonly ZipFile[];

/** Returns alterations of a container: of its files and their names, and of its signatures. */
export function containerAlterations(
  bytes: Uint8Array,
  context: AlterationContext,
): readonly Alteration[] {
  const files = filesOf(bytes);
  const theirs = context.other === undefined ? [] : filesOf(context.other);
  const edited = (name: string, edit: (files: Files) => Files | undefined): Alteration => ({
    name,
    make: () => {
      const made = edit(files);
      return made === undefined ? undefined : writeZip(made);
    },
  });
  const data = files.find(({ name }) => name !== 'mimetype' && !name.startsWith('META-INF/'));
  return [
    edited(
      'file-changed',
      replace(data?.name, (it) => Buffer.concat([it, Buffer.from('.')])),
    ),
    edited('file-dropped', (all) => all.filter(({ name }) => name !== data?.name)),
    edited('file-renamed', (all) =>
      all.map((each) => (each.name === data?.name ? { ...each, name: `x-${each.name}` } : each)),
    ),
    edited('file-added', (all) => [...all, { name: 'more.txt', bytes: Buffer.from('999') }]),
    edited('stranger', (all) => [...all, { name: 'META-INF/x.xml', bytes: Buffer.from('<x/>') }]),
    edited(
      'mimetype-changed',
      replace('mimetype', () => Buffer.from('application/zip')),
    ),
    edited('mimetype-dropped', (all) => all.filter(({ name }) => name !== 'mimetype')),
    edited('reversed', (all) => [...all].reverse()),
    edited('manifest-dropped', (all) => all.filter(({ name }) => !/manifest/i.test(name))),
    ...files
      .filter(({ name }) => /ASiC.*Manifest/i.test(name))
      .flatMap(({ name }, index) => [
        edited(
          `manifest${index}-space`,
          replace(name, (it) => replaceText(it, '?>', '?>\n')),
        ),
        edited(
          `manifest${index}-uri`,
          replace(name, (it) => replaceText(it, 'URI="', 'URI="x')),
        ),
        edited(
          `manifest${index}-root`,
          replace(name, (it) => replaceText(it, ' Rootfile="true"', '')),
        ),
        edited(
          `manifest${index}-mime`,
          replace(name, (it) => replaceText(it, 'MimeType="', 'MimeType="x')),
        ),
        edited(`manifest${index}-drop`, (all) => all.filter((each) => each.name !== name)),
      ]),
    ...files
      .filter(({ name }) => /\.(tst|p7s)$|signatures.*xml$/i.test(name))
      .flatMap(({ name }, index) => [
        edited(`evidence${index}-drop`, (all) => all.filter((each) => each.name !== name)),
        edited(`evidence${index}-of-other`, (all) => {
          const other = theirs.find((each) => each.name.slice(-4) === name.slice(-4));
          return other && replace(name, () => Buffer.from(other.bytes))(all);
        }),
      ]),
    ...inEvidence(files, theirs, context),
  ];
}

/** XML and CMS alterations in each signature of the container. */
function inEvidence(
  files: Files,
  theirs: Files,
  { random }: AlterationContext,
): readonly Alteration[] {
  return files.flatMap(({ name, bytes }, index) => {
    const isXml = /signatures.*\.xml$/i.test(name);
    if (!isXml && !/\.(p7s|tst)$/i.test(name)) return [];
    const other = theirs.find((each) => each.name.slice(-4) === name.slice(-4))?.bytes;
    const alter = isXml ? xmlAlterations : cmsAlterations;
    return alter(bytes, { random, other }).map((alteration) => ({
      name: `in${index}-${alteration.name}`,
      make: () => {
        const made = alteration.make();
        return made && writeZip(replace(name, () => Buffer.from(made))(files) ?? []);
      },
    }));
  });
}

function filesOf(container: Uint8Array): Files {
  return readZip(container)
    .entries.filter(({ isFolder }) => !isFolder)
    .map((entry) => ({
      name: entry.name,
      bytes: entry.read(),
      ...(entry.name === 'mimetype' ? { stored: true } : {}),
    }));
}

function replace(wanted: string | undefined, change: (bytes: Buffer) => Buffer) {
  return (files: Files): Files | undefined => {
    if (!files.some(({ name }) => name === wanted)) return undefined;
    return files.map((each) =>
      each.name === wanted ? { ...each, bytes: change(Buffer.from(each.bytes)) } : each,
    );
  };
}

function replaceText(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('utf8').replace(from, to));
}
