export {
  checkAccounts,
  createAccounts,
  sendMail,
  type AccountsOptions,
  type AccountsWarning,
  type MailOptions,
  type WaysIn,
} from './accounts.ts'
export type { AccountsFailure, ReportFailure } from './mail/outbox.ts'
export { parseProviders, type ProviderOptions } from './providers/config.ts'
