// Gives object literals one hidden class in V8 of Node 20, instead of one per object.
//
// `{ ...context, pool }` is a clone of `context` that gets a member. V8 before 12 marks the hidden
// class of this clone as a prototype's, so no transition from it is stored: each object gets a
// separate class (0.4 to 2 µs instead of 0.03), code that reads them sees a new class each time,
// and the class retains parts of the object until the next full collection. After a spread of
// nothing, V8 copies into an ordinary object: `{ ...null, ...context, pool }` means the same,
// member by member. esbuild would remove it, so it is added after esbuild.
import { parse } from 'acorn';

/**
 * Returns the code with `...null` before each spread that starts an object literal of more than one
 * part.
 *
 * @param {string} code JavaScript as written by esbuild
 * @param {'module' | 'script'} sourceType
 * @returns {string}
 */
export function shareShapes(code, sourceType) {
  const places = [];
  // As a number: an older acorn, installed before `npm ci`, loops forever on 'latest'.
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
