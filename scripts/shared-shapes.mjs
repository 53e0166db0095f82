// Object literals that V8 of Node 20 gives one hidden class, not one for each object.
//
// `{ ...context, pool }` is a clone of `context` that gets a member. V8 before 12 marks the hidden
// class of such a clone as one of a prototype, so no transition from it is kept: each object gets
// a class of its own (0.4 to 2 µs instead of 0.03), what reads them finds another class each time,
// and the class keeps parts of the object until the next full collection. After a spread of
// nothing, V8 copies into an ordinary object: `{ ...null, ...context, pool }` says the same, member
// by member. esbuild would remove it, so it comes after esbuild.
import { parse } from 'acorn';

/**
 * The code with `...null` before each spread that begins an object literal of more than one part.
 *
 * @param {string} code JavaScript as esbuild wrote it
 * @param {'module' | 'script'} sourceType
 * @returns {string}
 */
export function shareShapes(code, sourceType) {
  const places = [];
  // By number: an older acorn, from before `npm ci`, never ends with the word 'latest'.
  const pending = [parse(code, { ecmaVersion: 2024, sourceType })];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'ObjectExpression' && node.properties.length > 1) {
      const [{ type, start }] = node.properties;
      if (type === 'SpreadElement') places.push(start);
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) pending.push(...value.filter(isNode));
      else if (isNode(value)) pending.push(value);
    }
  }
  places.sort((a, b) => a - b);
  const parts = places.map((place, index) => code.slice(places[index - 1] ?? 0, place));
  return [...parts, code.slice(places.at(-1) ?? 0)].join('...null,');
}

function isNode(value) {
  return typeof value?.type === 'string';
}
