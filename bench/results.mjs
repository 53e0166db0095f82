import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdown } from './table.mjs';
import { judge } from './targets.mjs';

/**
 * results.json and the tables of README.md in a folder. A group that was not measured again stays
 * with its day.
 *
 * @param about what stands beside the groups: day, machine, versions
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
    /** Writes what one part has measured, at once: what fails later loses nothing. */
    add: (measured) =>
      write(replaceGroups(JSON.parse(readFileSync(file, 'utf8')).groups, measured)),
    /** When all was measured: groups that are not measured any more go. */
    replace: write,
  };
}

/** `kept` in its order, with what was measured again in its place and what is new at the end. */
export function replaceGroups(kept, measured) {
  return [
    ...kept.map((old) => measured.find(({ title }) => title === old.title) ?? old),
    ...measured.filter(({ title }) => !kept.some((old) => old.title === title)),
  ];
}
