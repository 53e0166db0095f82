/** Shorter texts of an answer are kept as they are. */
const TEXT_MIN = 64;
const mark = '$sent';

type Mark = { readonly [mark]: number };

/**
 * `answer` without the texts that the client has sent itself, such as contents of attachments: in
 * their place stands which text of the request it is. Both are values of JSON.
 */
export function withoutSentTexts(answer: unknown, request: unknown): unknown {
  const places = new Map(textsOf(request).map((text, at) => [text, at]));
  return replaced(answer, (value) => {
    const at =
      typeof value === 'string' && value.length >= TEXT_MIN ? places.get(value) : undefined;
    return at === undefined ? value : { [mark]: at };
  });
}

/** What {@link withoutSentTexts} was made of, for a request with the same texts. */
export function withSentTexts(answer: unknown, request: unknown): unknown {
  const texts = textsOf(request);
  return replaced(answer, (value) => (isMark(value) ? texts[value[mark]] : value));
}

// A map of the caller, which has texts only, can have a member of that name; no number in it.
function isMark(value: unknown): value is Mark {
  return typeof (value as Partial<Mark> | null)?.[mark] === 'number';
}

/** Long texts of a value, in the order in which they stand in it. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= TEXT_MIN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function replaced(value: unknown, replace: (value: unknown) => unknown): unknown {
  const next = replace(value);
  if (next !== value || typeof value !== 'object' || value === null) return next;
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  const members = Object.entries(value).map(([name, member]) => [name, replaced(member, replace)]);
  return Object.fromEntries(members);
}
