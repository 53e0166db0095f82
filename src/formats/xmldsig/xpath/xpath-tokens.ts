import { limits } from '../../../base/limits.ts';
import type { XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import { refusal, unsupported } from '../referenced-data.ts';

const literal = `'[^']*'|"[^"]*"`;
const word = '[\\p{L}_][\\p{L}\\p{N}._-]*';
const symbol = '::|//|[.][.]|!=|<=|>=|[0-9]+|[()\\[\\]@,/|+*=<>.$-]';
const token = new RegExp(`[ \\t\\r\\n]*(?:(${literal})|(${word}(?::${word})?)|(${symbol}))`, 'uy');

/**
 * The tokens of an XPath expression. White space is gone, literals keep their quotes, and a name
 * with prefix is written as `{namespace}local`, so that spelling does not matter; of the
 * namespace of XML signatures only `ds:` is written.
 *
 * @throws xml.signature.invalid when it is too long, or has a character or prefix of no meaning
 * @spec XPath 1.0 §3.7
 */
export function readXPathTokens(expression: XmlElement): readonly string[] {
  if (expression.children.length > 0) throw refusal('elements inside an XPath expression');
  const text = expression.text.replace(/[ \t\r\n]+$/, '');
  if (text.length > limits.xmlXPathCharacters) throw unsupported('an XPath expression is too long');
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [, quoted, name, sign] = token.exec(text) ?? [];
    const found = quoted ?? sign ?? (name && expandName(name, expression));
    if (found === undefined) throw unsupported('an unsupported XPath expression');
    tokens.push(found);
  }
  return tokens;
}

function expandName(name: string, expression: XmlElement): string {
  const colon = name.indexOf(':');
  if (colon < 0) return name;
  const uri = expression.namespaceOf(name.slice(0, colon));
  if (uri === undefined) throw refusal(`the prefix of ${name.slice(0, 60)} is not declared`);
  const local = name.slice(colon + 1);
  return uri === namespaces.dsig ? `ds:${local}` : `{${uri}}${local}`;
}
