import { STATUS_CODES } from 'node:http';
import { screeningOperations } from '../../../app/screening/index.ts';
import { defined } from '../../../base/defined.ts';
import { fullNameOf, type WatchMatch } from '../../../domain/screening/index.ts';
import type { Failure } from '../../failure.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { screeningAnswer, screeningFailure, screeningRequest } from '../../schemas/index.ts';

/** Adds the route that looks for a person on lists. */
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
      'is an empty list.',
    body: screeningRequest,
    answers: { 200: { description: 'The matches.', schema: screeningAnswer } },
    errors: screeningOperations.screen.errors,
    failureBody,
    failureSchema: screeningFailure,
    handle: async ({ body, company }) => {
      const { MatchRate, ...echo } = body;
      const found = await company.screening.screen({ ...echo, matchRate: MatchRate });
      return {
        errors: [],
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

function showMatch({ entry, rate, matchedFields, category }: WatchMatch): object {
  return defined({
    category,
    categories: category.split('/'),
    match_rate: rate,
    matchedFields,
    gender: entry.gender,
    deceased: entry.isDeceased === true,
    firstName: entry.firstName,
    middleName: entry.middleName,
    lastName: entry.lastName,
    fullName: fullNameOf(entry),
    images: entry.images ?? [],
    dateOfBirth: entry.dateOfBirth,
    countries: entry.countries,
    placeOfBirth: entry.placeOfBirth,
    primaryLocation: entry.primaryLocation,
    generalInfo: defined({ nationality: entry.nationality }),
    furtherInformation: entry.furtherInformation ?? [],
    descriptions: entry.descriptions ?? [],
    roles: entry.roles ?? [],
    officialLists: entry.officialLists ?? [],
  });
}

/** Words of this route: they are other ones than everywhere else. */
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
