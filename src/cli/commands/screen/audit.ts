import { command, integer } from '../../command/index.ts';
import { printable } from '../../output/index.ts';

const wholeNumber = integer(0, Number.MAX_SAFE_INTEGER, 'a number');

const auditList = command('screen audit list', {
  summary: 'list screenings',
  description: 'List the screenings of the company in their order, with what each has found.',
  options: {
    '--after <number>': { text: 'only those behind this number', ...wholeNumber, default: '0' },
    '--take <number>': { text: 'at most, up to 1000', ...wholeNumber, default: '100' },
  },
  examples: { 'innsigli screen audit list --json': 'queries, lists, matches from a rate of 60 on' },
  exits: { 0: 'listed', 2: 'a value is wrong' },
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
    if (screenings.length === 0) console.note('nobody was screened');
  },
});

const auditVerify = command('screen audit verify', {
  summary: 'check that no screening was changed',
  description:
    'Check that every screening is as it was recorded, and that none is missing between.',
  help: [
    'Each row has the hash of the row before. Rows that are cut off at the end are not noticed ' +
      'by it: keep the hash that is printed elsewhere, and compare.',
  ],
  examples: { 'innsigli screen audit verify': 'exit code 7 when one was changed' },
  exits: { 0: 'all are as recorded', 7: 'one was changed, or is missing' },
  call: ({ screening }) => screening.verify(),
  text: ({ intact, screenings, head, brokenAt }, { console }) => {
    console.result(intact ? `intact  ${screenings}  ${head}` : `broken at ${brokenAt}`);
  },
  exit: ({ intact }) => (intact ? 0 : 7),
});

const auditReplay = command('screen audit replay', {
  summary: 'do a screening again',
  description: 'Do a screening again, against the versions of the lists that it searched.',
  args: { '<screening>': 'id or number' },
  help: ['Versions of lists are kept for 90 days after another has replaced them.'],
  examples: { 'innsigli screen audit replay 12': 'exit code 7 when something else comes out' },
  exits: {
    0: 'the same comes out',
    5: 'there is no such screening, or a version of a list is gone',
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
    if (!isSameEngine) console.note('the matching has another version: rates may be others');
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
