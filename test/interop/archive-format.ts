import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { report, skip } from './checks.ts';
import type { InnsigliCli } from './innsigli-cli.ts';
import type { JudgeRoom } from './local-judges.ts';
import type { SealKey } from './matrix.ts';
import { eachOf, run } from './tools.ts';

const corpora = resolve('../shared/corpora');
const looks = [[], ['--visible', '--qr', '--reason', 'Žluťoučký kůň', '--language', 'cs']];

/** What veraPDF says of a file, by flavour. */
type FlavourAnswer = Readonly<Record<string, { readonly compliant?: boolean } | string>>;

/** Every compliant PDF/A or PDF/UA file of the corpora must be one when it is sealed. */
export async function keepArchiveFormats(
  cli: InnsigliCli,
  key: SealKey,
  folder: string,
  { judge }: JudgeRoom,
): Promise<void> {
  if (judge === undefined || !existsSync(corpora)) {
    return skip('PDF/A and PDF/UA', '../shared/tools/judge or ../shared/corpora is absent');
  }
  const candidates = readdirSync(corpora, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.pdf$/i.test(path))
    .map((path) => join(corpora, path))
    .filter((path) => /pdf(a|ua)id/.test(readFileSync(path, 'latin1')));
  const before = await askFlavours(judge, candidates);
  const orders = candidates.flatMap((input, index) => {
    const flavours = compliantFlavours(before.get(input));
    return flavours.length === 0
      ? []
      : looks.flatMap((look, number) =>
          ['B-B', 'B-LTA'].map((level) => ({
            input,
            flavours,
            options: ['--level', level, ...look],
            output: join(folder, `archive-format-${index}-${number}-${level}.pdf`),
          })),
        );
  });
  await eachOf(orders, ({ input, output, options }) =>
    cli.run(['seal', input, '-o', output, ...options, ...key.options]),
  );
  for (const flavour of new Set(orders.flatMap(({ flavours }) => flavours))) {
    const own = orders.filter(({ flavours }) => flavours.includes(flavour));
    const outputs = own.map(({ output }) => output).filter((path) => existsSync(path));
    const after = await askFlavours(judge, outputs, flavour);
    for (const { input, output, options } of own) {
      const kept = compliantFlavours(after.get(output)).includes(flavour);
      const said = JSON.stringify(after.get(output) ?? 'not sealed');
      report(
        `${flavour} kept ${input.slice(corpora.length + 1)} ${options.join(' ')}`,
        kept ? [] : [said],
      );
    }
  }
}

function compliantFlavours(answer: FlavourAnswer | undefined): string[] {
  return Object.entries(answer ?? {}).flatMap(([flavour, said]) =>
    typeof said === 'object' && said.compliant === true ? [flavour] : [],
  );
}

async function askFlavours(
  judge: string,
  files: readonly string[],
  flavour?: string,
): Promise<ReadonlyMap<string, FlavourAnswer>> {
  const request = flavour === undefined ? [] : ['--flavour', flavour];
  const { stdout } = await run(judge, ['pdfa', ...request, ...files], { timeoutMs: 300_000 });
  const rows = stdout.split('\n').filter((line) => line.startsWith('{'));
  return new Map(
    rows.map((line) => {
      const { file, ...answer } = JSON.parse(line) as { readonly file: string };
      return [file, answer as FlavourAnswer];
    }),
  );
}
