export { createApp, type App } from './app.ts'
export { OptionError } from './option-error.ts'
export type { AppOptions, ResolveActor } from './options.ts'
export { type ExportFile } from './exports-folder.ts'
export { geojson, type WaypointFormat } from './formats.ts'
export { type AccessEntry, type AccessLog, type Failure, jsonLines } from './http/access-log.ts'
export type { HeavyWorkOptions } from './http/heavy-work.ts'
export { type Fetching, nodeListener } from './http/node-listener.ts'
export type { RateLimitOptions } from './http/rate-limit.ts'
export type { TrustProxy } from './http/trusted-proxies.ts'
export {
  guard,
  type Guard,
  type Listener,
  type ListenerLimits,
  serve,
  type ServeOptions,
} from './listener.ts'
export { type ProblemCode, statusOf } from './problem.ts'
export type { SiteOptions } from './site.ts'
