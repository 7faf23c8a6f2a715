export { buildSite, type SiteOptions, type SiteProgress, type SiteReport } from './build/build.ts'
export { SiteOptionError } from './build/options.ts'
export { availableLanguages } from './build/languages.ts'
export { ExportFolderError } from './data/problem.ts'
