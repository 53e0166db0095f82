import { type PatternNode, parsePattern } from './linear-pattern.ts';

/** Maximum length of an example, in characters. */
const lengthMax = 200;
/** Candidates for a character class, in order of preference. */
const usual = [...'1aA0x -./:+_@', 'þ', 'é', 'あ', '中', ...'bcdefghijklmnopqrstuvwyz23456789'];
const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));

/**
 * Returns a short text that the regular expression in `source` probably matches: anchors and word
 * boundaries are ignored. Undefined if there is none or it is too long.
 */
export function patternExample(source: string): string | undefined {
  const node = parsePattern(source);
  if (typeof node === 'string') return undefined;
  const text = exampleOf(node);
  return text === undefined || text.length > lengthMax ? undefined : text;
}

function exampleOf(node: PatternNode): string | undefined {
  switch (node.kind) {
    case 'char':
      return [...usual, ...ascii].find(node.test) ?? node.only;
    case 'assert':
      return '';
    case 'sequence':
      return joined(node.nodes);
    case 'choice':
      return node.nodes.map(exampleOf).find((each) => each !== undefined && each !== '') ?? '';
    case 'repeat': {
      if (node.min === 0) return '';
      const once = exampleOf(node.node);
      if (once === undefined || once.length * node.min > lengthMax) return undefined;
      return once.repeat(node.min);
    }
  }
}

function joined(nodes: readonly PatternNode[]): string | undefined {
  let text = '';
  for (const node of nodes) {
    const part = exampleOf(node);
    if (part === undefined || text.length > lengthMax) return undefined;
    text += part;
  }
  return text;
}
