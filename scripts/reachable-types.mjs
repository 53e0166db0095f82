import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Copies the declarations reachable by importing programs from one folder to another: those of the
 * entries, and those they refer to. Of a file that only re-exports, it copies the requested lines.
 * A package in `absent` is not installed with them, and none of them may refer to it.
 */
export function copyReachableTypes(from, to, entries, absent = []) {
  const asked = new Map();
  const passing = new Map();
  const ask = (path, names) => {
    const known = asked.get(path) ?? new Set();
    const news = names.filter((name) => !known.has(name));
    const isNew = !asked.has(path);
    asked.set(path, new Set([...known, ...news]));
    if (!passing.has(path)) passing.set(path, onlyPassesOn(readFileSync(path, 'utf8')));
    // A file with declarations of its own is copied completely, whichever names are requested.
    if (isNew || (passing.get(path) && news.length > 0)) follow(path);
  };
  const follow = (path) => {
    for (const { names, file } of references(path, textOf(path))) {
      ask(join(dirname(path), `${file}.d.ts`), names);
    }
  };
  const textOf = (path) => {
    const text = readFileSync(path, 'utf8');
    return passing.get(path) ? onlyNames(path, text, asked.get(path)) : text;
  };
  for (const entry of entries) {
    const path = join(from, `${entry}.d.ts`);
    const text = readFileSync(path, 'utf8');
    passing.set(path, false);
    ask(
      path,
      references(path, text).flatMap(({ exported }) => exported),
    );
  }
  for (const path of asked.keys()) {
    const target = join(to, relative(from, path));
    const text = textOf(path);
    const named = absent.find((name) => namesPackage(text, name));
    if (named !== undefined) throw new Error(`${relative(from, path)} names ${named}`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

const statement =
  /^(?:im|ex)port (?:type )?(?:\{([^}]*)\}|(\*(?: as \w+)?)) from '(\.[^']+)\.ts';\n?/gm;
const declaration =
  /^export (?:declare )?(?:abstract )?(?:interface|type|const|let|function|class|enum|namespace) (\w+)/gm;

function namesPackage(text, name) {
  const specifiers = [...text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(
    ([, one]) => one,
  );
  return specifiers.some((one) => one === name || one.startsWith(`${name}/`));
}

function onlyPassesOn(text) {
  const rest = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(statement, (all) => {
    return all.startsWith('export') ? '' : all;
  });
  return rest.trim() === '';
}

// `{ type A, B as C }`: A and B are exported there, A and C here. `* as C`: everything there is C
// here; `*`: the same names are exported here.
function specifiers(list, all, target) {
  if (all === '*') return [...exportsOf(target)].map((name) => [name]);
  if (all !== undefined) return [all.split(' as ')];
  const each = list.split(',').map((one) => one.trim().replace(/^type /, ''));
  return each.filter((one) => one !== '').map((one) => one.split(' as '));
}

/** Every exported name of a declaration file. */
function exportsOf(path) {
  const text = readFileSync(path, 'utf8');
  const passed = references(path, text.replace(/^import .*$/gm, ''));
  const own = [...text.matchAll(declaration)].map(([, name]) => name);
  return new Set([...own, ...passed.flatMap(({ exported }) => exported)]);
}

function references(path, text) {
  const stated = [...text.matchAll(statement)].map(([, list, all, file]) => {
    const pairs = specifiers(list, all, join(dirname(path), `${file}.d.ts`));
    const exported = pairs.map((pair) => pair.at(-1));
    return { file, names: pairs.map(([name]) => name), exported };
  });
  const inline = [...text.matchAll(/\bimport\("(\.[^"]+)\.ts"\)\.(\w+)/g)];
  return [...stated, ...inline.map(([, file, name]) => ({ file, names: [name], exported: [] }))];
}

function onlyNames(path, text, names) {
  return text.replace(statement, (line, list, all, file) => {
    const pairs = specifiers(list, all, join(dirname(path), `${file}.d.ts`));
    const kept = pairs.filter((pair) => names.has(pair.at(-1)));
    if (kept.length === 0) return '';
    if (all?.startsWith('* as')) return line;
    const isType = line.startsWith('export type');
    const spelled = kept.map((pair) => pair.join(' as ')).join(', ');
    return `export ${isType ? 'type ' : ''}{ ${spelled} } from '${file}.ts';\n`;
  });
}
