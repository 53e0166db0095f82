import { STATUS_CODES } from 'node:http';
import {
  type Screening,
  type ScreeningMatch,
  screeningOperations,
} from '../../../app/screening/index.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { dayFault, isDay } from '../../../base/time/day.ts';
import type { ListVersion } from '../../../domain/screening/index.ts';
import type { Failure } from '../../failure.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { screeningAnswer, screeningFailure, screeningRequest } from '../../schemas/index.ts';

/** Adds the route that searches for a person on lists. */
export function registerScreening(app: ApiApp): void {
  addRoute(app, {
    method: 'POST',
    path: '/watchlist/person',
    access: 'company',
    scope: 'screen',
    tag: 'Screening',
    summary: 'Screen a person',
    description:
      'Searches the imported lists: sanctions, politically exposed persons and others. No match ' +
      'gives an empty list.',
    body: screeningRequest,
    answers: { 200: { description: 'The matches.', schema: screeningAnswer } },
    errors: screeningOperations.screen.errors,
    names: { matchRate: 'MatchRate' },
    failureBody,
    failureSchema: screeningFailure,
    handle: async ({ body, company }) => {
      const { MatchRate, ...echo } = body;
      requireDay(body.dateOfBirth);
      const found = await company.screening.screen({ ...echo, matchRate: MatchRate });
      return {
        errors: [
          ...(found.lists.some(({ isFictional }) => isFictional === true) ? [fictionalText] : []),
          ...found.staleLists.map(staleText),
          ...found.unread.map((what) => unreadText[what]),
          ...(found.isCut === true ? [cutText] : []),
        ],
        id: [{ id: found.id }],
        date: [{ date: new Date(found.atMs).toISOString() }],
        match: found.matches.map(showMatch),
        status: [{ status: 'Finished' }],
        request: { ...echo, matchRate: found.matchRate },
        flowkey: body.flowKey,
      };
    },
  });
}

/** The library also accepts a month or a year. @throws screening.date.invalid */
function requireDay(text: string | undefined): void {
  if (text === undefined || isDay(text)) return;
  throw new InnsigliError('screening.date.invalid', `dateOfBirth: ${dayFault(text)}`);
}

const fictionalText =
  'no list was imported: the embedded list of fictitious persons was searched, for tests only';

const cutText = 'only the 100 closest matches are shown; there are more';

const unreadText: Readonly<Record<Screening['unread'][number], string>> = {
  names:
    'the name contains more than 8 names separated by semicolons: only the first 8 were searched',
  words: 'a name has more than 16 words or 300 characters: its end was not searched',
};

function staleText({ list, publishedDate, importedAtMs }: ListVersion): string {
  const imported = new Date(importedAtMs).toISOString().slice(0, 10);
  const published = publishedDate === undefined ? '' : ` of ${publishedDate}`;
  return `the list ${list}${published} was imported on ${imported} and is outdated`;
}

function showMatch({ person, rate, matchedFields, category }: ScreeningMatch): object {
  const { firstName, middleName, lastName } = person;
  const [birth] = person.births;
  return defined({
    category,
    categories: category.split('/'),
    match_rate: rate,
    matchedFields,
    gender: person.gender,
    deceased: person.isDeceased === true,
    firstName,
    middleName,
    lastName,
    fullName: [firstName, middleName, lastName].filter(Boolean).join(' '),
    images: person.images ?? [],
    dateOfBirth: birth?.from,
    countries: person.countries,
    placeOfBirth: person.placeOfBirth,
    primaryLocation: person.primaryLocation,
    generalInfo: defined({ nationality: person.nationality }),
    furtherInformation: person.furtherInformation ?? [],
    descriptions: [],
    roles: person.roles ?? [],
    officialLists: person.officialLists ?? [],
  });
}

/** Error codes of this route, which differ from those everywhere else. */
const words: Readonly<Record<string, string>> = {
  'screening.date.invalid': 'invalid_date',
  'screening.flow.invalid': 'invalid_flow_key',
};

function failureBody({ status, code, message }: Failure): object {
  const byStatus: Readonly<Record<number, string>> = {
    401: 'invalid_credentials',
    429: 'rate_limited',
  };
  const word = words[code] ?? byStatus[status] ?? (status < 500 ? 'invalid_request' : undefined);
  return { error: STATUS_CODES[status] ?? 'Error', message, code: word ?? 'internal_error' };
}
