/** The version of the software, as in every package.json. */
export const version = '1.0.0'

/** The number of the build, which `npm run build` writes here from OPENFOUNTAIN_BUILD or SOURCE_DATE_EPOCH; 0 for a checkout. */
export const build: number = 0

/** The version as people read it. */
export const versionText = `${version} (${build === 0 ? 'without a build number' : `build ${build}`})`
