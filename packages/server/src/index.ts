export { createApp, type App } from './app.ts'
export { agesOfCopies, type CopiesAges, type CopiesFolders } from './copies.ts'
export { OptionError } from './option-error.ts'
export { type AppOptions, checkOptions, type ResolveActor } from './options.ts'
export { type ExportFile } from './exports-folder.ts'
export { geojson, type WaypointFormat } from './formats.ts'
export { guard, type Guard, type ListenerLimits } from './http/connections.ts'
export { type AccessEntry, type AccessLog, type Failure, jsonLines } from './http/access-log.ts'
export type { StrictTransport } from './http/headers.ts'
export type { MetricsReaders } from './metrics.ts'
export type { HeavyWorkOptions } from './http/heavy-work.ts'
export { type Fetching, nodeListener } from './http/node-listener.ts'
export type { RateLimitOptions } from './http/rate-limit.ts'
export { refusalEvents, type RefusalEventName, type RefusedRequest } from './http/access-log.ts'
export type { TrustProxy } from './http/trusted-proxies.ts'
export { type ProblemCode, statusOf } from './problem.ts'
export type {
  Ceremony,
  CodeSignIn,
  JsonObject,
  PasskeyCeremony,
  PasskeySignIn,
  ProviderSignIn,
  WaysToSignIn,
} from '@openfountain/core/internal'
export type { SiteOptions } from './site.ts'
export { filterFrom } from './waypoint-filter.ts'
