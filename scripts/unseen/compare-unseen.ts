import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { askJudge } from '../../test/interop/tools.ts';
import { compareFile, type Difference, type Tally, tallyLine } from '../agreement/compare.ts';
import { verdictsOf } from '../agreement/ours.ts';
import type { ReferenceAnswer } from '../agreement/reference.ts';
import { createRandom } from '../xml-fuzz/random.ts';
import { cmsAlterations } from './alter-cms.ts';
import { containerAlterations } from './alter-container.ts';
import { pdfAlterations } from './alter-pdf.ts';
import { xmlAlterations } from './alter-xml.ts';
import { type Alteration, type AlterationContext, blindAlterations } from './alteration.ts';
import type { OddForm } from './odd-forms.table.ts';
import type { Source } from './sources.ts';

/** Files to alter, number of alterations, and folder of the results. */
export interface UnseenRequest {
  /** Path of the reference validator. */
  readonly judge: string;
  readonly root: string;
  readonly folder: string;
  readonly seed: number;
  /** Number of altered files per signed file. */
  readonly count: number;
  /** Missing revocation data is a warning for both validators. */
  readonly isRelaxed: boolean;
  /** Time of verification for both. Default: now. */
  readonly at?: Date;
  /** Only alterations that know the format. */
  readonly isShort?: boolean;
}

/** Result of a comparison. */
export interface UnseenResult {
  readonly files: number;
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly differences: readonly Difference[];
}

interface AlteredFile {
  readonly path: string;
  readonly kind: Source['kind'];
  readonly beside?: string;
}

const alterationsOf = {
  pdf: pdfAlterations,
  xml: xmlAlterations,
  cms: cmsAlterations,
  container: containerAlterations,
} as const;

/**
 * Alters the signed files, runs the reference validator, and compares; prints one line per format.
 */
export async function compareUnseen(
  sources: readonly Source[],
  request: UnseenRequest,
): Promise<UnseenResult> {
  return await compareFiles(alterAll(sources, request), request);
}

/** Writes files signed in unusual ways, runs the reference validator, and compares. */
export async function compareOdd(
  forms: readonly OddForm[],
  request: UnseenRequest,
): Promise<UnseenResult> {
  mkdirSync(request.folder, { recursive: true });
  const files: AlteredFile[] = [];
  for (const { name, kind, make } of forms) {
    const path = join(request.folder, `${name.replaceAll(/\W+/g, '-')}${endings[kind]}`);
    // Files with a stored verdict of the reference validator are left unchanged.
    if (!existsSync(path)) writeFileSync(path, await make());
    files.push({ path, kind });
  }
  return await compareFiles(files, request);
}

const endings = { cms: '.p7m', xml: '.xml', pdf: '.pdf', container: '.asice' } as const;

async function compareFiles(
  altered: readonly AlteredFile[],
  request: UnseenRequest,
): Promise<UnseenResult> {
  const { answers, at } = await answersOf(altered, request);
  const tallies = new Map<string, Tally>();
  const differences: Difference[] = [];
  const roots = rootsFolder(request);
  for (const { path, kind, ...rest } of altered) {
    const theirs = answers.get(path);
    if (theirs?.signatures === undefined) continue;
    const tally: Tally = tallies.get(kind) ?? new Map();
    tallies.set(kind, tally);
    const ours = await verdictsOf(path, { roots, at, isRelaxed: request.isRelaxed, ...rest });
    differences.push(...compareFile(path, kind, theirs, ours, tally));
  }
  for (const [kind, tally] of tallies) {
    const count = altered.filter((each) => each.kind === kind).length;
    console.log(tallyLine(`unseen ${kind}`, count, tally));
  }
  return { files: altered.length, tallies, differences };
}

function rootsFolder({ folder, root }: UnseenRequest): string {
  const roots = join(folder, 'roots');
  mkdirSync(roots, { recursive: true });
  writeFileSync(join(roots, 'root.pem'), readFileSync(root));
  return roots;
}

/** Writes the altered files, and each source unchanged. */
function alterAll(
  sources: readonly Source[],
  { folder, seed, count, isShort = false }: UnseenRequest,
): readonly AlteredFile[] {
  mkdirSync(folder, { recursive: true });
  return sources.flatMap(({ path, kind, beside }, index): AlteredFile[] => {
    const random = createRandom(seed * 1000 + index);
    const alike = sources.filter((each) => each.kind === kind && each.path !== path);
    const donor = alike.length === 0 ? undefined : random.pick(alike);
    const other = donor && new Uint8Array(readFileSync(donor.path));
    const context: AlterationContext = { random, other };
    const bytes = new Uint8Array(readFileSync(path));
    const blind = isShort ? [] : blindAlterations(bytes, context);
    const all = [...alterationsOf[kind](bytes, context), ...blind];
    const chosen = shuffled(all, random).flatMap((each) => madeBy(each) ?? []);
    const as = (name: string, content: Uint8Array): AlteredFile => {
      const target = join(folder, `${basename(path, extname(path))}~${name}${extname(path)}`);
      writeFileSync(target, content);
      return { path: target, kind, ...(beside === undefined ? {} : { beside }) };
    };
    const asIs = as('as-it-is', bytes);
    return [asIs, ...chosen.slice(0, count).map(({ name, content }) => as(name, content))];
  });
}

function madeBy({
  name,
  make,
}: Alteration): { readonly name: string; readonly content: Uint8Array } | undefined {
  try {
    const content = make();
    return content && { name, content };
  } catch {
    // It does not apply to this file.
    return undefined;
  }
}

function shuffled<T>(items: readonly T[], random: AlterationContext['random']): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

interface Answers {
  readonly at: Date;
  readonly answers: ReadonlyMap<string, ReferenceAnswer>;
}

/** Verdicts of the reference validator, which is run once per folder and policy. */
async function answersOf(files: readonly AlteredFile[], request: UnseenRequest): Promise<Answers> {
  const { folder, isRelaxed, judge } = request;
  const kept = join(folder, `answers-${isRelaxed ? 'relaxed' : 'default'}.json`);
  if (existsSync(kept)) {
    const { at, rows } = JSON.parse(readFileSync(kept, 'utf8'));
    return { at: new Date(at), answers: new Map(rows) };
  }
  const { at = new Date(Math.floor(Date.now() / 1000) * 1000) } = request;
  const policy = resolve('../shared/tools/policies/revocation-relaxed.xml');
  const answers = new Map<string, ReferenceAnswer>();
  for (const beside of new Set(files.map((each) => each.beside))) {
    const group = files.filter((each) => each.beside === beside);
    const options = [
      ...['--trust', rootsFolder(request), '--at', at.toISOString()],
      ...(isRelaxed ? ['--policy', policy] : []),
      ...(beside === undefined ? [] : ['--detached', beside]),
    ];
    const paths = group.map(({ path }) => path);
    const found = await askJudge<ReferenceAnswer>(judge, 'dss', options, paths, folder);
    if (found.problem !== undefined) console.log(`the reference validator: ${found.problem}`);
    for (const [path, answer] of found.answers) answers.set(path, answer);
  }
  writeFileSync(kept, JSON.stringify({ at: at.toISOString(), rows: [...answers] }));
  return { at, answers };
}
