/** Packages that the build bundles into dist/: users do not install them. */
export declare const bundledPackages: readonly string[];
/** Packages that only the program bundles: small, and needed in every run. */
export declare const bundledByProgram: readonly string[];
