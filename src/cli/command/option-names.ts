import { isInnsigliError, restated } from '../../base/errors.ts';

/** Names of options by the names of members. */
export type OptionNames = Readonly<Record<string, string>>;

/** Returns the result of `work`. An error about a member of `options` names its option instead. */
export async function withOptionNames<T>(options: OptionNames, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inOptionNames(error, options);
  }
}

function inOptionNames(error: unknown, options: OptionNames): unknown {
  if (!isInnsigliError(error)) return error;
  const { message, details } = error;
  const [field, head = '', below = ''] =
    /^([a-z]\w*)((?:\[\d+\]|\.\w+)*)(?=: )/i.exec(message) ?? [];
  // `plan.json: …` starts with a file name.
  const isPath = below === '' || String(details['field']).startsWith(head);
  if (field === undefined || !isPath) return error;
  const [, at, member] = /^signees\[(\d+)\](?:\.(.+))?$/.exec(field) ?? [];
  const nth = `signee ${Number(at) + 1}${member === undefined ? '' : `, ${member}`}`;
  const named = Object.hasOwn(options, head) ? options[head] : undefined;
  // A list is a single option that is repeated.
  const rest = below.replace(/^\[\d+\]/, '').replace(/^\./, ' ');
  const whole = Object.hasOwn(options, field) ? options[field] : named && `${named}${rest}`;
  const option = at === undefined ? whole : nth;
  if (option === undefined) return error;
  return restated(error, { message: `${option}: ${message.slice(field.length + 2)}` });
}
