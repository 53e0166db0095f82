import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Copies the declarations that programs can meet from one folder to another: those of the entries,
 * and what these name. Of a file that only passes names on, it copies the lines that are asked for.
 */
export function copyReachableTypes(from, to, entries) {
  const asked = new Map();
  const passing = new Map();
  const ask = (path, names) => {
    const known = asked.get(path) ?? new Set();
    const news = names.filter((name) => !known.has(name));
    const isNew = !asked.has(path);
    asked.set(path, new Set([...known, ...news]));
    if (!passing.has(path)) passing.set(path, onlyPassesOn(readFileSync(path, 'utf8')));
    // A file with declarations of its own is copied whole, whatever is asked of it.
    if (isNew || (passing.get(path) && news.length > 0)) follow(path);
  };
  const follow = (path) => {
    for (const { names, file } of references(textOf(path))) {
      ask(join(dirname(path), `${file}.d.ts`), names);
    }
  };
  const textOf = (path) => {
    const text = readFileSync(path, 'utf8');
    return passing.get(path) ? onlyNames(text, asked.get(path)) : text;
  };
  for (const entry of entries) {
    const path = join(from, `${entry}.d.ts`);
    const text = readFileSync(path, 'utf8');
    passing.set(path, false);
    ask(
      path,
      references(text).flatMap(({ exported }) => exported),
    );
  }
  for (const path of asked.keys()) {
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textOf(path));
  }
}

const statement = /^(?:im|ex)port (?:type )?(?:\{([^}]*)\}|(\* as \w+)) from '(\.[^']+)\.ts';\n?/gm;

function onlyPassesOn(text) {
  const rest = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(statement, (all) => {
    return all.startsWith('export') ? '' : all;
  });
  return rest.trim() === '';
}

// `{ type A, B as C }`: A and B are named there, and A and C here. `* as C`: all there is C here.
function specifiers(list, all) {
  if (all !== undefined) return [all.split(' as ')];
  const each = list.split(',').map((one) => one.trim().replace(/^type /, ''));
  return each.filter((one) => one !== '').map((one) => one.split(' as '));
}

function references(text) {
  const stated = [...text.matchAll(statement)].map(([, list, all, file]) => ({
    file,
    names: specifiers(list, all).map(([name]) => name),
    exported: specifiers(list, all).map((pair) => pair.at(-1)),
  }));
  const inline = [...text.matchAll(/\bimport\("(\.[^"]+)\.ts"\)\.(\w+)/g)];
  return [...stated, ...inline.map(([, file, name]) => ({ file, names: [name], exported: [] }))];
}

function onlyNames(text, names) {
  return text.replace(statement, (line, list, all, file) => {
    const kept = specifiers(list, all).filter((pair) => names.has(pair.at(-1)));
    if (kept.length === 0 || all !== undefined) return kept.length === 0 ? '' : line;
    const isType = line.startsWith('export type');
    const spelled = kept.map((pair) => pair.join(' as ')).join(', ');
    return `export ${isType ? 'type ' : ''}{ ${spelled} } from '${file}.ts';\n`;
  });
}
