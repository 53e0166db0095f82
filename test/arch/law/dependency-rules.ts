/** The part of package.json that the rules read. */
export interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** One import specifier and the file that contains it, relative to the repository. */
export interface PackageUse {
  readonly path: string;
  readonly specifier: string;
}

/**
 * Packages that are never imported, imports that no package provides, and unpinned versions. A
 * package that the build bundles for users is a development dependency.
 */
export function dependencyFaults(
  manifest: PackageManifest,
  uses: readonly PackageUse[],
  tools: Readonly<Record<string, string>>,
  bundled: readonly string[],
): string[] {
  const runtime = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const development = manifest.devDependencies ?? {};
  const imported = new Set<string>();
  const importedBySource = new Set<string>();
  const faults: string[] = bundled
    .filter((name) => name in runtime)
    .map((name) => `${name} is bundled, and users install it all the same`);
  for (const { path, specifier } of uses) {
    if (/^(\.|node:|<computed>)/.test(specifier)) continue;
    const name = packageName(specifier);
    imported.add(name);
    if (path.startsWith('src/')) importedBySource.add(name);
    if (name === 'innsigli' && !path.startsWith('src/')) continue;
    const isBuilt = !path.startsWith('src/') || bundled.includes(name);
    const provided = name in runtime || (isBuilt && name in development);
    if (!provided) faults.push(`${path} imports ${specifier}, which package.json does not provide`);
  }
  for (const [name, version] of Object.entries({ ...runtime, ...development })) {
    if (!/^(npm:[a-z0-9-]+@)?\d+\.\d+\.\d+$/.test(version))
      faults.push(`${name} is not pinned: ${version}`);
    if (!imported.has(name) && !(name in tools)) faults.push(`nothing imports ${name}`);
    else if (name in runtime && !importedBySource.has(name) && !(name in tools)) {
      faults.push(`${name} is a dependency and only tests or scripts import it`);
    }
  }
  return faults;
}

/** `@a/b` for `@a/b/c`, `a` for `a/b`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
