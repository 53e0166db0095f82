import type { ChangedProfile, ListOutcome, ListStatus } from '../../../wire/trust-profiles.ts';
import { counted, printable, type Style } from '../../output/index.ts';
import { commonName } from '../../subject-name.ts';

const day = (time: string | undefined) => time?.slice(0, 10) ?? 'closed    ';

/** True for a list of which no newer version was obtained, or none at all. */
export function isStale({ result }: ListOutcome): boolean {
  return result === 'kept' || result === 'missing';
}

/** Members that `--json` prints for a changed profile. */
export function changedDocument({ profile: { name, version }, outcomes }: ChangedProfile) {
  return { profile: name, version, lists: outcomes };
}

/** Name and version of a changed profile, with a summary of its content. */
export function changedLine({ profile: { name, version, lists, certificates } }: ChangedProfile) {
  const services = lists.reduce((sum, list) => sum + list.services, 0);
  // A profile without own anchors uses those of its lists.
  const own = certificates.length === 0 ? '' : `, ${counted(certificates.length, 'certificate')}`;
  const held = `${counted(lists.length, 'list')}, ${counted(services, 'service')}${own}`;
  return `${name}, version ${version}: ${held}`;
}

/** One line per list with its result. */
export function outcomeLines(outcomes: readonly ListOutcome[], style: Style): readonly string[] {
  return outcomes.map(({ territory = '??', result, location, problem }) => {
    const isWrong = problem !== undefined;
    const mark = isWrong ? style.yellow('!') : style.green('✓');
    const why = isWrong ? `  ${printable(problem.message)} [${problem.code}]` : '';
    const place = style.dim(printable(location));
    return `${mark} ${printable(territory).padEnd(3)} ${result.padEnd(9)} ${place}${why}`;
  });
}

/** One line per list: territory, number, issue, next update, services, signature. */
export function statusLines(lists: readonly ListStatus[], style: Style): readonly string[] {
  return lists.map((list) => {
    const { territory, sequenceNumber, issued, nextUpdate, isOverdue, services, signature } = list;
    const isValid = signature === 'valid';
    const next = isOverdue ? style.yellow(`${day(nextUpdate)} overdue`) : day(nextUpdate);
    return [
      isValid ? style.green('✓') : style.red('✗'),
      printable(territory).padEnd(3),
      `no. ${sequenceNumber}`.padEnd(8),
      `issued ${day(issued)}`,
      `next ${next}`,
      `${services} services`,
      isValid
        ? `signed by ${commonName(list.signer)}`
        : `invalid: ${printable(list.problem ?? '')}`,
      style.dim(printable(list.operator)),
    ].join('  ');
  });
}
