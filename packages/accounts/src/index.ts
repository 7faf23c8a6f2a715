export {
  checkAccounts,
  createAccounts,
  sendMail,
  type AccountsOptions,
  type MailOptions,
  type WaysIn,
} from './accounts.ts'
export type { AccountsFailure, ReportFailure } from './failures.ts'
export { parseProviders, type ProviderOptions } from './providers/config.ts'
export type { AccountsWarning } from './warnings.ts'
