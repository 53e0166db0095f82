import { command } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { statusLines } from './list-lines.ts';
import { openProfiles } from './options.ts';

/** Prints one profile. */
export const trustShow = command('trust show', {
  summary: 'print one profile',
  description:
    'Print a trust profile: signers of its first list, its own anchors, its lists, and pivots.',
  args: { '<profile>': 'name', '[territory]': 'also the services of this list: two letters' },
  examples: {
    'innsigli trust show eu': 'signers, anchors, lists, pivots',
    'innsigli trust show eu is': 'the services of Iceland',
  },
  exits: {
    0: 'printed',
    5: 'no such profile',
    7: 'the signature of a stored list is invalid',
    10: 'the profile is damaged',
  },
  busy: 'Verifying trusted lists',
  run: async ({ profile, territory }, context) =>
    (await openProfiles(context)).show(profile, territory),
  text: async (shown, { console }) => {
    const style = await console.style('stdout');
    const { name, version, changed, source, expired, signers } = shown;
    console.result(`${style.bold(name)}  version ${version} of ${changed}`);
    if (source !== undefined) {
      console.result(`  list         ${printable(source)}`);
      console.result(`  overdue      ${expired === 'warn' ? 'a warning' : 'refused'}`);
    }
    for (const { subject, sha256 } of signers) {
      console.result(`  signer       ${printable(subject)}  ${style.dim(sha256)}`);
    }
    for (const { subject, notBefore, notAfter, sha256 } of shown.anchors) {
      const valid = `valid ${notBefore.slice(0, 10)} to ${notAfter.slice(0, 10)}`;
      console.result(`  anchor       ${printable(subject)}  ${valid}  ${style.dim(sha256)}`);
    }
    console.result(statusLines(shown.lists, style).map((line) => `  ${line}`));
    if (shown.pivots.length > 0) {
      console.result('  pivots');
      console.result(statusLines(shown.pivots, style).map((line) => `    ${line}`));
    }
    for (const { provider, name: service, type, status, since } of shown.services ?? []) {
      const state = `${type.padEnd(12)} ${status.padEnd(10)} ${since.slice(0, 10)}`;
      console.result(`  ${state}  ${printable(service)}  ${style.dim(printable(provider))}`);
    }
  },
  exit: ({ lists, pivots }) =>
    [...lists, ...pivots].some(({ signature }) => signature === 'broken') ? 7 : 0,
});
