import { command, integer } from '../../command/index.ts';
import { printable } from '../../output/index.ts';

const wholeNumber = integer(0, Number.MAX_SAFE_INTEGER, 'a number');

const auditList = command('screen audit list', {
  summary: 'list screenings',
  description: 'List the screenings of the company in order, with their matches.',
  options: {
    '--after <number>': { text: 'only those after this number', ...wholeNumber, default: '0' },
    '--take <number>': { text: 'maximum number, up to 1000', ...wholeNumber, default: '100' },
  },
  examples: {
    'innsigli screen audit list --json': 'queries, lists, matches with a rate of at least 60',
  },
  exits: { 0: 'listed', 2: 'a value is invalid' },
  call: async ({ screening }, { after, take }) => ({
    screenings: await screening.list({ afterSeq: after, take }),
  }),
  document: ({ screenings }) => ({
    screenings: screenings.map(({ companyKey: _, salt: _salt, ...screening }) => screening),
  }),
  text: ({ screenings }, { console }) => {
    for (const { seq, id, atMs, cause, query, matches } of screenings) {
      const { originalName, firstName, middleName, lastName } = query;
      const name = originalName ?? [firstName, middleName, lastName].filter(Boolean).join(' ');
      const time = new Date(atMs).toISOString();
      const best = matches[0] === undefined ? 'no match' : `${matches[0].rate} ${matches[0].list}`;
      console.result([String(seq), time, cause, printable(name), printable(best), id].join('  '));
    }
    if (screenings.length === 0) console.note('no screening is recorded');
  },
});

const auditVerify = command('screen audit verify', {
  summary: 'verify that no screening was changed',
  description:
    'Verify that every screening is unchanged since it was recorded, and that none in between is ' +
    'missing.',
  help: [
    'Each row contains the hash of the previous row. Rows removed at the end cannot be detected ' +
      'this way: store the printed hash elsewhere, and compare it.',
  ],
  examples: { 'innsigli screen audit verify': 'exit code 7 if one was changed' },
  exits: { 0: 'all are unchanged', 7: 'one was changed or is missing' },
  call: ({ screening }) => screening.verify(),
  text: ({ intact, screenings, head, brokenAt }, { console }) => {
    console.result(intact ? `intact  ${screenings}  ${head}` : `broken at ${brokenAt}`);
  },
  exit: ({ intact }) => (intact ? 0 : 7),
});

const auditReplay = command('screen audit replay', {
  summary: 'repeat a screening',
  description: 'Repeat a screening against the list versions it searched.',
  args: { '<screening>': 'ID or number' },
  help: ['Versions of lists are stored for 90 days after they are replaced.'],
  examples: { 'innsigli screen audit replay 12': 'exit code 7 if the result differs' },
  exits: {
    0: 'the result is the same',
    5: 'no such screening, or a list version is no longer stored',
    7: 'something else comes out',
  },
  call: ({ screening }, { screening: id }) => screening.replay(id),
  document: ({ screening, isSame, isSameEngine, matches }) => ({
    screening: screening.id,
    engineVersion: screening.engineVersion,
    isSame,
    isSameEngine,
    matches,
  }),
  text: ({ isSame, isSameEngine, screening, matches }, { console }) => {
    if (!isSameEngine)
      console.note('the matching algorithm has a different version: rates may differ');
    const n = matches.length;
    const howMany = `${n} ${n === 1 ? 'match' : 'matches'}`;
    const found = `${howMany}, recorded ${screening.matches.length}`;
    console.result(isSame ? `the same: ${found}` : `not the same: ${found}`);
  },
  exit: ({ isSame }) => (isSame ? 0 : 7),
});

/** `screen audit` with its commands. */
export const screenAudit = command('screen audit', {
  summary: 'read and verify recorded screenings',
  description: 'Read, verify and replay recorded screenings.',
  commands: [auditList, auditVerify, auditReplay],
});
