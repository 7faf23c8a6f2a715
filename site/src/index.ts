export { buildSite } from './build/build.ts'
export type { SiteOptions } from './build/site-options.ts'
export type { SiteProgress, SiteReport } from './build/report.ts'
export type { SiteWarning } from './build/warnings.ts'
export type { ExportWriter } from './build/options.ts'
export type { Amount, SitePart, SitePlan } from './build/plan.ts'
export {
  SiteOptionError,
  type SiteOptionCode,
  type SiteOptionFacts,
  type SiteOptionProblem,
} from './build/option-error.ts'
export { availableLanguages } from './build/languages.ts'
export { plateFile } from './plates/file.ts'
export { siteFiles } from './data/folder.ts'
export {
  ExportFolderError,
  type ExportProblem,
  type ExportProblemCode,
  type ExportProblemFacts,
} from './data/problem.ts'
