export {
  buildSite,
  type SiteOptions,
  type SiteProgress,
  type SiteReport,
  type SiteWarning,
} from './build/build.ts'
export type { MapEngine } from './map/build/bundle.ts'
export { SiteOptionError } from './build/options.ts'
export { availableLanguages } from './build/languages.ts'
export { ExportFolderError } from './data/problem.ts'
