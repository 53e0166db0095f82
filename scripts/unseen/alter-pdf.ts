import { cmsAlterations } from './alter-cms.ts';
import type { Alteration, AlterationContext } from './alteration.ts';

const contents = /\/Contents ?<([0-9A-Fa-f]+)>/g;

/** Returns alterations of a signed PDF: of its dictionaries, its revisions, and its CMS. */
export function pdfAlterations(
  bytes: Uint8Array,
  context: AlterationContext,
): readonly Alteration[] {
  const text = Buffer.from(bytes).toString('latin1');
  const edited = (name: string, edit: (whole: string) => string | undefined): Alteration => ({
    name,
    make: () => {
      const made = edit(text);
      if (made === undefined || made === text) return undefined;
      return new Uint8Array(Buffer.from(made, 'latin1'));
    },
  });
  return [
    ...rewrites.map(([name, from, to]) => edited(name, (whole) => whole.replace(from, to))),
    edited('revision-first', (whole) => cutAfter(whole, 1)),
    edited('revision-second', (whole) => cutAfter(whole, 2)),
    edited('revision-last-dropped', (whole) => cutAfter(whole, countEnds(whole) - 1)),
    edited('update-empty', (whole) => `${whole}\n${emptyUpdate(whole)}`),
    edited('update-page', (whole) => whole + pageUpdate(whole)),
    ...inContents(text, context),
  ];
}

/** Edits that keep all lengths. */
const rewrites: readonly (readonly [name: string, from: RegExp, to: string])[] = [
  ['subfilter', /ETSI\.CAdES\.detached/, 'adbe.pkcs7.detached'],
  ['subfilter-unknown', /ETSI\.CAdES\.detached/, 'ETSI.CAdES.detacheX'],
  ['byterange-start', /\/ByteRange ?\[ ?0 /, '/ByteRange [ 1 '],
  ['byterange-length', /(\/ByteRange ?\[ ?\d+ )(\d)/, '$19'],
  ['dss-renamed', /\/DSS /, '/DSX '],
  ['ocsps-renamed', /\/OCSPs/, '/OCSPx'],
  ['certs-renamed', /\/Certs/, '/Certx'],
  ['vri-renamed', /\/VRI/, '/VRX'],
  ['docts-type', /\/DocTimeStamp/, '/DocTimeStamq'],
  ['sig-type', /\/FT ?\/Sig/, '/FT /Tig'],
  ['time-changed', /\(D:20(\d\d)/, '(D:19$1'],
  ['header', /%PDF-1\.\d/, '%PDF-1.3'],
  ['font', /\/Helvetica/, '/Halvetica'],
  ['media-box', /\/MediaBox ?\[ ?0 0 \d/, '/MediaBox [0 0 1'],
];

/** The CMS alterations in the last and in the first signature, where they still fit. */
function inContents(text: string, context: AlterationContext): readonly Alteration[] {
  const found = [...text.matchAll(contents)].filter(({ 1: hex = '' }) => hex.length > 1000);
  const places = found.length > 1 ? [found[0], found.at(-1)] : found;
  const others = { ...context, other: cmsOf(context.other) };
  return places.flatMap((match, index) => {
    if (match === undefined) return [];
    const hex = match[1] as string;
    const cms = new Uint8Array(Buffer.from(hex, 'hex'));
    const at = match.index + match[0].indexOf('<') + 1;
    return cmsAlterations(trimmed(cms), others).map(({ name, make }) => ({
      name: `cms${index}-${name}`,
      make: () => {
        const made = make();
        if (made === undefined || made.length * 2 > hex.length) return undefined;
        const padded = Buffer.from(made).toString('hex').padEnd(hex.length, '0');
        return new Uint8Array(
          Buffer.from(text.slice(0, at) + padded + text.slice(at + hex.length), 'latin1'),
        );
      },
    }));
  });
}

function cmsOf(pdf: Uint8Array | undefined): Uint8Array | undefined {
  const [match] = Buffer.from(pdf ?? [])
    .toString('latin1')
    .matchAll(contents);
  return match && trimmed(new Uint8Array(Buffer.from(match[1] as string, 'hex')));
}

function trimmed(cms: Uint8Array): Uint8Array {
  const count = (cms[1] as number) & 0x7f;
  const long = [...cms.subarray(2, 2 + count)].reduce((sum, each) => sum * 256 + each, 0);
  return (cms[1] as number) < 0x80 ? cms : cms.slice(0, 2 + count + long);
}

function countEnds(whole: string): number {
  return whole.split('%%EOF').length - 1;
}

function cutAfter(whole: string, count: number): string | undefined {
  if (count < 1 || countEnds(whole) <= count) return undefined;
  return `${whole.split('%%EOF').slice(0, count).join('%%EOF')}%%EOF\n`;
}

function lastOf(whole: string, what: RegExp): string {
  return [...whole.matchAll(what)].at(-1)?.[1] ?? '';
}

function emptyUpdate(whole: string): string | undefined {
  const root = lastOf(whole, /\/Root (\d+ \d+ R)/g);
  const size = lastOf(whole, /\/Size (\d+)/g);
  const prev = lastOf(whole, /startxref\s+(\d+)/g);
  const at = whole.length + 1;
  const trailer = `trailer\n<</Size ${size}/Root ${root}/Prev ${prev}>>`;
  return `xref\n0 0\n${trailer}\nstartxref\n${at}\n%%EOF\n`;
}

/** An update with a different version of the first page. */
function pageUpdate(whole: string): string {
  const page = /(\d+) 0 obj\s*<<[\s\S]*?\/Type ?\/Page\b[\s\S]*?endobj/.exec(whole);
  const root = lastOf(whole, /\/Root (\d+ \d+ R)/g);
  const size = lastOf(whole, /\/Size (\d+)/g);
  const prev = lastOf(whole, /startxref\s+(\d+)/g);
  const body = page?.[0].slice(page[0].lastIndexOf(`${page[1]} 0 obj`)) ?? '';
  const rotated = body.replace('/Type /Page', '/Rotate 90 /Type /Page');
  const at = whole.length + 1;
  const offset = String(at).padStart(10, '0');
  const xref = `xref\n${page?.[1]} 1\n${offset} 00000 n \ntrailer\n`;
  const trailer = `<</Size ${size}/Root ${root}/Prev ${prev}>>\n`;
  return `\n${rotated}\n${xref}${trailer}startxref\n${at + rotated.length + 1}\n%%EOF\n`;
}
