import type { Random } from './random.ts';

const prefixes = ['', '', 'a', 'b', 'c', 'ä', '\u{10400}', 'zxmlns'];
const locals = ['a', 'b', 'c', 'Id', 'ID', 'é', '\u{10400}', '\ufffd', 'a.b', 'a-b', 'xmlnsa'];
const uris = ['urn:a', 'urn:b', 'http://c/', 'urn:a', 'http://c/?x=1&amp;y=2', 'urn:&lt;', 'x/y'];
const ordinaryBases = ['http://h/a/b', 'c/', '../d', '../../e/', 'f/g', '/i/j', 'urn://k/l'];
const oddBases = ['', '/e/./f', '//h2/g?q', 'x#y', '..', '?z', './', 'a//b', 'a.b', 'http://h'];
const xmlAttributes: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['xml:lang', ['de', '', 'en']],
  ['xml:space', ['preserve', 'default']],
  ['xml:id', ['x', 'y']],
  ['xml:other', ['1', '&quot;']],
  ['xml:base', ordinaryBases],
];
const values = [
  '1',
  '',
  ' a  b ',
  'x&amp;y',
  'a&lt;b',
  '>',
  "it's",
  '&quot;q&quot;',
  '&apos;',
  '&#9;&#xA;&#xD;',
  '\t\n\r\r\n.',
  '&#x10FFFF;',
  'ü\u2028\u00a0\ufeff',
  '&#038;&#x26;',
  '&#0060;',
];
const texts = [
  'text',
  ' ',
  '\n  ',
  '\r\n\r\n\n\r',
  '&amp;&lt;&gt;&quot;&apos;',
  '&#13;&#xD;&#xd;&#10;&#9;',
  '>]]]',
  '&#x1F600;😀',
  'ü\u2028\u0085\u00a0',
  '"\'\t',
  '&#62;&#38;&#60;',
];
const between = [
  '<!---->',
  '<!-- c\r\nd - e -->',
  '<?p?>',
  '<?p  d\r\n?>',
  '<?pi\u00a0x?>',
  '<?p \u2028 ?>',
  '<?p x?y?>',
  '<![CDATA[]]>',
  '<![CDATA[<&>]]]\r\n]]>',
  '<![CDATA[&amp;\r]]>',
];

/**
 * Returns a mostly well-formed document, full of constructs that canonicalization treats specially.
 */
export function generateDocument(random: Random): string {
  const head = random.pick(['', '', '<?xml version="1.0"?>', '\ufeff', declarationOf(random)]);
  return `${head}${aroundRoot(random)}${elementOf(random, 0, new Set())}${aroundRoot(random)}`;
}

function declarationOf(random: Random): string {
  const encoding = random.pick([
    '',
    ' encoding="UTF-8"',
    " encoding='utf-8' ",
    ' encoding="ASCII"',
  ]);
  const standalone = random.pick(['', ' standalone="yes"', '\nstandalone="no" ']);
  return `<?xml version='1.0'${encoding}${standalone}?>`;
}

function aroundRoot(random: Random): string {
  if (!random.oneIn(4)) return random.pick(['', '', '\n', ' \r\n']);
  return `\n${random.pick(between.slice(0, 7))} ${random.pick(between.slice(0, 7))}\n`;
}

function elementOf(random: Random, depth: number, outer: ReadonlySet<string>): string {
  const bound = new Set(outer);
  const attributes = declarationsOf(random, bound);
  const names = new Set<string>();
  for (let i = random.below(4); i > 0; i--) {
    const prefix = prefixOf(random, bound);
    const name = prefix === '' ? random.pick(locals) : `${prefix}:${random.pick(locals)}`;
    if (names.has(name)) continue;
    names.add(name);
    attributes.push(attributeOf(random, name, random.pick(values)));
  }
  for (const [name, choices] of xmlAttributes) {
    if (!random.oneIn(12)) continue;
    const values = name === 'xml:base' && random.oneIn(8) ? oddBases : choices;
    attributes.push(attributeOf(random, name, random.pick(values)));
  }
  const prefix = prefixOf(random, bound);
  const name = prefix === '' ? random.pick(locals) : `${prefix}:${random.pick(locals)}`;
  const gap = random.oneIn(12) ? random.pick(['\n', '  ', '\t', '\r\n']) : ' ';
  const shuffled = attributes.sort(() => random.below(3) - 1);
  const tag = [name, ...shuffled].join(gap);
  const end = random.oneIn(10) ? ' ' : '';
  if (depth > 4 || random.oneIn(4)) return `<${tag}${end}/>`;
  return `<${tag}${end}>${contentOf(random, depth, bound)}</${name}${end}>`;
}

function declarationsOf(random: Random, bound: Set<string>): string[] {
  const declarations: string[] = [];
  const declared = new Set<string>();
  for (let i = random.below(3); i > 0; i--) {
    const prefix = random.pick(prefixes);
    if (declared.has(prefix)) continue;
    declared.add(prefix);
    bound.add(prefix);
    const uri =
      prefix === '' && random.oneIn(3) ? '' : random.pick(uris.slice(0, uriCount(random)));
    declarations.push(attributeOf(random, prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri));
  }
  if (random.oneIn(60)) declarations.push('xmlns:xml="http://www.w3.org/XML/1998/namespace"');
  return declarations;
}

/** Rare, so that it hides little else: `&` and relative URIs differ for known reasons. */
function uriCount(random: Random): number {
  return random.oneIn(40) ? uris.length : 4;
}

function prefixOf(random: Random, bound: ReadonlySet<string>): string {
  if (random.oneIn(50)) return 'xml';
  const usable = [...bound].filter((prefix) => prefix !== '');
  return usable.length === 0 || random.oneIn(2) ? '' : random.pick(usable);
}

function attributeOf(random: Random, name: string, value: string): string {
  const quote = random.oneIn(4) || value.includes('"') ? "'" : '"';
  const equals = random.oneIn(15) ? ' = ' : '=';
  return `${name}${equals}${quote}${value.replaceAll(quote, '&#34;')}${quote}`;
}

function contentOf(random: Random, depth: number, bound: ReadonlySet<string>): string {
  let content = '';
  for (let i = random.below(5); i > 0; i--) {
    const kind = random.below(5);
    if (kind < 2) content += random.pick(texts);
    else if (kind === 2) content += random.pick(between);
    else content += elementOf(random, depth + 1, bound);
  }
  return content;
}
