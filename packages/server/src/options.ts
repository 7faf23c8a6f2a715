import type { Actor, Registry } from '@openfountain/core'
import type { WaypointFormat } from './formats.ts'
import type { AccessLog, Failure, RefusedRequest } from './http/access-log.ts'
import type { HeavyWorkOptions } from './http/heavy-work.ts'
import type { StrictTransport } from './http/headers.ts'
import { checkRateLimit, type RateLimitOptions } from './http/rate-limit.ts'
import { trustOf, type TrustProxy } from './http/trusted-proxies.ts'
import type { ListMaker } from './list-maker.ts'
import { type Metrics, metricsReaders, type MetricsReaders } from './metrics.ts'
import { OptionError } from './option-error.ts'
import type { SiteOptions } from './site.ts'
import type { WaysToSignIn } from '@openfountain/core/internal'

/**
 * Authenticates a request, for an embedder with its own accounts.
 *
 * @param builtIn authenticates by the registry's own sessions and tokens, as a fallback
 * @returns undefined, or an anonymous actor, without valid credentials. A value that is no actor, such as
 * `user(undefined)` or the built-in user `api`, is refused as UNAUTHORIZED
 */
export type ResolveActor = (
  request: Request,
  builtIn: () => Promise<Actor | undefined>,
) => Actor | undefined | Promise<Actor | undefined>

export interface WebhookSender {
  /** @throws RegistryError INVALID_INPUT for an address to which nothing is sent */
  check(url: string): void
  /** @throws RegistryError INVALID_INPUT without a key */
  secretOf(webhook: { readonly id: string; readonly generation: number }): string
  /** The public key of pushes to devices. @throws RegistryError INVALID_INPUT without a key */
  pushKey(): string
  /** @throws RegistryError INVALID_INPUT for a device of no known push service */
  checkDevice(endpoint: string): void
}

/** Options of an app, all of them optional. */
export interface AppOptions {
  /**
   * Authenticates a request. Default: by the registry's own sessions and tokens. With it sign-in is the host's:
   * /api/auth and the account's endpoints are 404.
   */
  readonly resolveActor?: ResolveActor | undefined
  /** Ways to sign in, from `createAccounts` of `@openfountain/accounts`. Default: only links made by an administrator. */
  readonly accounts?: WaysToSignIn | undefined
  /**
   * The address at which browsers reach the app, such as `https://fountains.example`. Pages of this origin may write
   * with their visitor's session. Default: the origin of each request, or behind a trusted proxy X-Forwarded-Proto and
   * X-Forwarded-Host. Needed when requests do not name the public address: behind a proxy that terminates TLS and is
   * not in `trustProxy`, and in a Next route handler, whose requests always name localhost. With https, responses have
   * Strict-Transport-Security.
   */
  readonly publicUrl?: string | undefined
  /**
   * The path below which the app is mounted, such as `/fountains`, without a slash at its end: the API is at
   * `/fountains/api`, and requests have their whole path. Links, redirects, the OpenAPI document and cookie paths
   * include it. Default none: the API is at `/api`.
   */
  readonly basePath?: string | undefined
  /**
   * Scope of Strict-Transport-Security when `publicUrl` begins with https: the `host` (default), also its `subdomains`,
   * or no header (`off`), when the host application sends it itself. Browsers remember it for a year, and refuse plain
   * HTTP until then.
   */
  readonly strictTransport?: StrictTransport | undefined
  /** Other origins whose pages may write with their visitor's session, such as `https://map.example`. */
  readonly allowedOrigins?: readonly string[] | undefined
  /**
   * Whether responses are compressed for clients that accept it. Default true; set false when the host application
   * compresses responses and drops their Content-Encoding, as Next does.
   */
  readonly compress?: boolean | undefined
  /** The limit of a client's requests under /api. Default: no limit. */
  readonly rateLimit?: RateLimitOptions | undefined
  /** Called once for each request. Default: no log. `jsonLines()` writes to standard output. */
  readonly accessLog?: AccessLog | undefined
  /**
   * Called for each request refused for security reasons. Default: no log. `jsonLines()` writes to
   * standard output; a registry's events (`onSecurityEvent`) can go to the same log.
   */
  readonly securityLog?: ((entry: RefusedRequest) => void) | undefined
  /** Called for every unexpected error, which the client sees as a 500 or 503. Default: writes to standard error. */
  readonly onFailure?: ((failure: Failure) => void) | undefined
  /** Trusted sources of `X-Forwarded-For`, `-Host` and `-Proto`, such as `['loopback', '10.0.0.0/8']`. Default false. */
  readonly trustProxy?: TrustProxy | undefined
  /**
   * Whether anonymous visitors may say `works` and `broken`, without text, from pages of this origin and of
   * `allowedOrigins`; a few times a day from each network. Default false.
   */
  readonly passersBy?: boolean | undefined
  /**
   * Whether anonymous visitors may report problems, and whether fountains work, from pages of this origin and of
   * `allowedOrigins`; a few times a day from each network. Default false.
   */
  readonly openObservations?: boolean | undefined
  /** The e-mail address of those who run the registry, to whom people write for an invitation. Default: none. */
  readonly contact?: string | undefined
  /** A folder of exports, served at /api/exports. */
  readonly exports?: string | undefined
  /** The folder of backups: `GET /api/health` then reports the age of the newest one. */
  readonly backups?: string | undefined
  /**
   * Readers of `GET /api/metrics`, in the text format of Prometheus: nobody (`off`), programs on this machine that
   * connect through no proxy (`loopback`), or `everyone`. Default off.
   */
  readonly metrics?: MetricsReaders | undefined
  /** Signs for webhooks and checks addresses: a `Sender` of `@openfountain/telling`. Default: none can be added. */
  readonly webhooks?: WebhookSender | undefined
  /** A built site, served at every path outside /api, by default below `basePath`. A string is its folder. */
  readonly site?: string | SiteOptions | undefined
  /** Formats of GET /api/waypoints besides JSON. Default: GeoJSON. */
  readonly formats?: readonly WaypointFormat[] | undefined
  /** Concurrent and waiting heavy responses. */
  readonly heavyWork?: HeavyWorkOptions | undefined
  /** Milliseconds for receiving a whole request body, else it is a 408. Default 20,000. */
  readonly bodyMilliseconds?: number | undefined
  /** Milliseconds until a client that stops reading a streamed response is disconnected. Default 30,000. */
  readonly stallMilliseconds?: number | undefined
  /**
   * The minimum average speed, in bytes per second, for reading a list, so that slow clients do not keep their turn. A
   * slower one is disconnected after its allowed time and `stallMilliseconds`. 0 sets no limit. Default 32,768.
   */
  readonly slowestBytesPerSecond?: number | undefined
}

const known = {
  resolveActor: true,
  accounts: true,
  publicUrl: true,
  basePath: true,
  strictTransport: true,
  allowedOrigins: true,
  compress: true,
  rateLimit: true,
  accessLog: true,
  securityLog: true,
  onFailure: true,
  trustProxy: true,
  passersBy: true,
  openObservations: true,
  contact: true,
  exports: true,
  backups: true,
  metrics: true,
  webhooks: true,
  site: true,
  formats: true,
  heavyWork: true,
  bodyMilliseconds: true,
  stallMilliseconds: true,
  slowestBytesPerSecond: true,
} satisfies Record<keyof AppOptions, true>

/**
 * Checks options as `createApp` does, for a host that opens or creates the registry only with valid ones.
 *
 * @throws OptionError that names the option and the remedy
 */
export function checkOptions(options: AppOptions): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name))
      throw new OptionError(name, `is unknown; the options are ${Object.keys(known).join(', ')}`)
  for (const origin of options.allowedOrigins ?? []) {
    if (URL.parse(origin)?.origin !== origin) {
      throw new OptionError(
        'allowedOrigins',
        `has ${JSON.stringify(origin)}, which is not an origin; write it as https://host or https://host:port`,
      )
    }
  }
  const {
    publicUrl,
    basePath = '',
    bodyMilliseconds,
    stallMilliseconds,
    slowestBytesPerSecond,
    heavyWork,
    trustProxy,
    rateLimit,
    contact,
  } = options
  if (publicUrl !== undefined && !isSiteAddress(URL.parse(publicUrl))) {
    // The text may contain a password, so the error does not repeat it.
    throw new OptionError(
      'publicUrl',
      'is not the address of a website; write it as https://host or https://host:port, without user, query and fragment',
    )
  }
  if (!isBasePath(basePath)) {
    throw new OptionError(
      'basePath',
      'is not a path; write it as /fountains or /city/fountains: letters, digits and -._~ without a slash at the end',
    )
  }
  if (slowestBytesPerSecond !== undefined && !(slowestBytesPerSecond >= 0)) {
    throw new OptionError('slowestBytesPerSecond', 'must be 0 or more')
  }
  for (const name of ['atOnce', 'perClient'] as const) {
    const number = heavyWork?.[name]
    if (number !== undefined && !(Number.isInteger(number) && number >= 1)) {
      throw new OptionError(`heavyWork.${name}`, 'must be a whole number of at least 1')
    }
  }
  for (const [name, number] of Object.entries({ bodyMilliseconds, stallMilliseconds })) {
    if (number !== undefined && !(number > 0)) throw new OptionError(name, 'must be above 0')
  }
  if (options.metrics !== undefined && !metricsReaders.includes(options.metrics))
    throw new OptionError('metrics', `must be one of ${metricsReaders.join(', ')}`)
  if (contact !== undefined && !/^[^\s@?&%]+@[^\s@?&%]+$/u.test(contact))
    throw new OptionError('contact', 'is not an e-mail address; write it as fountains@city.example')
  if (trustProxy !== undefined) trustOf(trustProxy)
  if (rateLimit !== undefined) checkRateLimit(rateLimit)
}

/** Whether a path needs no encoding (RFC 3986, section 2.3) and has no dot segments. */
const isBasePath = (path: string): boolean =>
  /^(?:\/[\w.~-]+)*$/u.test(path) && !path.split('/').some((part) => part === '.' || part === '..')

function isSiteAddress(url: URL | null): boolean {
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return [url.username, url.password, url.search, url.hash].every((part) => part === '')
}

export interface EndpointContext {
  readonly registry: Registry
  readonly options: AppOptions
  readonly metrics?: Metrics | undefined
  /** Makes long lists on another thread; undefined for databases that no other thread can open. */
  readonly lists: ListMaker | undefined
}
