import type { CompanyKey } from '../../domain/keys.ts';
import { type ListPorts, openLists } from './lists/index.ts';

/** A listed name that does not find its person. */
export interface SelfTestFault {
  readonly list: string;
  readonly key: string;
  readonly name: string;
  /** Match rate of the person. 0 if not found. */
  readonly rate: number;
}

/** Result of a self-test. */
export interface SelfTest {
  readonly names: number;
  readonly failed: readonly SelfTestFault[];
}

/** Minimum rate at which a listed name must find its person. */
const LEAST_RATE = 95;
/** Search limit that is high enough to find all persons with the same name. */
const SAME_NAME_MAX = 1000;

/** Searches for every name of the current lists. */
export async function selfTest(ports: ListPorts, companyKey: CompanyKey): Promise<SelfTest> {
  const lists = await openLists(ports, companyKey);
  const failed: SelfTestFault[] = [];
  let names = 0;
  for (let number = 0; number < lists.index.personCount; number++) {
    const { person, list } = lists.person(number);
    for (const { text } of person.names) {
      names += 1;
      const options = { leastRate: LEAST_RATE, limit: SAME_NAME_MAX };
      const found = lists.index.search({ originalName: text }, options);
      if (found.some((match) => match.number === number)) continue;
      const near = lists.index.search({ originalName: text }, { ...options, leastRate: 1 });
      const rate = near.find((match) => match.number === number)?.rate ?? 0;
      failed.push({ list: list.list, key: person.key, name: text, rate });
    }
  }
  return { names, failed };
}
