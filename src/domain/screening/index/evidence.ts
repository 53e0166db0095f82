import type { MatchedField, PersonQuery } from '../name-index.types.ts';
import { approximateBirth, type IndexArrays, personFlag } from './layout.ts';

/** Contribution of birth date, gender and country to a match, in points of the rate. */
export interface Evidence {
  readonly points: number;
  /** Amount of agreement; ranks matches of equal rates. */
  readonly agreeing: number;
  readonly fields: readonly MatchedField[];
  /** Something contradicts the match, so that the rate cannot be 100. */
  readonly isContradicted: boolean;
}

const points = {
  /** All known parts of the listed date (day, month, year) agree. */
  sameBirth: 3,
  sameYear: 1,
  /** The year agrees, and one of the dates is 1 January, which means that the day is unknown. */
  openDay: 0,
  /** Day and month are swapped, or the year differs by one. */
  nearBirth: -4,
  sameYearOtherDay: -8,
  /** The year differs by two, or in one digit while day and month agree. */
  fewYears: -10,
  otherBirth: -25,
  otherGender: -12,
} as const;

/** Evaluates the evidence other than the name. Of several dates of birth the best match counts. */
export function weighEvidence(
  arrays: IndexArrays,
  person: number,
  query: PersonQuery,
  birth: number | undefined,
): Evidence {
  const fields: MatchedField[] = [];
  const born = birth === undefined ? 0 : bestBirth(arrays, person, birth);
  if (born === points.sameBirth) fields.push('dateOfBirth');
  else if (born === points.sameYear) fields.push('yearOfBirth');
  const sex = genderPoints(arrays.personFlags[person] as number, query.gender);
  if (sex === 'same') fields.push('gender');
  if (hasCountry(arrays, person, query.countryCode)) fields.push('country');
  return {
    points: born + (sex === 'other' ? points.otherGender : 0),
    agreeing: fields.length + Math.max(0, born),
    fields,
    isContradicted: born < 0 || sex === 'other',
  };
}

function bestBirth({ birthStart, births }: IndexArrays, person: number, born: number): number {
  const from = birthStart[person] as number;
  const to = birthStart[person + 1] as number;
  if (from === to) return 0;
  let best: number = points.otherBirth;
  for (let at = from; at < to; at++) {
    const end = births[2 * at + 1] as number;
    const isApproximate = end >= approximateBirth;
    const found = birthPoints(
      born,
      births[2 * at] as number,
      end % approximateBirth,
      isApproximate,
    );
    if (found > best) best = found;
  }
  return best;
}

function birthPoints(born: number, from: number, to: number, isApproximate: boolean): number {
  const year = Math.floor(born / 10_000);
  const [first, last] = [Math.floor(from / 10_000), Math.floor(to / 10_000)];
  if (first === 0) return 0;
  if (from === to && fits(born, from)) {
    return Math.min(from % 100, born % 100) > 0 ? points.sameBirth : points.sameYear;
  }
  const slack = isApproximate ? 2 : 0;
  if (year >= first - slack && year <= last + slack) {
    if (from !== to || isApproximate || from % 10_000 === 0) return points.sameYear;
    if (swapped(born) === from) return points.nearBirth;
    return isOpenDay(born) || isOpenDay(from) ? points.openDay : points.sameYearOtherDay;
  }
  const distance = year < first ? first - year : year - last;
  if (distance <= 1 + slack) {
    const isSameDay = born % 100 > 0 && born % 10_000 === from % 10_000;
    return isSameDay ? points.nearBirth : points.sameYearOtherDay;
  }
  const isNear = distance <= 2 + slack || (from === to && isOneDigitOff(born, from));
  return isNear ? points.fewYears : points.otherBirth;
}

/** Whether the dates agree in every part that both contain. */
function fits(born: number, listed: number): boolean {
  const isDayKnown = listed % 100 > 0 && born % 100 > 0;
  if (isDayKnown) return born === listed;
  const isMonthKnown = listed % 10_000 > 0 && born % 10_000 > 0;
  const unit = isMonthKnown ? 100 : 10_000;
  return Math.floor(born / unit) === Math.floor(listed / unit);
}

/** Registers use 1 January for an unknown day. */
function isOpenDay(date: number): boolean {
  return date % 10_000 === 101;
}

/** Day and month are known and agree, and the year differs in exactly one digit. */
function isOneDigitOff(born: number, listed: number): boolean {
  if (born % 100 === 0 || born % 10_000 !== listed % 10_000) return false;
  let differing = 0;
  for (let place = 10_000; place <= 10_000_000; place *= 10) {
    if (Math.floor(born / place) % 10 !== Math.floor(listed / place) % 10) differing += 1;
  }
  return differing === 1;
}

/** The date with day and month swapped. */
function swapped(date: number): number {
  const year = Math.floor(date / 10_000);
  const month = Math.floor(date / 100) % 100;
  return year * 10_000 + (date % 100) * 100 + month;
}

function genderPoints(flags: number, gender: PersonQuery['gender']): 'same' | 'other' | 'unknown' {
  if (gender === undefined || flags === 0) return 'unknown';
  const asked = gender === 'Male' ? personFlag.male : personFlag.female;
  return (flags & asked) !== 0 ? 'same' : 'other';
}

function hasCountry(
  { countryStart, countries }: IndexArrays,
  person: number,
  country: string | undefined,
): boolean {
  if (country?.length !== 2) return false;
  const code = country.toUpperCase();
  const wanted = (code.charCodeAt(0) << 8) | code.charCodeAt(1);
  for (let at = countryStart[person] as number; at < (countryStart[person + 1] as number); at++) {
    if (countries[at] === wanted) return true;
  }
  return false;
}
