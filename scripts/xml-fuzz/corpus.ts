import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compareDocument, type Difference, type ElementPair, type Selector } from './compare.ts';

/** Result for the XML files of a folder. */
export interface CorpusResult {
  readonly tally: {
    readonly files: number;
    /** Number of files that both accept, that both reject, that one rejects. */
    readonly both: number;
    readonly neither: number;
    readonly differ: number;
    /** Number of compared canonical forms. */
    readonly forms: number;
  };
  readonly explained: ReadonlyMap<string, readonly string[]>;
  readonly unexplained: readonly { readonly file: string; readonly difference: Difference }[];
}

/** Limit of the work per file: in libxml2 a subtree costs as much as its document. */
export interface CorpusEffort {
  readonly mostSubtrees: number;
  /** Maximum of elements times subtrees of one file. */
  readonly mostElements: number;
}

/** Returns the XML files of a folder and its subfolders. */
export function listXml(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(xml|xsl|xsd|svg|tmpl|xhtml)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Compares all XML files of a folder with libxml2. */
export function compareCorpus(folder: string, effort: CorpusEffort): CorpusResult {
  const verdicts = { both: 0, neither: 0, differ: 0 };
  const explained = new Map<string, string[]>();
  const unexplained: { file: string; difference: Difference }[] = [];
  const files = listXml(folder);
  let forms = 0;
  for (const path of files) {
    const file = relative(folder, path);
    const comparison = compareDocument(readFileSync(path), selectEvenly(effort));
    verdicts[comparison.verdict]++;
    forms += comparison.forms;
    for (const difference of comparison.differences) {
      const { because } = difference;
      if (because === undefined) unexplained.push({ file, difference });
      else explained.set(because, [...(explained.get(because) ?? []), file]);
    }
  }
  return { tally: { files: files.length, ...verdicts, forms }, explained, unexplained };
}

function selectEvenly({ mostSubtrees, mostElements }: CorpusEffort): Selector {
  return (elements) => {
    const count = Math.min(
      elements.length,
      mostSubtrees,
      Math.floor(mostElements / elements.length),
    );
    const chosen = Array.from(
      { length: count },
      (_, i) => elements[Math.floor((i * elements.length) / count)] as ElementPair,
    );
    const prefixes = [...new Set(elements.map(([{ prefix }]) => prefix))];
    return {
      elements: chosen,
      excluded: chosen.slice(-1).filter(([{ index }]) => index > 0),
      prefixLists: [[], prefixes, prefixes.slice(0, 1)],
    };
  };
}
