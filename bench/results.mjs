import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdown } from './table.mjs';
import { judge } from './targets.mjs';

/**
 * Opens results.json and the tables of README.md in a folder. A group that is not measured again is
 * kept with its date.
 *
 * @param about values stored next to the groups: day, machine, versions
 */
export function openResults(folder, about) {
  const file = join(folder, 'results.json');
  const readme = join(folder, 'README.md');
  const write = (groups) => {
    const results = { ...about, groups, targets: judge(groups) };
    writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
    const [before, after] = readFileSync(readme, 'utf8').split(
      /<!-- table -->[\s\S]*<!-- \/table -->/,
    );
    const text = markdown(results);
    writeFileSync(readme, `${before}<!-- table -->\n\n${text}\n<!-- /table -->${after}`);
  };
  return {
    /** Writes the results of one part immediately, so that a later failure loses nothing. */
    add: (measured) =>
      write(replaceGroups(JSON.parse(readFileSync(file, 'utf8')).groups, measured)),
    /** After a complete measurement: removes groups that are no longer measured. */
    replace: write,
  };
}

/**
 * Returns `kept` in its order, with newly measured groups replaced in place and new ones appended.
 */
export function replaceGroups(kept, measured) {
  return [
    ...kept.map((old) => measured.find(({ title }) => title === old.title) ?? old),
    ...measured.filter(({ title }) => !kept.some((old) => old.title === title)),
  ];
}
