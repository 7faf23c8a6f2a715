import type { Actor } from '@openfountain/core'
import type { WaypointFormat } from './formats.ts'
import type { AccessLog, Failure } from './http/access-log.ts'
import type { HeavyWorkOptions } from './http/heavy-work.ts'
import type { StrictTransport } from './http/headers.ts'
import type { RefusedRequest } from './http/security-log.ts'
import { checkRateLimit, type RateLimitOptions } from './http/rate-limit.ts'
import { trustOf, type TrustProxy } from './http/trusted-proxies.ts'
import { metricsReaders, type MetricsReaders } from './metrics.ts'
import { OptionError } from './option-error.ts'
import type { SiteOptions } from './site.ts'
import type { WaysToSignIn } from './ways-to-sign-in.ts'

/**
 * Identifies who sends a request, for an embedder with accounts of its own.
 *
 * @param builtIn identifies by the registry's own sessions and tokens, as a fallback
 * @returns undefined, or an anonymous actor, for a request without valid credentials. What is no actor, such as
 * `user(undefined)` or the built-in user `api`, is refused as UNAUTHORIZED
 */
export type ResolveActor = (
  request: Request,
  builtIn: () => Promise<Actor | undefined>,
) => Actor | undefined | Promise<Actor | undefined>

/** How an app serves a registry. Everything is optional. */
export interface AppOptions {
  /**
   * Identifies who sends a request. Default: by the registry's own sessions and tokens. With it signing in is the host's
   * own: /api/auth and what belongs to an account are 404.
   */
  readonly resolveActor?: ResolveActor | undefined
  /** Ways to sign in, as `@openfountain/accounts` makes them. Default: by the links that an administrator makes, alone. */
  readonly accounts?: WaysToSignIn | undefined
  /**
   * The address at which browsers reach the app, such as `https://fountains.example`. Its scheme, host and port are
   * the origin whose pages may write with the session of their visitor. Default: that of each request, or behind a trusted
   * proxy what X-Forwarded-Proto and X-Forwarded-Host name. Needed wherever requests do not name the public address: behind
   * a proxy that ends TLS and is not in `trustProxy`, and in a Next route handler, whose requests always name localhost.
   * With https, responses have Strict-Transport-Security.
   */
  readonly publicUrl?: string | undefined
  /**
   * The path below which the app is mounted, such as `/fountains`, without a slash at its end: the API is at
   * `/fountains/api`, and a request comes with its whole path. Links, redirects, the OpenAPI document and the paths of cookies
   * have it. Default none: the API is at `/api`.
   */
  readonly basePath?: string | undefined
  /**
   * What Strict-Transport-Security covers when `publicUrl` begins with https: the `host` alone (default), the host with
   * all its `subdomains`, or nothing (`off`), where the host of the app sends the header itself. Browsers remember it for
   * a year, and until then refuse plain HTTP.
   */
  readonly strictTransport?: StrictTransport | undefined
  /** Other origins, such as `https://map.example`, whose pages may write with the session of their visitor. */
  readonly allowedOrigins?: readonly string[] | undefined
  /**
   * Whether responses are compressed when clients accept that. Default true; false where the host of the app compresses
   * responses itself and drops their Content-Encoding, as Next does.
   */
  readonly compress?: boolean | undefined
  /** Requests that a client may make under /api. Default: no limit. */
  readonly rateLimit?: RateLimitOptions | undefined
  /** Called once for each request. Default: no log. `jsonLines()` and `textLines()` write to standard output. */
  readonly accessLog?: AccessLog | undefined
  /**
   * Called with each request that is refused for reasons of security. Default: no log. `jsonLines()` and `textLines()` write to
   * standard output; what a registry reports (`onSecurityEvent`) can go to the same log.
   */
  readonly securityLog?: ((entry: RefusedRequest) => void) | undefined
  /** Called with every unexpected error, to which the client gets a 500 or 503. Default: writes to standard error. */
  readonly onFailure?: ((failure: Failure) => void) | undefined
  /** Whose `X-Forwarded-For`, `-Host` and `-Proto` are trusted, such as `['loopback', '10.0.0.0/8']`. Default false. */
  readonly trustProxy?: TrustProxy | undefined
  /**
   * Whether people who are not signed in may report what is wrong, and say whether fountains work, from pages of this origin
   * and of `allowedOrigins`; a few times a day from each network. Default false.
   */
  readonly openObservations?: boolean | undefined
  /** A folder of exports, served at /api/exports. */
  readonly exports?: string | undefined
  /** The folder to which backups are written, so that `GET /api/health` says how old the newest one is. */
  readonly backups?: string | undefined
  /**
   * Who may read `GET /api/metrics`, in the text format of Prometheus: nobody (`off`), programs on this machine whose
   * requests come through no proxy (`loopback`), or `everyone`. Default off.
   */
  readonly metrics?: MetricsReaders | undefined
  /** A built site, served at every path outside /api, by default below `basePath`. A string is its folder. */
  readonly site?: string | SiteOptions | undefined
  /** Formats of GET /api/waypoints besides JSON. Default: GeoJSON. */
  readonly formats?: readonly WaypointFormat[] | undefined
  /** How many heavy responses are made at the same time, and how many may wait. */
  readonly heavyWork?: HeavyWorkOptions | undefined
  /** Milliseconds in which the body of a request must arrive whole; later it is a 408. Default 20,000. */
  readonly bodyMilliseconds?: number | undefined
  /** Milliseconds after which a client that reads nothing of a streamed response is disconnected. Default 30,000. */
  readonly stallMilliseconds?: number | undefined
  /**
   * The least average speed at which a client must read a list, so that it does not keep its turn for long. A slower one
   * is disconnected `stallMilliseconds` after the time that the bytes it read allow for. 0 sets no limit. Default 32,768.
   */
  readonly slowestBytesPerSecond?: number | undefined
}

/** All options; it does not compile when one is missing. */
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
  openObservations: true,
  exports: true,
  backups: true,
  metrics: true,
  site: true,
  formats: true,
  heavyWork: true,
  bodyMilliseconds: true,
  stallMilliseconds: true,
  slowestBytesPerSecond: true,
} satisfies Record<keyof AppOptions, true>

/**
 * Checks what the types of the options cannot, as `createApp` does, for a host that opens or creates the registry only
 * when its options are right.
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
  } = options
  if (publicUrl !== undefined && !isSiteAddress(URL.parse(publicUrl))) {
    // The text may contain a password, so that the error does not repeat it.
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
  if (trustProxy !== undefined) trustOf(trustProxy)
  if (rateLimit !== undefined) checkRateLimit(rateLimit)
}

/** Whether it needs no encoding (RFC 3986, section 2.3) and has no part that means another path. */
function isBasePath(path: string): boolean {
  return /^(?:\/[\w.~-]+)*$/u.test(path) && !path.split('/').some((part) => part === '.' || part === '..')
}

function isSiteAddress(url: URL | null): boolean {
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return [url.username, url.password, url.search, url.hash].every((part) => part === '')
}
